#if PostgreSQL
  @_exported public import KinshipSQL

  /// The mapping of a record type to a table of a PostgreSQL database.
  ///
  /// Columns hold dates and UUIDs in PostgreSQL's own types. Formats are for databases without such
  /// types.
  public typealias PostgreSQLTable = SQLTable
#endif
