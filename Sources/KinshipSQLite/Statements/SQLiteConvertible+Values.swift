#if SQLite
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  public import Kinship

  extension String: SQLiteConvertible {
    /// Makes a string of a text.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard case .text(let text) = sqliteValue else { return nil }
      self = text
    }

    /// The text.
    @inlinable public var sqliteValue: SQLiteValue { .text(self) }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The text.
    /// - Throws: `SQLiteError.wrongType` if another kind of value is stored, `.unsuitableValue` if
    ///   the text is not UTF-8.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> String {
      try row.text(at: position)
    }
  }

  extension Array: SQLiteConvertible where Element == UInt8 {
    /// Makes an array of bytes of a blob.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard case .blob(let bytes) = sqliteValue else { return nil }
      self = bytes
    }

    /// The blob.
    @inlinable public var sqliteValue: SQLiteValue { .blob(self) }
  }

  extension Data: SQLiteConvertible {
    /// Makes data of a blob.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard case .blob(let bytes) = sqliteValue else { return nil }
      self.init(bytes)
    }

    /// The blob.
    @inlinable public var sqliteValue: SQLiteValue { .blob(Array(self)) }
  }

  extension UUID: SQLiteConvertible {
    /// Makes a UUID of its text, or of its 16 bytes.
    ///
    /// - Parameter sqliteValue: What is stored.
    public init?(sqliteValue: SQLiteValue) {
      switch sqliteValue {
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
    public var sqliteValue: SQLiteValue { .text(uuidString) }

    /// The 16 bytes, for a column that stores them so.
    public var sqliteBlob: SQLiteValue { .blob(withUnsafeBytes(of: uuid) { Array($0) }) }
  }

  extension Ref: SQLiteConvertible where R.ID: SQLiteConvertible {
    /// Makes a ref of a bare id.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard let id = R.ID(sqliteValue: sqliteValue) else { return nil }
      self.init(id)
    }

    /// The bare id.
    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { try id.sqliteValue }
    }

    /// Reads a bare id.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The ref.
    /// - Throws: `SQLiteError.wrongType` if no such id is stored.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> Ref {
      Ref(try R.ID.read(from: row, at: position))
    }
  }

  extension Optional: SQLiteConvertible where Wrapped: SQLiteConvertible {
    /// Makes no value of NULL, or else a value.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      if sqliteValue == .null {
        self = .none
      } else {
        guard let value = Wrapped(sqliteValue: sqliteValue) else { return nil }
        self = .some(value)
      }
    }

    /// The value, or NULL.
    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) {
        guard let value = self else { return .null }
        return try value.sqliteValue
      }
    }

    /// Reads NULL as no value, and else a value.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The value, or `nil`.
    /// - Throws: `SQLiteError.wrongType` if neither is stored.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> Wrapped? {
      if row.isNull(at: position) { return nil }
      return try Wrapped.read(from: row, at: position)
    }
  }
#endif
