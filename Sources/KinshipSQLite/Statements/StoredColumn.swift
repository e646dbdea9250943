#if SQLite
  internal import CSQLite

  /// Reading the columns of the row on which a statement stands: what SQLite stores, unconverted.
  enum StoredColumn {
    static func value(_ statement: OpaquePointer, _ index: Int32) -> SQLiteValue {
      switch sqlite3_column_type(statement, index) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
      case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
      // What is not UTF-8 is no text: it is given as the bytes that it is.
      case SQLITE_TEXT: text(statement, index).map { .text($0) } ?? .blob(blob(statement, index))
      case SQLITE_BLOB: .blob(blob(statement, index))
      default: .null
      }
    }

    /// The text of a column; nil if it is not UTF-8.
    @inline(__always)
    static func text(_ statement: OpaquePointer, _ index: Int32) -> String? {
      guard let start = sqlite3_column_text(statement, index) else { return "" }
      let bytes = UnsafeBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(statement, index)))
      // Decoding repairs what is not UTF-8, and is several times as fast as the initialiser that refuses
      // it, which is not specialised.
      var text = String(decoding: bytes, as: UTF8.self)
      let isUnchanged = text.withUTF8 { decoded in
        decoded.count == bytes.count
          && (bytes.isEmpty || kinship_is_equal(start, decoded.baseAddress, bytes.count) != 0)
      }
      return isUnchanged ? text : nil
    }

    static func blob(_ statement: OpaquePointer, _ index: Int32) -> [UInt8] {
      guard let bytes = sqlite3_column_blob(statement, index) else { return [] }
      return Array(
        UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }

    static func kind(_ statement: OpaquePointer, _ index: Int32) -> String {
      switch sqlite3_column_type(statement, index) {
      case SQLITE_INTEGER: "INTEGER"
      case SQLITE_FLOAT: "REAL"
      case SQLITE_TEXT: "TEXT"
      case SQLITE_BLOB: "BLOB"
      default: "NULL"
      }
    }
  }
#endif
