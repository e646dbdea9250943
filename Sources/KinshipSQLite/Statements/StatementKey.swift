#if SQLite
  /// The purpose of a prepared statement, to find it without building its text.
  enum StatementKey: Hashable {
    /// Fetches rows by ids, of which the number is a power of two.
    case fetch(table: Int, log2: Int)
    /// Fetches rows by the ids of an `IDList`.
    case fetchListed(table: Int)
    case delete(table: Int, log2: Int)
    case update(table: Int, columns: [Int], isVersioned: Bool)
    case insert(table: Int, columns: [Int])
    case text(String)
  }
#endif
