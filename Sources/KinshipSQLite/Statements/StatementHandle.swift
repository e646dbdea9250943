#if SQLite
  internal import CSQLite

  /// A prepared statement, finalised when the handle is destroyed.
  struct StatementHandle: ~Copyable {
    let pointer: OpaquePointer

    deinit { sqlite3_finalize(pointer) }
  }
#endif
