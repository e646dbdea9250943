/// A type whose values are stored in one column.
///
/// Translators read and write such values, and ids consist of them. `Int` and the other integers,
/// `Bool`, `Double`, `Float`, `String`, `[UInt8]`, `Data`, `UUID` (as its text), `Ref` to a record
/// with such an id, and optionals of all these conform. For a type with a raw value, declaring the
/// conformance is enough:
///
/// ```swift
/// enum Standing: String, Codable, SQLConvertible {
///   case member, guest
/// }
/// ```
public protocol SQLConvertible {
  /// Creates a value from its stored form.
  ///
  /// - Parameter sqlValue: The stored value.
  init?(sqlValue: SQLValue)

  /// The value in its stored form.
  ///
  /// - Throws: `SQLMappingError.notStorable` for a value that databases cannot represent.
  var sqlValue: SQLValue { get throws(SQLMappingError) }

  /// Reads a value from a column.
  ///
  /// The default reads a `SQLValue` first.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The value.
  /// - Throws: `SQLMappingError.wrongType` if the stored value is not of this type.
  static func read(from row: borrowing SQLRow, at position: Int) throws(SQLMappingError) -> Self
}

extension SQLConvertible {
  /// Reads a value from a column by reading a `SQLValue` first.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The value.
  /// - Throws: `SQLMappingError.wrongType` if the stored value is not of this type.
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
  /// Creates a value from its stored raw value.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The raw value as stored.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) { try rawValue.sqlValue }
  }
}
