#if PostgreSQL
  import CPostgreSQL

  /// The client library of PostgreSQL, libpq.
  public enum PostgreSQLLibrary {
    /// The version of the library as a number, such as 150018 for 15.18.
    public static var version: Int { Int(PQlibVersion()) }
  }
#endif
