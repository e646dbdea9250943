#if PostgreSQL
  import KinshipPostgreSQL
  import Testing

  struct PostgreSQLLibraryTests {
    /// Pipelines came with 14.
    @Test func `the system's library supports pipelines`() {
      #expect(PostgreSQLLibrary.version >= 140_000)
    }
  }
#endif
