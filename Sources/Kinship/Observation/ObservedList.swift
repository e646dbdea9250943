/// A list of records as an observer follows it: decides what is worth an element.
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

  /// Goes on with another list; what is new in it must be marked next.
  mutating func follow(_ ids: [R.ID]) {
    if ids == self.ids { return }
    self.ids = ids
    isReordered = true
    records.follow(Set(ids))
  }

  /// The first element, at once: with what is there.
  ///
  /// - Parameter isLoading: Whether it is not even known what the list is.
  /// - Returns: The element.
  mutating func first(isLoading: Bool = false) -> ListChange<R> {
    let newest = newest
    return show(
      newest, ListDiff(from: [], to: newest) { _, _ in false },
      isLoading: isLoading || !records.unknown.isEmpty)
  }

  /// The next element, if there is anything to tell.
  @inlinable
  mutating func next(_ comparison: RecordComparison<R>) -> ListChange<R>? {
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
  ) -> ListChange<R> {
    shown = newest
    wasLoading = isLoading
    isReordered = false
    records.noteShown()
    return ListChange(value: shown, diff: diff, isLoading: isLoading)
  }
}
