extension GraphCache {
  /// Observes a record.
  ///
  /// The first element arrives at once, with the record if it is in memory. If not, the element
  /// says that it is loading, and the record follows. After that there is an element for each
  /// change, with the newest value: a slow consumer skips the values in between.
  ///
  /// ```swift
  /// for try await change in cache.observe(ref) {
  ///   show(change.value?.name)
  /// }
  /// ```
  ///
  /// An eviction is not a change. A record that was invalidated is reloaded, and there is an
  /// element if it differs.
  ///
  /// - Parameter ref: A ref to the record, which need not be in memory or exist.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: A change costs O(1) on average for each observer of the record.
  @inlinable
  public nonisolated func observe<R: GraphRecord>(
    _ ref: Ref<R>
  ) -> Changes<R?, RecordChange<R>> {
    changes(of: ref.id, ListObservation(of: R.self))
  }

  /// Observes a list of records.
  ///
  /// The first element arrives at once, with the records in memory. If some are missing, the
  /// element says that it is loading, and the complete list follows. After that there is an element
  /// for each change, with the newest list, which shows one version, and the difference from the
  /// previous element.
  ///
  /// - Parameter refs: Refs to the records, which need not be in memory or exist.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: A change costs O(1) on average for each observer of the record; an element
  ///   O(*n*) in the list.
  @inlinable
  public nonisolated func observe<R: GraphRecord>(
    _ refs: [Ref<R>]
  ) -> Changes<[R], ListDiff<R>> {
    changes(of: refs.map { $0.id }, ListObservation(of: R.self))
  }

  @usableFromInline
  nonisolated func changes<R: GraphRecord>(
    of id: R.ID, _ observation: ListObservation<R>
  ) -> Changes<R?, RecordChange<R>> {
    Changes(RecordSubject(list: ListSubject([id], observation)), in: self)
  }

  @usableFromInline
  nonisolated func changes<R: GraphRecord>(
    of ids: [R.ID], _ observation: ListObservation<R>
  ) -> Changes<[R], ListDiff<R>> {
    Changes(ListSubject(ids, observation), in: self)
  }

  /// Observes the records that a to-many relationship of a record refers to.
  ///
  /// There is an element for each change of the related records, and for each change of the refs.
  /// The list has the order of the refs, and is empty if the record does not exist.
  ///
  /// ```swift
  /// for try await change in cache.observe(ref, \.events) {
  ///   for move in change.diff.moved { moveRow(move.from, to: move.to) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - ref: A ref to the record, which need not be in memory or exist.
  ///   - path: The property that holds the refs.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: A change costs O(1) on average for each observer of the record; an element
  ///   O(*n*) in the related records.
  public nonisolated func observe<R: GraphRecord, T: GraphRecord>(
    _ ref: Ref<R>, _ path: any KeyPath<R, [Ref<T>]> & Sendable
  ) -> Changes<[T], ListDiff<T>> {
    relatedChanges(of: ref) { $0[keyPath: path] }
  }

  /// Observes the record that an optional to-one relationship of a record refers to.
  ///
  /// The list has one record. It is empty if there is no ref, or if one of the two records does not
  /// exist.
  ///
  /// - Parameters:
  ///   - ref: A ref to the record, which need not be in memory or exist.
  ///   - path: The property that holds the optional ref.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: A change costs O(1) on average for each observer of the records.
  public nonisolated func observe<R: GraphRecord, T: GraphRecord>(
    _ ref: Ref<R>, _ path: any KeyPath<R, Ref<T>?> & Sendable
  ) -> Changes<[T], ListDiff<T>> {
    relatedChanges(of: ref) { $0[keyPath: path].map { [$0] } ?? [] }
  }

  /// Observes the record that a to-one relationship of a record refers to.
  ///
  /// The list has one record. It is empty if one of the two records does not exist.
  ///
  /// - Parameters:
  ///   - ref: A ref to the record, which need not be in memory or exist.
  ///   - path: The property that holds the ref.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: A change costs O(1) on average for each observer of the records.
  public nonisolated func observe<R: GraphRecord, T: GraphRecord>(
    _ ref: Ref<R>, _ path: any KeyPath<R, Ref<T>> & Sendable
  ) -> Changes<[T], ListDiff<T>> {
    relatedChanges(of: ref) { [$0[keyPath: path]] }
  }

  private nonisolated func relatedChanges<R: GraphRecord, T: GraphRecord>(
    of ref: Ref<R>, _ refs: @escaping @Sendable (R) -> [Ref<T>]
  ) -> Changes<[T], ListDiff<T>> {
    Changes(RelationshipSubject(ref.id, refs), in: self)
  }
}
