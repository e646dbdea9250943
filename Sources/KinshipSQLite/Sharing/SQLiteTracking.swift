#if SQLite
  public import KinshipSQL

  /// Whether a database keeps a log of what is changed in it.
  public enum SQLiteTracking: Hashable, Sendable {
    /// The log tells of all changes of the store's tables and lists.
    case complete
    /// There is no log.
    case absent
    /// There is a log, but it does not tell of everything: what is missing or outdated, by name.
    case incomplete(lacking: [String])
    /// There can be none: why.
    case impossible(SQLMappingError)
  }
#endif
