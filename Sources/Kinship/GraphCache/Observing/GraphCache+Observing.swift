extension GraphCache {
  /// Observes a record.
  ///
  /// The first element comes at once, with the record if it is in memory; if not, it says that it
  /// is loading, and the record follows. Then there is an element for each change, with the newest
  /// value: who is slow skips what was in between.
  ///
  /// ```swift
  /// for try await change in cache.observe(ref) {
  ///   show(change.value?.name)
  /// }
  /// ```
  ///
  /// That a record is evicted is no change. After it was invalidated it is loaded again, and there
  /// is an element if it differs.
  ///
  /// - Parameter ref: The ref that names the record, which need not be in memory nor exist.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: A change costs O(1) on average for each observer of the record.
  @inlinable
  public nonisolated func observe<R: GraphRecord>(_ ref: Ref<R>) -> RecordChanges<R> {
    RecordChanges(list: observe([ref]))
  }

  /// Observes a list of records.
  ///
  /// The first element comes at once, with the records in memory; if some are not, it says that it
  /// is loading, and the complete list follows. Then there is an element for each change, with the
  /// newest list of one version and how it differs from the one told before.
  ///
  /// - Parameter refs: The refs that name the records, which need not be in memory nor exist.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: A change costs O(1) on average for each observer of the record; an element
  ///   O(*n*) in the list.
  @inlinable
  public nonisolated func observe<R: GraphRecord>(_ refs: [Ref<R>]) -> ListChanges<R> {
    ListChanges(cache: self, ids: refs.map { $0.id }, ListObservation(of: R.self))
  }

  /// Observes the records that a to-many relationship of a record leads to.
  ///
  /// There is an element for each change of the related records and of which they are: the list has
  /// the order of the refs. It is empty if the record does not exist.
  ///
  /// ```swift
  /// for try await change in cache.observe(ref, \.events) {
  ///   for move in change.diff.moved { moveRow(move.from, to: move.to) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record, which need not be in memory nor exist.
  ///   - path: The property that holds the refs.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: A change costs O(1) on average for each observer of the record; an element
  ///   O(*n*) in the related records.
  public nonisolated func observe<R: GraphRecord, T: GraphRecord>(
    _ ref: Ref<R>, _ path: any KeyPath<R, [Ref<T>]> & Sendable
  ) -> RelatedChanges<R, T> {
    RelatedChanges(cache: self, source: ref.id) { $0[keyPath: path] }
  }

  /// Observes the record that an optional to-one relationship of a record leads to.
  ///
  /// The list has one record, or none if there is no ref, or one of the two records does not exist.
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record, which need not be in memory nor exist.
  ///   - path: The property that holds the optional ref.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: A change costs O(1) on average for each observer of the records.
  public nonisolated func observe<R: GraphRecord, T: GraphRecord>(
    _ ref: Ref<R>, _ path: any KeyPath<R, Ref<T>?> & Sendable
  ) -> RelatedChanges<R, T> {
    RelatedChanges(cache: self, source: ref.id) { $0[keyPath: path].map { [$0] } ?? [] }
  }

  /// Observes the record that a to-one relationship of a record leads to.
  ///
  /// The list has one record, or none if one of the two records does not exist.
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record, which need not be in memory nor exist.
  ///   - path: The property that holds the ref.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: A change costs O(1) on average for each observer of the records.
  public nonisolated func observe<R: GraphRecord, T: GraphRecord>(
    _ ref: Ref<R>, _ path: any KeyPath<R, Ref<T>> & Sendable
  ) -> RelatedChanges<R, T> {
    RelatedChanges(cache: self, source: ref.id) { [$0[keyPath: path]] }
  }
}
