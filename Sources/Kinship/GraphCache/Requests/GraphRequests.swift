/// The graph around a root.
struct GraphRequest<Root: GraphRecord>: Request {
  let root: Ref<Root>
  let plan: Plan<Root>?

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> Graph<Root> {
    let plan = cache.plan(plan, options)
    if options.source == .cachedOnly {
      guard let graph = try cache.graphInMemory(of: root, plan).graph else {
        throw KinshipError.missing(AnyRef(root))
      }
      return graph
    }
    if options.isPartial {
      let graph = try await cache.graphInTurn(of: root, plan, toleratesFailures: true)
      options.report(graph.failures.values)
      return graph
    }
    guard let freshness = options.freshness else { return try await cache.graph(of: root, plan) }
    return try await cache.freshGraph(of: root, plan, freshness).value
  }

  func peek(in cache: GraphCache) -> Known<Graph<Root>?> {
    guard let (graph, isPartial, _) = try? cache.graphInMemory(of: root, plan) else {
      return .unknown
    }
    if isPartial { return graph == nil ? .unknown : .partial(graph) }
    return .complete(graph)
  }

  func changes(in cache: GraphCache) -> Changes<Graph<Root>?, GraphDiff> {
    Changes(GraphSubject(root: root, plan: plan), in: cache)
  }
}

extension Ref {
  /// A request for the graph around this record.
  ///
  /// Records in memory are used as they are. The others are loaded generation by generation: one
  /// call to the store for each record type in a generation (more if ``FetchLimits/batchSize``
  /// requires it), and one for each relationship that the plan follows through an ``Inverse``. The
  /// graph shows one committed version, however many loads it took. Records that are older than the
  /// options allow are reloaded, whatever their generation, with one call for each record type.
  ///
  /// ```swift
  /// let family = try await cache.find(ref.graph(.generations(3)), .within(.seconds(60)))
  /// ```
  ///
  /// - Parameter plan: The relationships to follow, and how far. By default all, for the cache's
  ///   number of `generations`.
  /// - Returns: The request. It throws `KinshipError.missing` if the root does not exist;
  ///   `.fetchFailed` with the cause if the store fails, and with the id if it cannot read one
  ///   record; `.unexpectedRecord` if its answer is invalid; and `.invalidSchema(.unknownType)` or
  ///   `.invalidSchema(.unknownRelationship)` if the plan does not fit the schema.
  public func graph(_ plan: Plan<R>? = nil) -> some Request<Graph<R>, Graph<R>?, GraphDiff> {
    GraphRequest(root: self, plan: plan)
  }
}

/// The graphs around many roots, side by side.
struct GraphsRequest<Root: GraphRecord>: Request {
  let roots: [Ref<Root>]
  let plan: Plan<Root>?

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [Graph<Root>?] {
    let plan = cache.plan(plan, options)
    if options.source == .cachedOnly {
      return try roots.map { try cache.graphInMemory(of: $0, plan).graph }
    }
    if options.isPartial {
      let (graphs, unread) = try await cache.readable(roots, isPartialAllowed: true) { roots in
        try await cache.plainGraphs(of: roots, plan, toleratesFailures: true)
      }
      options.report(unread.map { $0.error })
      let failures = graphs.map { $0?.failures ?? [:] }
      options.report(failures.reduce(into: [:]) { $0.merge($1) { first, _ in first } }.values)
      return graphs
    }
    return try await cache.graphs(of: roots, plan, options.freshness)
  }

  func peek(in cache: GraphCache) -> Known<[Graph<Root>?]> {
    cache.knownAtOneVersion {
      let known = roots.map { GraphRequest(root: $0, plan: plan).peek(in: cache) }
      let graphs = known.map { $0.value ?? nil }
      return known.allSatisfy { $0.isComplete } ? .complete(graphs) : .partial(graphs)
    }
  }

  func changes(in cache: GraphCache) -> Changes<[Graph<Root>?], PartDiffs<GraphDiff>> {
    Changes(GraphsSubject(of: roots, plan), in: cache)
  }
}

extension Array {
  /// A request for the graphs around the records of refs: one element for each ref, in order, or
  /// `nil` if the root does not exist.
  ///
  /// Each graph is the same as that of ``Ref/graph(_:)``, and all show one committed version. The
  /// plan's depths and its limit apply to each root separately. Missing records are loaded for all
  /// graphs together: one call to the store for each record type in a generation, and each record
  /// once, however many of the graphs contain it. No graph waits for others that need more loads.
  ///
  /// ```swift
  /// let refs = [Ref<Person>(42), Ref<Person>(43)]
  /// for family in try await cache.find(refs.graphs(.generations(3))).compactMap(\.self) {
  ///   #expect(!names(family).isEmpty)
  /// }
  /// ```
  ///
  /// - Parameter plan: The relationships to follow, and how far. By default all, for the cache's
  ///   number of `generations`.
  /// - Returns: The request.
  public func graphs<Root: GraphRecord>(
    _ plan: Plan<Root>? = nil
  ) -> some Request<[Graph<Root>?], [Graph<Root>?], PartDiffs<GraphDiff>>
  where Element == Ref<Root> {
    GraphsRequest(roots: self, plan: plan)
  }
}

/// The graphs around the records that match a query.
struct QueryGraphs<Root: GraphRecord>: Request {
  let query: RecordQuery<Root>
  let plan: Plan<Root>?

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [Graph<Root>] {
    let rules = cache.plan(plan, options)?.rules ?? cache.defaultRules
    let roots = try await cache.records(for: query, options, leadingBy: rules).map { $0.ref }
    return try await roots.graphs(plan).find(in: cache, options).compactMap { $0 }
  }

  func peek(in cache: GraphCache) -> Known<[Graph<Root>]> {
    cache.knownAtOneVersion {
      let roots = query.peek(in: cache)
      guard let refs = roots.value?.map({ $0.ref }) else { return .unknown }
      let graphs = refs.graphs(plan).peek(in: cache)
      let found = (graphs.value ?? []).compactMap { $0 }
      return roots.isComplete && graphs.isComplete ? .complete(found) : .partial(found)
    }
  }

  func changes(in cache: GraphCache) -> Changes<[Graph<Root>], PartDiffs<GraphDiff>> {
    Changes(
      MappedSubject(GraphsSubject(of: query, plan)) { change, _ in
        ObservedChange(
          value: change.value.compactMap { $0 }, diff: change.diff, isLoading: change.isLoading)
      }, in: cache)
  }
}

extension RecordQuery {
  /// A request for the graphs around the matching records.
  ///
  /// The graphs show the version that is current when they are complete, without those whose root
  /// was deleted meanwhile.
  ///
  /// ```swift
  /// let firstTwenty = RecordQuery<Person>().sorted(by: \.name).limited(to: 20)
  /// for family in try await cache.find(firstTwenty.graphs(.following(\.events))) {
  ///   show("\(family.root.name): \(family.root.events.count) events")
  /// }
  /// ```
  ///
  /// - Parameter plan: The relationships to follow, and how far. By default all, for the cache's
  ///   number of `generations`.
  /// - Returns: The request.
  public func graphs(
    _ plan: Plan<R>? = nil
  ) -> some Request<[Graph<R>], [Graph<R>], PartDiffs<GraphDiff>> {
    QueryGraphs(query: self, plan: plan)
  }
}
