#if SQLite
  import CSQLite

  /// The system's SQLite library.
  public enum SQLiteLibrary {
    /// Its version, such as `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
  }
#endif
