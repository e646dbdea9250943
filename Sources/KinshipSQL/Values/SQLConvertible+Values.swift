#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Kinship

extension String: SQLConvertible {
  /// Makes a string of a text.
  ///
  /// - Parameter sqlValue: What is stored.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self = text
  }

  /// The text.
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
  /// Makes an array of bytes of a blob.
  ///
  /// - Parameter sqlValue: What is stored.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self = bytes
  }

  /// The blob.
  @inlinable public var sqlValue: SQLValue { .blob(self) }
}

extension Data: SQLConvertible {
  /// Makes data of a blob.
  ///
  /// - Parameter sqlValue: What is stored.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self.init(bytes)
  }

  /// The blob.
  @inlinable public var sqlValue: SQLValue { .blob(Array(self)) }
}

extension UUID: SQLConvertible {
  /// Makes a UUID of its text, or of its 16 bytes.
  ///
  /// - Parameter sqlValue: What is stored.
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

  /// The text, in upper case.
  public var sqlValue: SQLValue { .text(uuidString) }

  /// The 16 bytes, for a column that stores them so.
  public var sqlBlob: SQLValue { .blob(withUnsafeBytes(of: uuid) { Array($0) }) }
}

extension Ref: SQLConvertible where R.ID: SQLConvertible {
  /// Makes a ref of a bare id.
  ///
  /// - Parameter sqlValue: What is stored.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard let id = R.ID(sqlValue: sqlValue) else { return nil }
    self.init(id)
  }

  /// The bare id.
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
  /// - Throws: `SQLMappingError.wrongType` if no such id is stored.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Ref {
    Ref(try R.ID.read(from: row, at: position))
  }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  /// Makes no value of NULL, or else a value.
  ///
  /// - Parameter sqlValue: What is stored.
  @inlinable
  public init?(sqlValue: SQLValue) {
    if sqlValue == .null {
      self = .none
    } else {
      guard let value = Wrapped(sqlValue: sqlValue) else { return nil }
      self = .some(value)
    }
  }

  /// The value, or NULL.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) {
      guard let value = self else { return .null }
      return try value.sqlValue
    }
  }

  /// Reads NULL as no value, and else a value.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The value, or `nil`.
  /// - Throws: `SQLMappingError.wrongType` if neither is stored.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Wrapped? {
    if row.isNull(at: position) { return nil }
    return try Wrapped.read(from: row, at: position)
  }
}
