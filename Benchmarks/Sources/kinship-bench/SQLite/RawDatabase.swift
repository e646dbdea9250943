import CSQLite

/// A connection through SQLite's C functions, as a program without any library would use it.
final class RawDatabase {
  let handle: OpaquePointer

  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw RawError(code: code, message: "\(path) cannot be opened")
    }
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  func prepare(_ sql: String) throws -> RawStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return RawStatement(statement, of: self)
  }

  /// Inserts rows in one transaction.
  func insert<Row>(
    _ rows: [Row], by statement: String, bind: (RawStatement, Row) -> Void
  ) throws {
    let insert = try prepare(statement)
    try transaction {
      for row in rows {
        bind(insert, row)
        _ = try insert.step()
        insert.reset()
      }
    }
  }

  /// Works in one transaction, which saves the lock of each statement.
  func transaction<Result>(
    _ begin: String = "BEGIN", _ work: () throws -> Result
  ) throws -> Result {
    try execute(begin)
    let result = try work()
    try execute("COMMIT")
    return result
  }

  func error(_ code: Int32) -> RawError {
    RawError(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}

struct RawError: Error, CustomStringConvertible {
  let code: Int32
  let message: String

  var description: String { "SQLite: \(message) (\(code))" }
}
