extension GraphCache {
  nonisolated func leg<R: GraphRecord>(
    from ref: Ref<R>, _ plan: Plan<R>?, generation: Int
  ) throws(KinshipError) -> Traversal.Leg {
    let rules = plan?.rules ?? defaultRules
    return try Traversal.Leg(
      Traversal.Origin(ref: AnyRef(ref), rules: rules, generation: generation), schema: schema)
  }

  /// A finished walk.
  struct Walk {
    let storage: GraphStorage
    /// The version that the walk shows.
    let version: UInt64

    /// - Throws: `KinshipError.missing` if a root does not exist.
    init(_ traversal: Traversal, schema: GraphSchema) throws(KinshipError) {
      if let root = traversal.found.missingRoot { throw .missing(root) }
      version = traversal.found.version
      storage = GraphStorage(traversal, schema: schema)
    }
  }

  /// Walks the map along the legs of one graph, and loads missing records.
  ///
  /// - Parameters:
  ///   - legs: The legs.
  ///   - toleratesFailures: Whether to leave out records that cannot be loaded.
  /// - Returns: The walk.
  /// - Throws: The errors of ``graph(of:_:)``.
  func walk(_ legs: [Traversal.Leg], toleratesFailures: Bool = false) async throws -> Walk {
    var walks = try await traverse([legs], toleratesFailures: toleratesFailures)
    return try Walk(walks.removeLast(), schema: schema)
  }

  nonisolated func makeTraversals(
    _ graphs: [[Traversal.Leg]], loads: Bool = true, toleratesFailures: Bool = false,
    _ state: inout CacheState
  ) -> Traversals {
    let hasStore = store != nil
    let followsInverses = graphs.joined().contains { !$0.plan.backwardLimits.isEmpty }
    let staging = followsInverses ? Staging() : nil
    state.walks.count += graphs.count
    return Traversals(
      graphs.map { legs in
        Traversal(
          id: state.marks.nextID(), legs: legs, schema: schema, staging: staging,
          hasStore: hasStore, loads: loads, toleratesFailures: toleratesFailures, map: state.map)
      })
  }

  /// Walks the map along the legs of each graph, and loads missing records.
  ///
  /// - Parameters:
  ///   - graphs: The legs of each graph.
  ///   - toleratesFailures: Whether to leave out records that cannot be loaded.
  /// - Returns: A finished traversal for each graph, of one version; its root may be missing.
  /// - Throws: The errors of ``graph(of:_:)``.
  func traverse(
    _ graphs: [[Traversal.Leg]], toleratesFailures: Bool = false
  ) async throws -> [Traversal] {
    dropIfTooStale()
    let root = graphs.first?.first
    return try await traced(
      CacheWork(.graph, of: root?.ref.type.recordName, count: graphs.count)
    ) {
      try await walk(graphs, toleratesFailures: toleratesFailures)
    }
  }

  private func walk(
    _ graphs: [[Traversal.Leg]], toleratesFailures: Bool
  ) async throws -> [Traversal] {
    var (traversals, step) = state.withLock { state -> (Traversals, Traversals.Step) in
      var traversals = makeTraversals(graphs, toleratesFailures: toleratesFailures, &state)
      let step = state.advance(&traversals)
      return (traversals, step)
    }
    var rerunBudget = RerunBudget()
    do {
      while true {
        switch step {
        case .finished:
          tellListeners()
          return traversals.walks
        case .failedRoot(let error):
          throw error
        case .needs(let needs):
          tellListeners()
          if traversals.isStalled, CallPath.current.isEmpty {
            // Writes are faster than fetches: take the turn, so that no one else writes.
            end(&traversals)
            return try await inTurn(of: .load(graphs.joined().map(\.ref))) {
              try await walk(graphs, toleratesFailures: toleratesFailures)
            }
          }
          try await gatherReferrers(needs.referrers, for: &traversals, &rerunBudget)
          if !needs.claims.isEmpty { try await wait(for: needs, with: &traversals) }
        case .again:
          tellListeners()
          try Task.checkCancellation()
        }
        traversals.tidy()
        step = traversals.hasEnded ? .finished : state.withLock { $0.advance(&traversals) }
      }
    } catch {
      end(&traversals)
      throw error
    }
  }

  nonisolated func end(_ traversals: inout Traversals) {
    var hasEnded = false
    while !hasEnded {
      state.withLock { state in
        hasEnded = state.end(&traversals)
        return state.effects()
      }.perform()
    }
  }

  /// Loads the referrers of the records that walks have reached, with one call for each
  /// relationship.
  private func gatherReferrers(
    _ needs: [Traversal.Needs.Referrers], for traversals: inout Traversals,
    _ rerunBudget: inout RerunBudget
  ) async throws {
    guard let staging = traversals.staging else { return }
    for (id, needs) in Dictionary(grouping: needs, by: \.edge).sorted(by: { $0.key < $1.key }) {
      let edge = schema[id]
      let target = schema.type(edge.target)
      let targets = target.distinct(needs.map(\.targets), of: edge.target)
      let lease = try await gatherReferrers(
        targets, edge, staging, &rerunBudget, source: schema.type(id.source), target: target,
        passing: traversals.isPassing)
      traversals.keep(
        state.withLock { state in
          state.map.claim(
            edge.operations.referrers(to: targets, staging, &state.map).sources,
            passing: traversals.isPassing)
        })
      lease.end()
    }
  }

  /// Waits for the records that walks need next; the walks continue when these arrive.
  private func wait(
    for needs: Traversal.Needs, with traversals: inout Traversals
  ) async throws {
    let toleratesFailures = traversals.toleratesFailures
    let waiter = state.withLock { state in
      let waiter = state.loader.nextWaiter()
      state.walks.waiting[waiter] = traversals
      state.continuations.add(needs)
      return waiter
    }
    // A second reference would force a copy when the walks continue.
    traversals = Traversals([])
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await wait(for: needs.claims, as: waiter, toleratingFailures: toleratesFailures))
    } catch {
      result = .failure(error)
    }
    let walks = state.withLock { $0.walks.waiting.removeValue(forKey: waiter) }
    if let walks { traversals = walks }
    try result.get()
  }
}
