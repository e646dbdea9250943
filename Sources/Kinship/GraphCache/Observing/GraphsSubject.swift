/// The differences of several things that are observed together, by their positions.
public struct PartDiffs<Diff: ObservedDifference>: ObservedDifference {
  /// The records that may differ.
  public typealias Record = Diff.Record

  /// The differences of the parts that have changed.
  public let byPosition: [Int: Diff]
}

/// The graphs around roots, which are given or match a query, as one observer follows them.
struct GraphsSubject<Root: GraphRecord>: Subject {
  private struct Row: Sendable {
    var subject: GraphSubject<Root>
    let observer: Observer
    var graph: Graph<Root>?
    var isLoading: Bool
  }

  private let plan: Plan<Root>?
  /// The query that decides which roots there are, if they are not given.
  private var query: QuerySubject<Root>?
  private var ids: [Root.ID]
  private var rows: [Root.ID: Row] = [:]

  init(of roots: [Ref<Root>], _ plan: Plan<Root>?) {
    (ids, self.plan) = (roots.map { $0.id }, plan)
  }

  init(of query: RecordQuery<Root>, _ plan: Plan<Root>?) {
    (ids, self.plan) = ([], plan)
    self.query = QuerySubject(query)
  }

  var title: String { query.map { "the graphs of \($0.title)" } ?? "\(ids.count) graphs" }
  var type: String? { Root.recordName }
  var related: [Observer] { (query?.related ?? []) + rows.values.map(\.observer) }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[Graph<Root>?], PartDiffs<GraphDiff>>) {
    rows = [:]
    guard let (observer, roots) = try await query?.start(in: cache) else {
      return (cache.startObserver(.records([])), change(try await followRoots(in: cache)))
    }
    ids = roots.value.map { $0.id }
    return (observer, change(try await followRoots(in: cache)))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<any GraphRecord>
  ) async throws -> ObservedChange<[Graph<Root>?], PartDiffs<GraphDiff>>? {
    let old = ids
    if let roots = try await query?.next(observer, RecordComparison()) {
      ids = roots.value.map { $0.id }
    }
    var diffs = try await followRoots(in: observer.cache)
    for (id, var row) in rows where diffs[id] == nil {
      guard let change = try await row.subject.next(row.observer, comparison) else { continue }
      (row.graph, row.isLoading) = (change.value, change.isLoading)
      diffs[id] = change.diff
      rows[id] = row
    }
    return diffs.isEmpty && old == ids ? nil : change(diffs)
  }

  /// Follows the graphs of the current roots; returns the differences of those that are new.
  private nonisolated(nonsending) mutating func followRoots(
    in cache: GraphCache
  ) async throws -> [Root.ID: GraphDiff] {
    let kept = Set(ids)
    rows = rows.filter { kept.contains($0.key) }
    var diffs: [Root.ID: GraphDiff] = [:]
    for id in ids where rows[id] == nil {
      var subject = GraphSubject(root: Ref(id), plan: plan)
      let (observer, change) = try await subject.start(in: cache)
      rows[id] = Row(
        subject: subject, observer: observer, graph: change.value, isLoading: change.isLoading)
      diffs[id] = change.diff
    }
    return diffs
  }

  private func change(
    _ diffs: [Root.ID: GraphDiff]
  ) -> ObservedChange<[Graph<Root>?], PartDiffs<GraphDiff>> {
    var byPosition: [Int: GraphDiff] = [:]
    for (position, id) in ids.enumerated() { byPosition[position] = diffs[id] }
    return ObservedChange(
      value: ids.map { rows[$0]?.graph }, diff: PartDiffs(byPosition: byPosition),
      isLoading: rows.values.contains { $0.isLoading })
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var age = try await query?.reload(in: cache, freshness) ?? .zero
    for id in ids {
      age = max(age, try await cache.freshGraph(of: Ref(id), plan, freshness).age)
    }
    return age
  }
}
