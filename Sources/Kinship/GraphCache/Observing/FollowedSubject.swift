/// A subject that another one follows, with its observer and its newest value.
struct FollowedSubject<Value: Sendable, Diff: ObservedDifference>: Sendable {
  private(set) var subject: any Subject<Value, Diff>
  private var observer: Observer?
  /// The newest value; `nil` until it is followed.
  private(set) var value: Value?
  private(set) var isLoading = false

  init(_ subject: any Subject<Value, Diff>) { self.subject = subject }

  /// The observers whose news concern it, its own among them.
  var observers: [Observer] { subject.related + (observer.map { [$0] } ?? []) }

  /// Begins to follow the subject, or applies its news.
  ///
  /// - Returns: The change, or `nil` if nothing is new.
  nonisolated(nonsending) mutating func next(
    in cache: GraphCache, _ comparison: RecordComparison<Diff.Record> = RecordComparison()
  ) async throws -> ObservedChange<Value, Diff>? {
    let change: ObservedChange<Value, Diff>?
    if let observer {
      change = try await subject.next(observer, comparison)
    } else {
      let (observer, first) = try await subject.start(in: cache)
      self.observer = observer
      change = first
    }
    if let change { (value, isLoading) = (change.value, change.isLoading) }
    return change
  }
}
