extension GraphCache {
  /// Loads the graph around a root.
  ///
  /// Records in memory are used as they are. The others are loaded generation by generation: one
  /// call to the store for each record type in a generation (more if ``FetchLimits/batchSize``
  /// requires it), and one for each relationship that the plan follows through an ``Inverse``. The
  /// graph shows one committed version, however many loads it took. The first generation waits for
  /// other requests to join it, once. Each later one goes to the store as soon as the one before
  /// has arrived, together with the needs of other graphs that waited for it.
  ///
  /// - Parameters:
  ///   - root: A ref to the root.
  ///   - plan: The relationships to follow, and how far. By default all, for the cache's number
  ///     of `generations`.
  /// - Returns: The graph.
  /// - Throws: `KinshipError.missing` if the root does not exist; `.fetchFailed` with the cause if
  ///   the store fails, and with the id if it cannot read one record; `.unexpectedRecord` if its
  ///   answer is invalid; `.invalidSchema(.unknownType)` or `.invalidSchema(.unknownRelationship)`
  ///   if the plan does not fit the schema; and `CancellationError` at once if the task is
  ///   cancelled.
  /// - Complexity: O(*n*) in the graph's records and the refs that the plan follows. If all records
  ///   are in memory, and there are no more than a few thousand, it does not wait for the actor: it
  ///   waits only as ``peek(_:)->R?`` does.
  @inlinable
  public nonisolated(nonsending) func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil
  ) async throws -> Graph<Root> {
    if hasFreshness { return try await freshGraph(of: root, plan, nil).value }
    if let storage = warmGraph(of: root, plan) { return Graph(storage) }
    return try await graphInTurn(of: root, plan)
  }

  @inlinable
  nonisolated func warmGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) -> GraphStorage? {
    let rules = plan?.rules ?? defaultRules
    return state.withLock { state -> (graph: GraphStorage?, ended: [GraphStorage]) in
      guard let slot = state.map.slot(of: root.id, as: Root.self) else { return (nil, []) }
      return state.warmGraph(from: slot, rules, schema)
    }.graph
  }

  @usableFromInline
  func graphInTurn<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?, toleratesFailures: Bool = false
  ) async throws -> Graph<Root> {
    try await noted(
      walk([leg(from: root, plan, generation: 0)], toleratesFailures: toleratesFailures))
  }

  /// Loads the graphs around many roots, side by side, as fresh as `demand`, or else the types,
  /// require.
  func graphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>?, _ demand: Freshness?
  ) async throws -> [Graph<Root>?] {
    guard hasFreshness || demand != nil else { return try await plainGraphs(of: roots, plan) }
    return try await fresh(
      { demand ?? freshness[$0.index] },
      { graphs in
        let absent = zip(roots, graphs).lazy.filter { $1 == nil }.map { AnyRef($0.0) }
        return parts(of: graphs.compactMap { $0?.storage }, absent: Array(absent))
      },
      { try await plainGraphs(of: roots, plan) }
    ).value
  }

  /// Loads graphs, ignoring the age of records.
  func plainGraphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>?, toleratesFailures: Bool = false
  ) async throws -> [Graph<Root>?] {
    var positions = IDPositions<Root.ID>()
    var distinct: [Ref<Root>] = []
    let places = roots.map { root in
      let place = positions.find(root.id, orInsertAt: distinct.count)
      if place == distinct.count { distinct.append(root) }
      return place
    }
    let graphs: [Graph<Root>?]
    if let warm = warmGraphs(of: distinct, plan) {
      graphs = warm
    } else {
      let legs = try distinct.map { [try leg(from: $0, plan, generation: 0)] }
      graphs = try await traverse(legs, toleratesFailures: toleratesFailures).map { walk in
        walk.found.missingRoot == nil
          ? Graph<Root>(GraphStorage(walk, schema: schema)) : nil
      }
      for graph in graphs { if let graph { recordRead(graph.storage) } }
    }
    return distinct.count == roots.count ? graphs : places.map { graphs[$0] }
  }

  /// Returns the graphs around roots if all of their records are in memory.
  ///
  /// No record is touched before all graphs are complete, because the walks that load missing
  /// records count all of them. Only the actor writes, so all graphs show one version.
  private func warmGraphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>?
  ) -> [Graph<Root>]? {
    let rules = plan?.rules ?? defaultRules
    for chunk in Chunk.ranges(roots.count) {
      let areThere = state.withLock { state in
        roots[chunk].allSatisfy { state.map.contains($0.id, as: Root.self) }
      }
      if !areThere { return nil }
    }
    let drops = state.withLock { $0.map.drops }
    var found: [WarmWalk.Found] = []
    found.reserveCapacity(roots.count)
    for root in roots {
      guard let graph = state.withLock({ $0.untouchedGraph(of: root, rules, schema) }) else {
        return nil
      }
      found.append(graph)
    }
    for graph in found {
      state.withLock { $0.touch(graph, isPassing: rules.isPassing, since: drops) }
    }
    return found.map { Graph($0.graph) }
  }

  /// Returns a plan that is marked as a one-off scan if the options say so.
  nonisolated func plan<Root>(_ plan: Plan<Root>?, _ options: ReadOptions) -> Plan<Root>? {
    options.isPassing ? (plan ?? Plan(rules: defaultRules)).passing : plan
  }

  /// Loads more records around one in a graph or on its horizon.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - ref: The record to continue from: one of the graph, or one that its records refer to.
  ///   - plan: The relationships to follow from there, and how far. By default all, for the cache's
  ///     number of `generations`.
  ///   - options: The options for reading.
  /// - Returns: A graph with the same root that holds what the graph's plan and the new plan reach,
  ///   at the current version. The given graph does not change.
  /// - Throws: `KinshipError.misuse(.unrelated)` if the graph neither holds the ref nor refers to
  ///   it, and the errors of ``graph(of:_:)``.
  /// - Complexity: O(*n*) in the larger graph's records, and their refs.
  public func expand<Root: GraphRecord, R: GraphRecord>(
    _ graph: Graph<Root>, from ref: Ref<R>, _ plan: Plan<R>? = nil,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> Graph<Root> {
    let plan = self.plan(plan, options)
    guard hasFreshness || options.freshness != nil, !graph.storage.toleratesFailures else {
      return try await plainExpand(graph, from: ref, plan)
    }
    return try await fresh(
      { options.freshness ?? freshness[$0.index] }, { parts(of: [$0.storage]) },
      { try await plainExpand(graph, from: ref, plan) }
    ).value
  }

  /// Extends a graph, ignoring the age of records.
  func plainExpand<Root: GraphRecord, R: GraphRecord>(
    _ graph: Graph<Root>, from ref: Ref<R>, _ plan: Plan<R>?
  ) async throws -> Graph<Root> {
    guard let generation = graph.generationOfExpansion(from: AnyRef(ref)) else {
      throw KinshipError.misuse(.unrelated(AnyRef(ref)))
    }
    // The graph may come from another cache, whose schema numbers its types differently.
    var legs = try graph.storage.origins.map { try Traversal.Leg($0, schema: schema) }
    legs.append(try leg(from: ref, plan, generation: generation))
    return try await noted(walk(legs, toleratesFailures: graph.storage.toleratesFailures))
  }

  private func noted<Root: GraphRecord>(_ walk: Walk) -> Graph<Root> {
    recordRead(walk.storage)
    return Graph(walk.storage)
  }
}
