extension GraphCache {
  /// Loads a graph of records around a root, none of them older than a reader bears it.
  ///
  /// ```swift
  /// let family = try await cache.graph(of: ref, .generations(3), within: .seconds(60))
  /// ```
  ///
  /// What is too old is loaded again, whatever the generation, with one call to the store for each
  /// record type; then the graph is walked anew, and what it leads to now is loaded as ever.
  ///
  /// - Parameters:
  ///   - root: The ref that names the root.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  ///   - limit: How old a record may be, or what the store has said of its absence.
  /// - Returns: The graph.
  /// - Throws: What ``graph(of:_:)`` throws.
  /// - Complexity: That of ``graph(of:_:)``, and O(*n*) in the graph's records.
  public func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil, within limit: Duration
  ) async throws -> Graph<Root> {
    try await graph(of: root, plan, .within(limit)).value
  }

  /// Loads a graph of records around a root, as fresh as can be had, and says how old it is.
  ///
  /// - Parameters:
  ///   - root: The ref that names the root.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  ///   - freshness: How old a record may be, and what to do with one that is older.
  /// - Returns: The graph, and the age of its oldest record.
  /// - Throws: What ``graph(of:_:)`` throws, where there is nothing to be shown instead.
  /// - Complexity: That of ``graph(of:_:within:)``.
  public func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>? = nil, _ freshness: Freshness
  ) async throws -> Dated<Graph<Root>> {
    try await fresh({ _ in freshness }, { parts(of: [$0.storage]) }) {
      try await plainGraph(of: root, plan)
    }
  }

  /// Loads the graphs of records around many roots, none of the records older than a reader bears
  /// it.
  ///
  /// - Parameters:
  ///   - roots: The refs that name the roots.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  ///   - limit: How old a record may be, or what the store has said of its absence.
  /// - Returns: For each ref its graph, or `nil` where the root does not exist.
  /// - Throws: What ``graphs(of:_:)-([Ref<Root>],_)`` throws.
  /// - Complexity: That of ``graphs(of:_:)-([Ref<Root>],_)``, and O(*n*) in the graphs' records.
  public func graphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>? = nil, within limit: Duration
  ) async throws -> [Graph<Root>?] {
    try await graphs(of: roots, plan) { _ in .within(limit) }
  }

  /// Loads more around a record of a graph, or of its horizon, none of the records older than a
  /// reader bears it.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - ref: Where to go on: a record of the graph, or one that its records refer to.
  ///   - plan: What to load from there; by default all relationships, as far as the cache's
  ///     `generations` say.
  ///   - limit: How old a record may be, or what the store has said of its absence.
  /// - Returns: A graph with the same root that holds what the graph's plan and the new one lead
  ///   to, at the version of this moment.
  /// - Throws: What ``expand(_:from:_:)`` throws.
  /// - Complexity: That of ``expand(_:from:_:)``.
  public func expand<Root: GraphRecord, R: GraphRecord>(
    _ graph: Graph<Root>, from ref: Ref<R>, _ plan: Plan<R>? = nil, within limit: Duration
  ) async throws -> Graph<Root> {
    try await fresh({ _ in .within(limit) }, { parts(of: [$0.storage]) }) {
      try await plainExpand(graph, from: ref, plan)
    }.value
  }

  /// Loads the records of a graph again, whatever memory knows of them.
  ///
  /// It returns when the new truth is in memory. What was equal to it wakes nobody. If the store
  /// fails, memory stays as it was.
  ///
  /// - Parameters:
  ///   - root: The ref that names the root.
  ///   - plan: Which relationships to follow, and how far.
  /// - Returns: The graph.
  /// - Throws: What ``graph(of:_:)`` throws.
  /// - Complexity: One call of a store that has followed plans before, by
  ///   ``BackingStore/fetch(_:ids:following:)``; of others one for each record type, and those for
  ///   what the graph leads to then.
  @discardableResult
  public func refresh<Root: GraphRecord>(
    _ root: Ref<Root>, _ plan: Plan<Root>
  ) async throws -> Graph<Root> {
    let fresh = try await fetchAgain(root, plan)
    // What was absent comes fresh.
    let known = try await plainGraph(of: root, plan)
    if store == nil { return known }
    let lists = parts(of: [known.storage])
      .map { stale($0, schema.type($0.type), .nothing, fresh).ids }
      .filter { !$0.isEmpty }
    if lists.isEmpty { return known }
    let lease = lease(on: lists)
    defer { lease.end() }
    try await load(lists, .every(.nothing))
    return try await plainGraph(of: root, plan)
  }

  /// Loads a graph as fresh as the types say.
  @usableFromInline
  func graphByType<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) async throws -> Graph<Root> {
    try await fresh({ freshness[$0.index] }, { parts(of: [$0.storage]) }) {
      try await plainGraph(of: root, plan)
    }.value
  }

  /// Loads graphs as fresh as the types say.
  func graphsByType<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>?
  ) async throws -> [Graph<Root>?] {
    try await graphs(of: roots, plan) { freshness[$0.index] }
  }

  /// Expands a graph to one that is as fresh as the types say.
  func expandByType<Root: GraphRecord, R: GraphRecord>(
    _ graph: Graph<Root>, from ref: Ref<R>, _ plan: Plan<R>?
  ) async throws -> Graph<Root> {
    try await fresh({ freshness[$0.index] }, { parts(of: [$0.storage]) }) {
      try await plainExpand(graph, from: ref, plan)
    }.value
  }

  // MARK: Parts

  private func plainGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) async throws -> Graph<Root> {
    if !state.withLock({ $0.isTaken }), let storage = warmGraph(of: root, plan) {
      return Graph(storage)
    }
    return try await graphInTurn(of: root, plan)
  }

  private func graphs<Root: GraphRecord>(
    of roots: [Ref<Root>], _ plan: Plan<Root>?, _ freshness: (TypeNumber) -> Freshness?
  ) async throws -> [Graph<Root>?] {
    try await fresh(
      freshness,
      { graphs in
        let absent = zip(roots, graphs).lazy.filter { $1 == nil }.map { AnyRef($0.0) }
        return parts(of: graphs.compactMap { $0?.storage }, absent: Array(absent))
      },
      { try await plainGraphs(of: roots, plan) }
    ).value
  }

  /// Walks until nothing that was found is too old.
  ///
  /// - Parameters:
  ///   - freshness: What counts of each type.
  ///   - parts: The records that were found, and those that are known not to exist, by type.
  ///   - walk: Finds them.
  /// - Returns: What was found at last, and the age of its oldest record.
  /// - Throws: What the walk and the store throw.
  private func fresh<Found>(
    _ freshness: (TypeNumber) -> Freshness?, _ parts: (Found) -> [IDs],
    _ walk: () async throws -> Found
  ) async throws -> Dated<Found> {
    let start = now
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    var asked: Set<AnyRef> = []
    while true {
      // That a root does not exist has an age as well.
      let walked: Result<Found, KinshipError>
      do {
        walked = .success(try await walk())
      } catch KinshipError.missing(let ref) {
        walked = .failure(.missing(ref))
      }
      let lists =
        switch walked {
        case .success(let found): parts(found)
        case .failure(.missing(let ref)): self.parts(of: [], absent: [ref])
        case .failure(let error): throw error
        }
      let survey = survey(lists, freshness, at: start, asked)
      let age = survey.earliest.age(at: now).duration
      if !survey.stale.isEmpty { revalidate(survey.stale, survey.demand) }
      if survey.due.isEmpty || store == nil {
        let isStale = store != nil && !survey.stale.isEmpty
        return Dated(try walked.get(), age: age, isStale: isStale)
      }
      // What was found stays until all of it is fresh.
      leases.append(lease(on: lists))
      do {
        try await load(survey.due, survey.demand)
      } catch {
        guard case KinshipError.fetchFailed = error, !survey.mustBeFresh else { throw error }
        return Dated(try walked.get(), age: age, isStale: true, failure: error)
      }
      for ids in survey.due { asked.formUnion(schema.type(ids.type).refs(of: ids)) }
    }
  }

  /// What of graphs is too old for a reader.
  private struct Survey {
    /// What must be loaded again before the graphs are shown.
    var due: [IDs] = []
    /// What may be shown, and is to be asked for in the background.
    var stale: [IDs] = []
    /// Whether any of what is due is too old to be shown at all.
    var mustBeFresh = false
    var earliest: Stamp
    var demand: AgeDemand
  }

  private func survey(
    _ lists: [IDs], _ freshness: (TypeNumber) -> Freshness?, at now: Stamp, _ asked: Set<AnyRef>
  ) -> Survey {
    let bounds = ContiguousArray(schema.types.typeNumbers.map { freshness($0)?.bounds(at: now) })
    var survey = Survey(earliest: now, demand: .types(bounds))
    for ids in lists {
      let type = schema.type(ids.type)
      guard let freshness = freshness(ids.type) else { continue }
      let (stale, earliest) = stale(ids, type, freshness.bounds(at: now), asked)
      if let earliest { survey.earliest = min(survey.earliest, earliest) }
      if stale.isEmpty { continue }
      let last = self.stale(stale, type, freshness.lastBounds(at: now), asked).ids
      if !last.isEmpty { survey.mustBeFresh = true }
      if case .staleWhileRevalidating = freshness.policy {
        if !last.isEmpty { survey.due.append(last) }
        if stale.count > last.count { survey.stale.append(stale) }
      } else {
        survey.due.append(stale)
      }
    }
    return survey
  }

  private func stale<R: GraphRecord>(
    _ ids: IDs, _ type: R.Type, _ bounds: AgeBounds, _ asked: Set<AnyRef>
  ) -> (ids: IDs, earliest: Stamp?) {
    var stale: [R.ID] = []
    var earliest: Stamp?
    for chunk in type.chunks(of: ids) {
      let found = state.withLock { $0.map.stale(chunk, as: type, since: bounds.oldest) }
      stale += found.ids.of(type)
      earliest = [earliest, found.earliest].compactMap(\.self).min()
    }
    if !asked.isEmpty { stale.removeAll { asked.contains(AnyRef(Ref<R>($0))) } }
    return (IDs(stale, of: ids.type), earliest)
  }

  /// The records of graphs, and those that are known not to exist, by type: each once.
  private func parts(of graphs: [GraphStorage], absent: [AnyRef] = []) -> [IDs] {
    let missing = graphs.flatMap(\.missing) + absent
    func ids<R: GraphRecord>(_ type: R.Type, _ number: TypeNumber) -> [IDs] {
      let records = graphs.compactMap { $0.columns[number]?.ids(number) }
      let others = IDs(missing.compactMap { $0.as(type)?.id }, of: number)
      return [
        records.count == 1 ? records[0] : type.union(of: records, number),
        type.union(of: [others], number),
      ]
    }
    return schema.types.typeNumbers
      .flatMap { ids(schema.type($0), $0) }
      .filter { !$0.isEmpty }
  }
}

extension GraphRecord {
  /// The ids of several lists, each once, in order.
  fileprivate static func union(of lists: [IDs], _ number: TypeNumber) -> IDs {
    var union = OrderedIDs<ID>()
    for ids in lists { for id in ids.of(Self.self) { _ = union.append(id) } }
    return IDs(union.list, of: number)
  }
}
