extension GraphCache {
  /// Observes the known records of a type.
  ///
  /// The first element arrives at once, with the records in memory. After that there is an element
  /// when an unknown record is put or loaded, when a record changes, and when one is removed. An
  /// evicted record stays in the value, because it still exists, and reloading it is not a change.
  /// The observer loads only records that it has shown and that were invalidated since.
  ///
  /// ```swift
  /// for try await change in cache.observe(Person.self) {
  ///   index(change.diff.inserted, change.diff.updated.map(\.new))
  /// }
  /// ```
  ///
  /// The value is as large as the records that it shows. A consumer that has missed very many
  /// changes gets their sum, compared record by record.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: The first element costs O(*n*) in the slots in use. Each further element costs
  ///   O(*m*) in the changed records, unless you keep the previous element's value.
  @inlinable
  public nonisolated func observe<R: GraphRecord>(
    _ type: R.Type
  ) -> Changes<[R.ID: R], RecordDiff<R>> {
    changes(of: TypeObservation(of: type))
  }

  @usableFromInline
  nonisolated func changes<R: GraphRecord>(
    of observation: TypeObservation<R>
  ) -> Changes<[R.ID: R], RecordDiff<R>> {
    Changes(ScopeSubject(TypeScope(observation: observation)), in: self)
  }

  /// Observes the known records of all types.
  ///
  /// The first element arrives at once, with the records in memory. After that there is an element
  /// when an unknown record is put or loaded, when a record changes, and when one is removed. An
  /// evicted record stays in the value, because it still exists, and reloading it is not a change.
  ///
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: The first element costs O(*n*) in the slots in use. Each further element costs
  ///   O(*m*) in the changed records, unless you keep the previous element's value.
  public nonisolated func observeAll() -> Changes<[AnyRef: any GraphRecord], GraphDiff> {
    Changes(ScopeSubject(AllTypesScope()), in: self)
  }
}
