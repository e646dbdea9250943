/// A type whose values lie in one column: what translators read and write, and what ids are made
/// of.
///
/// `Int` and the other integers, `Bool`, `Double`, `Float`, `String`, `[UInt8]`, `Data`, `UUID`
/// (as its text), `Ref` to a record with such an id, and optionals of all these conform. A type
/// with a raw value conforms by saying so:
///
/// ```swift
/// enum Standing: String, Codable, SQLConvertible {
///   case member, guest
/// }
/// ```
public protocol SQLConvertible {
  /// Makes a value of what is stored.
  ///
  /// - Parameter sqlValue: What is stored.
  init?(sqlValue: SQLValue)

  /// What is to be stored.
  ///
  /// - Throws: `SQLMappingError.notStorable` for a value that databases have no equal for.
  var sqlValue: SQLValue { get throws(SQLMappingError) }

  /// Reads a value from a column.
  ///
  /// The default reads a `SQLValue` first.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The value.
  /// - Throws: `SQLMappingError.wrongType` if what is stored is no such value.
  static func read(from row: borrowing SQLRow, at position: Int) throws(SQLMappingError) -> Self
}

extension SQLConvertible {
  /// Reads a value as a `SQLValue` first.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The value.
  /// - Throws: `SQLMappingError.wrongType` if what is stored is no such value.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Self {
    let stored = row.storedValue(at: position)
    guard let value = Self(sqlValue: stored) else {
      throw row.wrongType("\(Self.self)", at: position)
    }
    return value
  }
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
  /// Makes a value of its raw value.
  ///
  /// - Parameter sqlValue: What is stored.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The raw value.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) { try rawValue.sqlValue }
  }
}
