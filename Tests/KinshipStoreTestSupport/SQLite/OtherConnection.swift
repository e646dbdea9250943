#if SQLite
  import CSQLite

  /// A connection of another program.
  final class OtherConnection {
    private var database: OpaquePointer?

    init(_ path: String) throws {
      try check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil))
    }

    deinit { sqlite3_close_v2(database) }

    func execute(_ sql: String) throws {
      try check(sqlite3_exec(database, sql, nil, nil, nil))
    }

    private func check(_ code: Int32) throws {
      if code != SQLITE_OK { throw Refusal(code: code) }
    }

    struct Refusal: Error { let code: Int32 }
  }
#endif
