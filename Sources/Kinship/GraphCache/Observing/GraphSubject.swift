/// A graph, as an observer follows it.
struct GraphSubject<Root: GraphRecord>: Subject {
  let root: Ref<Root>
  let plan: Plan<Root>?
  private var graph = ObservedGraph<Root>()

  init(root: Ref<Root>, plan: Plan<Root>?) {
    self.root = root
    self.plan = plan
  }

  var title: String { "the graph of \(root)" }
  var type: String? { Root.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Graph<Root>?, GraphDiff>) {
    let (observer, walk) = try await cache.startObserver(of: root, plan)
    return (observer, graph.first(walk.graph, isPartial: walk.isPartial))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<any GraphRecord>
  ) async throws -> ObservedChange<Graph<Root>?, GraphDiff>? {
    graph.apply(await observer.cache.drainMarksOnActor(observer))
    guard graph.isOutOfDate else { return nil }
    guard graph.mustWalk else { return graph.next() }
    let (newest, marks) = try await observer.cache.graph(of: root, plan, for: observer)
    return graph.next(newest, marks)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await cache.freshGraph(of: root, plan, freshness).age
  }
}
