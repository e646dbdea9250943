#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  /// The current row of a statement.
  final class SQLiteCells: SQLCells {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    @inline(__always)
    private func cell(_ position: Int) -> StoredColumn.Cell {
      StoredColumn.Cell(statement, Int32(truncatingIfNeeded: position))
    }

    func advance() throws -> Bool {
      let code = sqlite3_step(statement)
      if code == SQLITE_ROW { return true }
      if code == SQLITE_DONE { return false }
      let sql = sqlite3_sql(statement).map { String(cString: $0) }
      guard let database = sqlite3_db_handle(statement) else {
        throw SQLiteError.failed(
          code: code, name: ResultCode.name(of: code), message: "", sql: sql)
      }
      throw SQLiteError.last(of: database, code: code, sql: sql)
    }

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

    func value(at position: Int) -> SQLValue {
      StoredColumn.value(statement, Int32(truncatingIfNeeded: position))
    }

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
      guard let bytes = sqlite3_column_text(statement, index) else { return nil }
      let count = Int(sqlite3_column_bytes(statement, index))
      return ListParser(
        UnsafeBufferPointer(start: bytes, count: count), layout: layout, position: position)
    }
  }
#endif
