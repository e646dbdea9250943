#if SQLite
  public import KinshipSQL

  /// Whether a database logs its changes.
  public enum SQLiteTracking: Hashable, Sendable {
    /// The log contains all changes of the store's tables and lists.
    case complete
    /// There is no log.
    case absent
    /// There is a log, but it is incomplete: these parts, by name, are missing or outdated.
    case incomplete(lacking: [String])
    /// There cannot be a log, for the given reason.
    case impossible(SQLMappingError)
  }
#endif
