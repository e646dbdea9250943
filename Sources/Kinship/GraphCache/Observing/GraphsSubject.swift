/// The differences of several things that are observed together, by their positions.
public struct PartDiffs<Diff: ObservedDifference>: ObservedDifference {
  /// The records that may differ.
  public typealias Record = Diff.Record

  /// The differences of the parts that have changed.
  public let byPosition: [Int: Diff]
}

/// The graphs around roots, which are given or match a query, as one observer follows them.
struct GraphsSubject<Root: GraphRecord>: Subject {
  private let plan: Plan<Root>?
  /// The query that decides which roots there are, if they are not given.
  private var query: FollowedSubject<ResultList<Root>, ListDiff<Root>>?
  private var ids: [Root.ID]
  private var graphs: [Root.ID: FollowedSubject<Graph<Root>?, GraphDiff>] = [:]

  init(of roots: [Ref<Root>], _ plan: Plan<Root>?) {
    (ids, self.plan) = (roots.map { $0.id }, plan)
  }

  init(of query: RecordQuery<Root>, _ plan: Plan<Root>?) {
    (ids, self.plan) = ([], plan)
    self.query = FollowedSubject(QuerySubject(query))
  }

  var title: String { query.map { "the graphs of \($0.subject.title)" } ?? "\(ids.count) graphs" }
  var type: String? { Root.recordName }
  var related: [Observer] { (query?.observers ?? []) + graphs.values.flatMap { $0.observers } }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[Graph<Root>?], PartDiffs<GraphDiff>>) {
    graphs = [:]
    let observer = cache.startObserver(.records([]))
    let change = try await next(observer, RecordComparison())
    return (observer, change ?? self.change([:]))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<any GraphRecord>
  ) async throws -> ObservedChange<[Graph<Root>?], PartDiffs<GraphDiff>>? {
    let (cache, old) = (observer.cache, ids)
    if let roots = try await query?.next(in: cache) { ids = roots.value.map { $0.id } }
    let kept = Set(ids)
    graphs = graphs.filter { kept.contains($0.key) }
    var diffs: [Root.ID: GraphDiff] = [:]
    for id in ids where diffs[id] == nil {
      if graphs[id] == nil {
        graphs[id] = FollowedSubject(GraphSubject(root: Ref(id), plan: plan))
      }
      diffs[id] = try await graphs[id]?.next(in: cache, comparison)?.diff
    }
    return diffs.isEmpty && old == ids ? nil : change(diffs)
  }

  private func change(
    _ diffs: [Root.ID: GraphDiff]
  ) -> ObservedChange<[Graph<Root>?], PartDiffs<GraphDiff>> {
    var byPosition: [Int: GraphDiff] = [:]
    for (position, id) in ids.enumerated() { byPosition[position] = diffs[id] }
    return ObservedChange(
      value: ids.map { graphs[$0]?.value ?? nil }, diff: PartDiffs(byPosition: byPosition),
      isLoading: graphs.values.contains { $0.isLoading })
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var age = try await query?.subject.reload(in: cache, freshness) ?? .zero
    for id in ids {
      age = max(age, try await cache.freshGraph(of: Ref(id), plan, freshness).age)
    }
    return age
  }
}
