#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Kinship

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
    try row.text(at: position)
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
    if row.isNull(at: position) { return nil }
    return try Wrapped.read(from: row, at: position)
  }
}
