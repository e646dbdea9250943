/// The changes of a graph, as an asynchronous sequence.
///
/// Create it with ``GraphCache/observe(graphOf:_:)``. Each iterator observes independently, from
/// its first element to its last.
public struct GraphChanges<Root: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the graph.
  public typealias Element = GraphChange<Root>
  /// The error of a failed load.
  public typealias Failure = any Error

  let cache: GraphCache
  let root: Ref<Root>
  let plan: Plan<Root>?

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: ChangeIterator(GraphSubject(root: root, plan: plan), in: cache))
  }

  /// Observes the graph for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: ChangeIterator<GraphSubject<Root>>

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/graph(of:_:)``, except that a missing root is no error.
    ///   The sequence does not end: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> GraphChange<Root>? {
      try await base.next()
    }
  }
}

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
  ) async throws -> (Observer, GraphChange<Root>) {
    let (observer, walk) = try await cache.startObserver(of: root, plan)
    return (observer, graph.first(walk.graph, isPartial: walk.isPartial))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer
  ) async throws -> GraphChange<Root>? {
    graph.apply(await observer.cache.takeMarks(observer))
    guard graph.isOutOfDate else { return nil }
    guard graph.mustWalk else { return graph.next() }
    let (newest, marks) = try await observer.cache.graph(of: root, plan, for: observer)
    return graph.next(newest, marks)
  }
}
