extension GraphCache {
  /// Loads a graph of records around a root.
  ///
  /// What is in memory is used; the rest is loaded generation by generation, with one call to the
  /// store for each record type in a generation (more where ``FetchLimits/batchSize`` says so). The
  /// graph shows one committed version, however many loads it took.
  ///
  /// - Parameters:
  ///   - root: The ref that names the root.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  /// - Returns: The graph.
  /// - Throws: `KinshipError.missing` if the root does not exist, `.fetchFailed` with the cause if
  ///   the store fails, and with the id if it cannot read one record, `.unexpectedRecord` if its
  ///   answer is wrong, `.unknownType` or `.unknownRelationship` if the plan does not fit the
  ///   schema, and `CancellationError` at once when the task is cancelled.
  /// - Complexity: O(*n*) in the graph's records and the refs that the plan follows.
  public func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil
  ) async throws -> Graph<Root> {
    try await Graph(traverse([leg(from: root, plan, generation: 0)]).storage)
  }

  /// Loads those of the records around a root that can be loaded.
  ///
  /// ```swift
  /// let family = try await cache.partialGraph(of: Ref<Person>(42), .generations(3))
  /// for (ref, error) in family.failures {
  ///   show("\(ref) is left out: \(error)")
  /// }
  /// ```
  ///
  /// It does what ``graph(of:_:)`` does, but that a record which cannot be loaded is left out
  /// instead of being an error: it is unloaded, and ``Graph/failures`` says why.
  ///
  /// - Parameters:
  ///   - root: The ref that names the root.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  /// - Returns: The graph. What it grows into by ``expand(_:from:_:)`` may be partial too.
  /// - Throws: What ``graph(of:_:)`` throws; `KinshipError.fetchFailed` and `.unexpectedRecord`
  ///   only if the root itself cannot be loaded.
  /// - Complexity: That of ``graph(of:_:)``. What cannot be loaded is asked for once.
  public func partialGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil
  ) async throws -> Graph<Root> {
    try await Graph(
      traverse([leg(from: root, plan, generation: 0)], bearsFailures: true).storage)
  }

  /// Loads more around a record of a graph, or of its horizon.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - ref: Where to go on: a record of the graph, or one that its records refer to.
  ///   - plan: What to load from there; by default all relationships, as far as the cache's
  ///     `generations` say.
  /// - Returns: A graph with the same root that holds what the graph's plan and the new one lead
  ///   to, at the version of this moment. The given graph stays as it is.
  /// - Throws: `KinshipError.unrelated` if the graph neither holds the ref nor refers to it, and
  ///   what ``graph(of:_:)`` throws.
  /// - Complexity: O(*n*) in the larger graph's records, and their refs.
  public func expand<Root: GraphRecord, R: GraphRecord>(
    _ graph: Graph<Root>, from ref: Ref<R>, _ plan: Plan<R>? = nil
  ) async throws -> Graph<Root> {
    guard let generation = graph.generationOfExpansion(from: AnyRef(ref)) else {
      throw KinshipError.unrelated(AnyRef(ref))
    }
    var legs: [Traversal.Leg] = []
    // The graph may come from another cache, whose schema numbers its types otherwise.
    for leg in graph.storage.legs { legs.append(try leg.remade(schema)) }
    legs.append(try leg(from: ref, plan, generation: generation))
    return try await Graph(traverse(legs, bearsFailures: graph.storage.bearsFailures).storage)
  }

  nonisolated func leg<R: GraphRecord>(
    from ref: Ref<R>, _ plan: Plan<R>?, generation: Int
  ) throws(KinshipError) -> Traversal.Leg {
    try Traversal.Leg(
      from: ref, plan ?? .generations(generations), generation: generation, schema: schema)
  }

  /// A finished walk.
  struct Walk {
    let storage: GraphStorage
    /// The version that it shows.
    let version: UInt64
    /// Whether it left out what is not in memory.
    let isPartial: Bool

    init(_ traversal: Traversal, schema: GraphSchema) {
      storage = GraphStorage(traversal, schema: schema)
      version = traversal.found.version
      isPartial = traversal.found.isPartial
    }
  }

  /// Walks the map along the legs, and loads what is absent.
  ///
  /// - Parameters:
  ///   - legs: The legs.
  ///   - bearsFailures: Whether to leave out what cannot be loaded.
  /// - Returns: The walk.
  /// - Throws: What ``graph(of:_:)`` throws.
  func traverse(_ legs: [Traversal.Leg], bearsFailures: Bool = false) async throws -> Walk {
    let hasStore = store != nil
    var (traversal, step) = state.withLock { state -> (Traversal, Traversal.Step) in
      state.walks.count += 1
      let id = state.marks.nextID()
      var traversal = Traversal(
        id: id, legs: legs, schema: schema, hasStore: hasStore, bearsFailures: bearsFailures,
        map: state.map)
      let step = state.advance(&traversal)
      return (traversal, step)
    }
    do {
      while true {
        switch step {
        case .finished:
          tellListeners()
          return Walk(traversal, schema: schema)
        case .missingRoot(let ref):
          throw KinshipError.missing(ref)
        case .failedRoot(let error):
          throw error
        case .needs(let needs):
          tellListeners()
          if traversal.isStalled, CallPath.current.isEmpty {
            // It is written faster than it is fetched: nobody writes while this has the turn.
            end(&traversal)
            return try await inTurn(of: .load(legs.map(\.ref))) {
              try await traverse(legs, bearsFailures: bearsFailures)
            }
          }
          try await wait(for: needs, with: &traversal)
        case .again:
          try Task.checkCancellation()
        }
        traversal.discarded = []
        step = traversal.hasEnded ? .finished : state.withLock { $0.advance(&traversal) }
      }
    } catch {
      end(&traversal)
      throw error
    }
  }

  private func end(_ traversal: inout Traversal) {
    if traversal.hasEnded { return }
    traversal.hasEnded = true
    state.withLock { state in
      traversal.end(&state.map, isComplete: false)
      state.walks.count -= 1
      return state.effects()
    }.perform()
  }

  /// Waits for what a walk needs, and for what it needs then: it goes on where its records come in.
  private func wait(
    for needs: [Claims], with traversal: inout Traversal
  ) async throws {
    let waiter = state.withLock { state in
      let waiter = state.loader.nextWaiter()
      state.walks.waiting[waiter] = traversal
      return waiter
    }
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await wait(for: needs, as: waiter, bearingFailures: traversal.bearsFailures))
    } catch {
      result = .failure(error)
    }
    let walk = state.withLock { $0.walks.waiting.removeValue(forKey: waiter) }
    if let walk { traversal = walk }
    try result.get()
  }
}
