/// A subject that shows another one in a different form.
struct MappedSubject<Base: Subject, Value: Sendable, Diff: ObservedDifference>: Subject
where Base.Diff.Record == Diff.Record {
  private var base: Base
  private let map: @Sendable (ObservedChange<Base.Value, Base.Diff>) -> ObservedChange<Value, Diff>

  init(
    _ base: Base,
    _ map:
      @escaping @Sendable (ObservedChange<Base.Value, Base.Diff>) -> ObservedChange<Value, Diff>
  ) {
    (self.base, self.map) = (base, map)
  }

  var title: String { base.title }
  var type: String? { base.type }
  var related: [Observer] { base.related }
  var isBehind: Bool { base.isBehind }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, Diff>) {
    let (observer, change) = try await base.start(in: cache)
    return (observer, map(change))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Diff.Record>
  ) async throws -> ObservedChange<Value, Diff>? {
    try await base.next(observer, comparison).map(map)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await base.reload(in: cache, freshness)
  }
}
