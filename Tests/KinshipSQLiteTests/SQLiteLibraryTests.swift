#if SQLite
  import KinshipSQLite
  import Testing

  struct SQLiteLibraryTests {
    @Test func theSystemHasSQLite() {
      #expect(SQLiteLibrary.version.hasPrefix("3."))
    }
  }
#endif
