/// The changes of a graph, as an asynchronous sequence.
///
/// It is made by ``GraphCache/observe(graphOf:_:)``. Each iteration is an observer of its own, from its
/// first element to its last.
public struct GraphChanges<Root: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the graph.
  public typealias Element = GraphChange<Root>
  /// A load may fail.
  public typealias Failure = any Error

  let cache: GraphCache
  let root: Ref<Root>
  let plan: Plan<Root>?

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(cache: cache, root: root, plan: plan) }

  /// Observes the graph for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    let cache: GraphCache
    let root: Ref<Root>
    let plan: Plan<Root>?
    private var graph: ObservedGraph<Root>
    private var observer: Observer?
    private var isFinished = false

    init(cache: GraphCache, root: Ref<Root>, plan: Plan<Root>?) {
      self.cache = cache
      self.root = root
      self.plan = plan
      graph = ObservedGraph()
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/graph(of:_:)`` throws, but that a missing root is no error. The
    ///   sequence does not end by it: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> GraphChange<Root>? {
      if isFinished || Task.isCancelled { return finish() }
      do {
        guard let observer else {
          let (observer, walk) = try await cache.startObserver(of: root, plan)
          self.observer = observer
          return graph.first(walk.graph, isPartial: walk.isPartial)
        }
        while true {
          graph.apply(await cache.takeMarks(observer))
          if graph.isOutOfDate {
            let (newest, marks) = try await cache.graph(of: root, plan, for: observer)
            if let change = graph.next(newest, marks) { return change }
            continue
          }
          guard await cache.waitForChange(observer) else { return finish() }
        }
      } catch is CancellationError {
        return finish()
      }
    }

    /// Leaves nothing behind.
    private mutating func finish() -> GraphChange<Root>? {
      isFinished = true
      observer = nil
      return nil
    }
  }
}
