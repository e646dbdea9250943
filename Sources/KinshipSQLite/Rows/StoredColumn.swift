#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  /// Reads the columns of a statement's current row, without conversion.
  ///
  /// It looks a column up once, as an object to query. SQLite does no more on a connection that
  /// only one task uses at a time.
  enum StoredColumn {
    /// The content of a column, valid until the statement's next step.
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
          // Decoding replaces invalid UTF-8. It is several times as fast as the validating
          // initialiser, which is not specialised.
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
      // Bytes that are not UTF-8 are returned as a blob.
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
