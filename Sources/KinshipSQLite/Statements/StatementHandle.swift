#if SQLite
  internal import CSQLite

  /// A prepared statement, finalised when this goes away.
  struct StatementHandle: ~Copyable {
    let pointer: OpaquePointer

    deinit { sqlite3_finalize(pointer) }
  }
#endif
