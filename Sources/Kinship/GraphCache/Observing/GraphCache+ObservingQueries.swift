extension GraphCache {
  /// Observes the result of a query.
  ///
  /// The first element arrives when the query is answered. After that there is an element whenever
  /// the result changes, with the newest result and the records that were inserted, removed,
  /// changed or moved, each with its position. Pending writes count, and their changes are undone
  /// if they are rolled back.
  ///
  /// ```swift
  /// for try await change in cache.observe(.long(rock).limited(to: 20)) {
  ///   table.apply(change.diff)
  /// }
  /// ```
  ///
  /// For a query with a limit, the observer holds a few more records than it shows. When these have
  /// moved up, it fetches the records after them by key. The observer does not see changes that the
  /// cache does not know of: invalidate the records that may have changed, and the query is
  /// repeated. An eviction is not a change.
  ///
  /// Conditions on related records are observed as queries of their own, each with its own
  /// observer. If one of them changes its result, the query is repeated.
  ///
  /// - Parameter query: The query.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: A change that concerns no record of the result costs one test of the filter. A
  ///   change that does costs O(log *n*) comparisons, and moving a few hundred records. A limited
  ///   result is compared as a whole. The records of the result are kept in memory in addition to
  ///   the cache's own limits.
  public nonisolated func observe<R: GraphRecord>(
    _ query: RecordQuery<R>
  ) -> Changes<RecordList<R>, ListDiff<R>> {
    Changes(QuerySubject(query), in: self)
  }
}
