#if PostgreSQL
  @_exported public import KinshipSQL

  /// How records of a type lie in a table of a PostgreSQL database.
  ///
  /// Dates lie in columns of moments and UUIDs in columns of UUIDs: formats are for databases that
  /// have no such columns.
  public typealias PostgreSQLTable = SQLTable
#endif
