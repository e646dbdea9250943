#if SQLite
  /// What a prepared statement is for: found without making its text again.
  enum StatementKey: Hashable {
    /// The rows with ids, so many as a power of two.
    case fetch(table: Int, log2: Int)
    /// The rows with the ids of an `IDList`.
    case fetchListed(table: Int)
    case delete(table: Int, log2: Int)
    case update(table: Int, columns: [Int], isVersioned: Bool)
    case insert(table: Int, columns: [Int])
    case text(String)
  }
#endif
