#if SQLite
  @_exported public import KinshipSQL

  /// How records of a type lie in a table of a SQLite database.
  public typealias SQLiteTable = SQLTable
#endif
