#if SQLite
  internal import CSQLite

  /// An open database, closed when this goes away.
  struct DatabaseHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Opens a database.
    ///
    /// One connection is used by one actor only, so SQLite need not lock at each call.
    init(_ name: String, flags: Int32) throws(SQLiteError) {
      var opened: OpaquePointer?
      let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
      guard code == SQLITE_OK, let opened else {
        let extended = opened.map { sqlite3_extended_errcode($0) } ?? code
        let message = String(cString: opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        sqlite3_close_v2(opened)
        throw .failed(
          code: extended, name: ResultCode.name(of: extended), message: message, sql: nil)
      }
      sqlite3_extended_result_codes(opened, 1)
      pointer = opened
    }

    /// A connection with statements that are not finalised yet is closed with the last of them.
    deinit { sqlite3_close_v2(pointer) }
  }
#endif
