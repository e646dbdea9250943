#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  /// The current row of a statement.
  final class SQLiteCells: SQLCells {
    private let statement: Statement
    private let pointer: OpaquePointer

    init(_ statement: Statement) {
      self.statement = statement
      pointer = statement.pointer
    }

    @inline(__always)
    private func cell(_ position: Int) -> StoredCell {
      StoredCell(pointer, Int32(truncatingIfNeeded: position))
    }

    func advance() throws -> Bool { try statement.step() }

    func isNull(at position: Int) -> Bool { cell(position).type == SQLITE_NULL }

    func integer(at position: Int) -> Int64? {
      let cell = cell(position)
      return cell.type == SQLITE_INTEGER ? cell.integer : nil
    }

    func real(at position: Int) -> Double? {
      let cell = cell(position)
      switch cell.type {
      case SQLITE_FLOAT: return cell.real
      case SQLITE_INTEGER: return Double(exactly: cell.integer)
      default: return nil
      }
    }

    func text(at position: Int) -> String? {
      let cell = cell(position)
      return cell.type == SQLITE_TEXT ? cell.text : nil
    }

    func value(at position: Int) -> SQLValue { cell(position).stored }

    func kind(at position: Int) -> String {
      let kind: SQLKind =
        switch cell(position).type {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
      return kind.rawValue
    }

    func list(at position: Int, _ layout: RowLayout) -> (any ListSource)? {
      let index = Int32(truncatingIfNeeded: position)
      guard let bytes = sqlite3_column_text(pointer, index) else { return nil }
      let count = Int(sqlite3_column_bytes(pointer, index))
      return ListParser(
        bytes: UnsafeBufferPointer(start: bytes, count: count), layout: layout, position: position)
    }
  }

  /// The content of a column of a statement's current row, without conversion, valid until the
  /// statement's next step.
  ///
  /// It looks the column up once, as an object to query. SQLite does no more on a connection that
  /// only one task uses at a time.
  struct StoredCell {
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

    private var blob: [UInt8] {
      guard let bytes = sqlite3_value_blob(value) else { return [] }
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }

    var stored: SQLValue {
      switch type {
      case SQLITE_INTEGER: .integer(integer)
      case SQLITE_FLOAT: .real(real)
      // Bytes that are not UTF-8 are returned as a blob.
      case SQLITE_TEXT: text.map { .text($0) } ?? .blob(blob)
      case SQLITE_BLOB: .blob(blob)
      default: .null
      }
    }
  }
#endif
