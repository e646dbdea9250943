/// A subject that shows another one in a different form.
struct MappedSubject<Base: Subject, Value: Sendable, Diff: ObservedDifference>: Subject
where Base.Diff.Record == Diff.Record {
  /// Returns a change in the other form, for a change of the base and the last value.
  typealias Map =
    @Sendable (ObservedChange<Base.Value, Base.Diff>, Value?) -> ObservedChange<Value, Diff>

  private var base: Base
  private var last: Value?
  private let map: Map

  init(_ base: Base, _ map: @escaping Map) { (self.base, self.map) = (base, map) }

  var title: String { base.title }
  var type: String? { base.type }
  var related: [Observer] { base.related }
  var isBehind: Bool { base.isBehind }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, Diff>) {
    last = nil
    let (observer, change) = try await base.start(in: cache)
    return (observer, show(change))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Diff.Record>
  ) async throws -> ObservedChange<Value, Diff>? {
    try await base.next(observer, comparison).map { show($0) }
  }

  private mutating func show(
    _ change: ObservedChange<Base.Value, Base.Diff>
  ) -> ObservedChange<Value, Diff> {
    let shown = map(change, last)
    last = shown.value
    return shown
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await base.reload(in: cache, freshness)
  }
}

extension MappedSubject
where Base.Value: Collection, Value == Base.Value.Element?, Diff == Base.Diff {
  /// Creates a subject that shows the first element of a list.
  init(firstOf base: Base) {
    self.init(base) { change, _ in
      ObservedChange(value: change.value.first, diff: change.diff, isLoading: change.isLoading)
    }
  }
}
