#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  /// Reading the columns of the row on which a statement stands: what SQLite stores, unconverted.
  ///
  /// A column is looked up once, as a value that is then asked: SQLite does no more with a
  /// connection that only one task uses at a time.
  enum StoredColumn {
    /// What a column holds, until the statement goes on.
    struct Cell {
      private let value: OpaquePointer?

      @inline(__always)
      init(_ statement: OpaquePointer, _ index: Int32) {
        value = sqlite3_column_value(statement, index)
      }

      var type: Int32 {
        @inline(__always) get { sqlite3_value_type(value) }
      }
      var integer: Int64 {
        @inline(__always) get { sqlite3_value_int64(value) }
      }
      var real: Double {
        @inline(__always) get { sqlite3_value_double(value) }
      }

      /// The text; `nil` if it is not UTF-8.
      var text: String? {
        @inline(__always) get {
          guard let start = sqlite3_value_text(value) else { return "" }
          let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
          // Decoding repairs what is not UTF-8, and is several times as fast as the initialiser
          // that refuses it, which is not specialised.
          var text = String(decoding: bytes, as: UTF8.self)
          if kinship_is_ascii(start, bytes.count) != 0 { return text }
          let isUnchanged = text.withUTF8 { decoded in
            decoded.count == bytes.count
              && kinship_is_equal(start, decoded.baseAddress, bytes.count) != 0
          }
          return isUnchanged ? text : nil
        }
      }

      var blob: [UInt8] {
        guard let bytes = sqlite3_value_blob(value) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
      }
    }

    static func value(_ statement: OpaquePointer, _ index: Int32) -> SQLValue {
      let cell = Cell(statement, index)
      switch cell.type {
      case SQLITE_INTEGER: return .integer(cell.integer)
      case SQLITE_FLOAT: return .real(cell.real)
      // What is not UTF-8 is no text: it is given as the bytes that it is.
      case SQLITE_TEXT: return cell.text.map { .text($0) } ?? .blob(cell.blob)
      case SQLITE_BLOB: return .blob(cell.blob)
      default: return .null
      }
    }

    static func kind(_ statement: OpaquePointer, _ index: Int32) -> String {
      switch Cell(statement, index).type {
      case SQLITE_INTEGER: "INTEGER"
      case SQLITE_FLOAT: "REAL"
      case SQLITE_TEXT: "TEXT"
      case SQLITE_BLOB: "BLOB"
      default: "NULL"
      }
    }
  }
#endif
