#if SQLite
  import KinshipSQLite
  import Testing

  struct SQLiteLibraryTests {
    @Test func `the system has SQLite`() {
      #expect(SQLiteLibrary.version.hasPrefix("3."))
    }
  }
#endif
