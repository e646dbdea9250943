extension GraphCache {
  /// Loads a graph of records around a root.
  ///
  /// What is in memory is used; the rest is loaded generation by generation, with one call to the
  /// store for each record type in a generation (more where ``FetchLimits/batchSize`` says so), and
  /// one for each relationship that the plan follows by an ``Inverse``. The graph shows one
  /// committed version, however many loads it took.
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
  /// - Complexity: O(*n*) in the graph's records and the refs that the plan follows. If all is in
  ///   memory, and not more than some thousand records, without a turn of the actor: it waits as
  ///   ``peek(_:)`` does.
  @inlinable
  public nonisolated(nonsending) func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil
  ) async throws -> Graph<Root> {
    if hasFreshness { return try await graphByType(of: root, plan) }
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
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) async throws -> Graph<Root> {
    try await noted(walk([leg(from: root, plan, generation: 0)]))
  }

  /// Loads the graphs of records around many roots, side by side.
  ///
  /// ```swift
  /// let families = try await cache.graphs(of: [Ref<Person>(42), Ref<Person>(43)], .generations(3))
  /// for family in families.compactMap(\.self) {
  ///   show(family.root.father?.name ?? "unknown")
  /// }
  /// ```
  ///
  /// Each is what ``graph(of:_:)`` gives, and all show one committed version. The plan's depths and
  /// its limit count for each root by itself. What is absent is loaded for all of them together,
  /// with one call to the store for each record type in a generation, and each record once, however
  /// many of the graphs it is in.
  ///
  /// - Parameters:
  ///   - roots: The refs that name the roots.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  /// - Returns: For each ref its graph, or `nil` where the root does not exist.
  /// - Throws: What ``graph(of:_:)`` throws, but that a missing root is no error.
  /// - Complexity: O(*n*) in the records of all graphs and the refs that the plan follows.
  public func graphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>? = nil
  ) async throws -> [Graph<Root>?] {
    if hasFreshness { return try await graphsByType(of: roots, plan) }
    return try await plainGraphs(of: roots, plan)
  }

  /// The same, however old what is known may be.
  func plainGraphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>?
  ) async throws -> [Graph<Root>?] {
    var numbers: [Ref<Root>: Int] = [:]
    var distinct: [Ref<Root>] = []
    for root in roots where numbers[root] == nil {
      numbers[root] = distinct.count
      distinct.append(root)
    }
    let graphs: [Graph<Root>?]
    if let warm = warmGraphs(of: distinct, plan) {
      graphs = warm
    } else {
      let legs = try distinct.map { [try leg(from: $0, plan, generation: 0)] }
      graphs = try await traverse(legs).map { walk in
        walk.found.missingRoot == nil
          ? Graph<Root>(GraphStorage(walk, schema: schema)) : nil
      }
      for graph in graphs { if let graph { note(graph.storage) } }
    }
    return distinct.count == roots.count
      ? graphs : roots.map { root in numbers[root].flatMap { graphs[$0] } }
  }

  /// The graphs around roots, if they and all that the plan leads to are in memory.
  ///
  /// None of the records is touched before all graphs are there: what is absent is loaded by walks
  /// that count all of them. Only the actor writes, so all graphs show one version.
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

  /// Loads the graphs of the records that a query finds, side by side.
  ///
  /// ```swift
  /// let firstTwenty = RecordQuery<Person>().sorted(by: \.name).limited(to: 20)
  /// for family in try await cache.graphs(of: firstTwenty, .including(\.events)) {
  ///   show("\(family.root.name): \(family.root.events.count) events")
  /// }
  /// ```
  ///
  /// The store says which records these are, and in which order, as ``find(_:from:within:)``
  /// does. What the graphs show is the version of the moment at which they are complete.
  ///
  /// - Parameters:
  ///   - query: The query for the roots.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  /// - Returns: The graphs, in the order of the query; none of a root that was deleted meanwhile.
  /// - Throws: What ``find(_:from:within:)`` and ``graphs(of:_:)-([Ref<Root>],_)`` throw.
  /// - Complexity: That of the query, and of ``graphs(of:_:)-([Ref<Root>],_)``.
  public func graphs<Root: GraphRecord>(
    of query: RecordQuery<Root>, _ plan: Plan<Root>? = nil
  ) async throws -> [Graph<Root>] {
    try await graphs(of: find(query).map { $0.ref }, plan).compactMap { $0 }
  }

  /// Loads those of the records around a root that can be loaded, however old what is known may be.
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
  ///   only if the root itself cannot be loaded, or the store cannot say who refers to a record.
  /// - Complexity: That of ``graph(of:_:)``. What cannot be loaded is asked for once.
  public func partialGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil
  ) async throws -> Graph<Root> {
    try await noted(walk([leg(from: root, plan, generation: 0)], bearsFailures: true))
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
    if hasFreshness, !graph.storage.bearsFailures {
      return try await expandByType(graph, from: ref, plan)
    }
    return try await plainExpand(graph, from: ref, plan)
  }

  /// The same, however old what is known may be.
  func plainExpand<Root: GraphRecord, R: GraphRecord>(
    _ graph: Graph<Root>, from ref: Ref<R>, _ plan: Plan<R>?
  ) async throws -> Graph<Root> {
    guard let generation = graph.generationOfExpansion(from: AnyRef(ref)) else {
      throw KinshipError.unrelated(AnyRef(ref))
    }
    // The graph may come from another cache, whose schema numbers its types otherwise.
    var legs = try graph.storage.origins.map { try Traversal.Leg($0, schema: schema) }
    legs.append(try leg(from: ref, plan, generation: generation))
    return try await noted(walk(legs, bearsFailures: graph.storage.bearsFailures))
  }

  private func noted<Root: GraphRecord>(_ walk: Walk) -> Graph<Root> {
    note(walk.storage)
    return Graph(walk.storage)
  }
}
