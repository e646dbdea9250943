#if SQLite
  internal import CSQLite

  /// An open database, closed when the handle is destroyed.
  struct DatabaseHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Opens a database.
    ///
    /// Only one actor uses a connection, so SQLite need not lock at each call.
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

    /// SQLite closes a connection with unfinalised statements together with the last of them.
    deinit { sqlite3_close_v2(pointer) }
  }
#endif
