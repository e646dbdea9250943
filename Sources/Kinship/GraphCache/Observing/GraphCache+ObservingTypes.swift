extension GraphCache {
  /// Observes the records of a type, as far as they are known.
  ///
  /// The first element comes at once, with the records in memory. Then there is an element when one
  /// is put or loaded that was not known, when one changes, and when one is removed. A record that
  /// is evicted stays in the value: it still exists, and that it is loaded again is no change.
  /// Nothing is loaded but what the observer has shown and what was invalidated since.
  ///
  /// ```swift
  /// for try await change in cache.observe(Person.self) {
  ///   index(change.diff.inserted, change.diff.updated.map(\.new))
  /// }
  /// ```
  ///
  /// The value is as large as what it shows. A consumer that does not come for very many changes is
  /// told their sum, compared record by record.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: The first element O(*n*) in the slots in use; another O(*m*) in the records that
  ///   have changed, unless you keep the value of the one before.
  @inlinable
  public nonisolated func observe<R: GraphRecord>(_ type: R.Type) -> TypeChanges<R> {
    TypeChanges(cache: self, TypeObservation(of: type))
  }

  /// Observes the records of all types, as far as they are known.
  ///
  /// The first element comes at once, with the records in memory. Then there is an element when one
  /// is put or loaded that was not known, when one changes, and when one is removed. A record that
  /// is evicted stays in the value: it still exists, and that it is loaded again is no change.
  ///
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: The first element O(*n*) in the slots in use; another O(*m*) in the records that
  ///   have changed, unless you keep the value of the one before.
  public nonisolated func observeAll() -> CacheChanges { CacheChanges(cache: self) }
}
