/// The state of an observed list of records: decides whether to notify the observer.
@usableFromInline
struct ObservedList<R: GraphRecord>: Sendable {
  @usableFromInline var ids: [R.ID]
  @usableFromInline var records: TrackedRecords<R.ID, R>
  @usableFromInline var shown: [R] = []
  @usableFromInline var wasLoading = false
  @usableFromInline var isReordered = false

  init(_ ids: [R.ID]) {
    self.ids = ids
    records = TrackedRecords(Set(ids))
  }

  @inlinable
  mutating func apply(_ marks: Marks<R.ID, R>) { records.apply(marks) }

  /// Continues with another list; mark its new records next.
  mutating func follow(_ ids: [R.ID]) {
    if ids == self.ids { return }
    self.ids = ids
    isReordered = true
    records.follow(Set(ids))
  }

  /// Returns the first element, immediately, from memory.
  ///
  /// - Parameter isLoading: Whether even the list itself is not known yet.
  /// - Returns: The element.
  mutating func first(isLoading: Bool = false) -> ObservedChange<[R], ListDiff<R>> {
    let newest = newest
    return show(
      newest, ListDiff(from: [], to: newest) { _, _ in false },
      isLoading: isLoading || !records.unknown.isEmpty)
  }

  /// Returns the next element, if there is a difference.
  @inlinable
  mutating func next(_ comparison: RecordComparison<R>) -> ObservedChange<[R], ListDiff<R>>? {
    if records.shown.isEmpty, !isReordered, !wasLoading { return nil }
    let (newest, written) = (newest, records.written)
    var counts = wasLoading
    let diff = ListDiff(from: shown, to: newest) { old, new in
      guard comparison.isUpdate(old, new, wasWritten: written.contains(old.id)) else {
        return false
      }
      counts = counts || comparison.counts(old, new)
      return true
    }
    counts =
      counts || !diff.inserted.isEmpty || !diff.removed.isEmpty || !diff.moved.isEmpty
    return counts ? show(newest, diff, isLoading: false) : nil
  }

  @inlinable var newest: [R] { ids.compactMap { records.latest[$0] } }

  @inlinable
  mutating func show(
    _ newest: [R], _ diff: ListDiff<R>, isLoading: Bool
  ) -> ObservedChange<[R], ListDiff<R>> {
    shown = newest
    wasLoading = isLoading
    isReordered = false
    records.markShown()
    return ObservedChange(value: shown, diff: diff, isLoading: isLoading)
  }
}
