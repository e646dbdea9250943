#if SQLite
  @_exported public import KinshipSQL

  /// The mapping of a record type to a table of a SQLite database.
  public typealias SQLiteTable = SQLTable
#endif
