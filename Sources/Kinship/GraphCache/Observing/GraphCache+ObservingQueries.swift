extension GraphCache {
  /// Observes the answer to a query.
  ///
  /// The first element comes once the query is answered. Then there is an element whenever the
  /// answer is another: with the newest one, and which records have come, gone, changed or moved,
  /// by their positions and themselves. What pending writes show counts, and is taken back with
  /// them.
  ///
  /// ```swift
  /// for try await change in cache.observe(.long(rock).limited(to: 20)) {
  ///   table.apply(change.diff)
  /// }
  /// ```
  ///
  /// Of a limited answer some records more are held than are shown; when these have moved up, what
  /// comes after them is fetched by its key. Changes that nobody tells the cache of are not seen:
  /// invalidate what they may have altered, and it is asked for anew. That a record is evicted is
  /// no change.
  ///
  /// Conditions on related records are followed as queries of their own, each with an observer:
  /// when they lead to others, the query is asked anew.
  ///
  /// - Parameter query: The query.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: A change that concerns no record of the answer costs one test of the filter; one
  ///   that does O(log *n*) comparisons, and moving some hundred records. A limited answer is
  ///   compared as a whole. The records of the answer are kept in memory, beside the cache's own
  ///   limits.
  public nonisolated func observe<R: GraphRecord>(_ query: RecordQuery<R>) -> QueryChanges<R> {
    QueryChanges(cache: self, query: query)
  }
}
