#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Kinship

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

extension Int: SQLConvertible {}
extension Int8: SQLConvertible {}
extension Int16: SQLConvertible {}
extension Int32: SQLConvertible {}
extension Int64: SQLConvertible {}
extension UInt: SQLConvertible {}
extension UInt8: SQLConvertible {}
extension UInt16: SQLConvertible {}
extension UInt32: SQLConvertible {}
extension UInt64: SQLConvertible {}

extension SQLConvertible where Self: FixedWidthInteger {
  /// Creates an integer from a stored integer in its range.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .integer(let integer) = sqlValue else { return nil }
    self.init(exactly: integer)
  }

  /// The integer as stored; it must fit into 64 bits with a sign.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) {
      guard let integer = Int64(exactly: self) else {
        throw .notStorable("an integer is larger than Int64.max")
      }
      return .integer(integer)
    }
  }

  /// Reads an integer in its range.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The integer.
  /// - Throws: `SQLMappingError.wrongType` if another kind of value is stored, or one that does not
  ///   fit.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Self {
    guard let stored = row.cells.integer(at: position) else {
      throw row.wrongType("INTEGER", at: position)
    }
    guard let integer = Self(exactly: stored) else {
      throw row.wrongType("\(Self.self)", at: position)
    }
    return integer
  }
}

extension Bool: SQLConvertible {
  /// Creates a Boolean value from 0 or 1.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }

  /// The stored value: 0 or 1.
  @inlinable public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLConvertible {
  /// Creates a number from a stored number, or from an integer that it equals.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let real): self = real
    case .integer(let integer): self.init(exactly: integer)
    default: return nil
    }
  }

  /// The number as stored: infinity is allowed, but not NaN, which SQLite would store as NULL.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) {
      if isNaN { throw .notStorable("NaN would become NULL") }
      return .real(self)
    }
  }

  /// Reads a number.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The number.
  /// - Throws: `SQLMappingError.wrongType` if another kind of value is stored, also for an integer
  ///   that no floating-point number equals.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Double {
    guard let real = row.cells.real(at: position) else {
      throw row.wrongType("REAL", at: position)
    }
    return real
  }
}

extension Float: SQLConvertible {
  /// Creates a number from a stored number, rounded to the nearest.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard let real = Double(sqlValue: sqlValue) else { return nil }
    self.init(real)
  }

  /// The number as stored, as for `Double`.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) { try Double(self).sqlValue }
  }
}

extension String: SQLConvertible {
  /// Creates a string from a text.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self = text
  }

  /// The string as a text.
  @inlinable public var sqlValue: SQLValue { .text(self) }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The text.
  /// - Throws: `SQLMappingError.wrongType` if another kind of value is stored, `.unsuitableValue`
  ///   if the text is not UTF-8.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> String {
    guard let text = row.cells.text(at: position) else { throw row.noText(at: position) }
    return text
  }
}

extension Array: SQLConvertible where Element == UInt8 {
  /// Creates an array of bytes from a blob.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self = bytes
  }

  /// The bytes as a blob.
  @inlinable public var sqlValue: SQLValue { .blob(self) }
}

extension Data: SQLConvertible {
  /// Creates data from a blob.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self.init(bytes)
  }

  /// The data as a blob.
  @inlinable public var sqlValue: SQLValue { .blob(Array(self)) }
}

extension UUID: SQLConvertible {
  /// Creates a UUID from its text or its 16 bytes.
  ///
  /// - Parameter sqlValue: The stored value.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .text(let text): self.init(uuidString: text)
    case .blob(let bytes):
      guard bytes.count == 16 else { return nil }
      self.init(
        uuid: (
          bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
          bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
        ))
    default: return nil
    }
  }

  /// The UUID as a text in upper case.
  public var sqlValue: SQLValue { .text(uuidString) }

  /// The UUID as 16 bytes, for a column that stores UUIDs in this form.
  public var sqlBlob: SQLValue { .blob(withUnsafeBytes(of: uuid) { Array($0) }) }
}

extension Ref: SQLConvertible where R.ID: SQLConvertible {
  /// Creates a ref from a bare id.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard let id = R.ID(sqlValue: sqlValue) else { return nil }
    self.init(id)
  }

  /// The bare id as stored.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) { try id.sqlValue }
  }

  /// Reads a bare id.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The ref.
  /// - Throws: `SQLMappingError.wrongType` if the column holds another kind of value.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Ref {
    Ref(try R.ID.read(from: row, at: position))
  }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  /// Creates `nil` from NULL, or a value from anything else.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    if sqlValue == .null {
      self = .none
    } else {
      guard let value = Wrapped(sqlValue: sqlValue) else { return nil }
      self = .some(value)
    }
  }

  /// The wrapped value as stored, or NULL.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) {
      guard let value = self else { return .null }
      return try value.sqlValue
    }
  }

  /// Reads a value, or `nil` from NULL.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The value, or `nil`.
  /// - Throws: `SQLMappingError.wrongType` if the column holds neither.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Wrapped? {
    if row.cells.isNull(at: position) { return nil }
    return try Wrapped.read(from: row, at: position)
  }
}
