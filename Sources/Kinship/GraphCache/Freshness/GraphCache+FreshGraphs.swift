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
    try await graph(of: root, plan) { _ in freshness }
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
  /// - Complexity: A call of the store for each record type, and those for what the graph leads to
  ///   then.
  @discardableResult
  public func refresh<Root: GraphRecord>(
    _ root: Ref<Root>, _ plan: Plan<Root>
  ) async throws -> Graph<Root> {
    // What was absent comes fresh.
    let known = try await plainGraph(of: root, plan)
    if store == nil { return known }
    let lists = parts(of: known)
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
    try await graph(of: root, plan) { freshness[$0.index] }.value
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

  /// Walks until nothing that was found is too old.
  private func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?, _ freshness: (TypeNumber) -> Freshness?
  ) async throws -> Dated<Graph<Root>> {
    let start = now
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    var asked: Set<AnyRef> = []
    while true {
      let graph = try await plainGraph(of: root, plan)
      let parts = parts(of: graph)
      let found = survey(parts, freshness, at: start, asked)
      let age = found.earliest.age(at: now).duration
      if !found.stale.isEmpty { revalidate(found.stale, found.demand) }
      if found.due.isEmpty || store == nil {
        return Dated(graph, age: age, isStale: store != nil && !found.stale.isEmpty)
      }
      // What was found stays until all of it is fresh.
      leases.append(lease(on: parts))
      do {
        try await load(found.due, found.demand)
      } catch {
        guard case KinshipError.fetchFailed = error, !found.mustBeFresh else { throw error }
        return Dated(graph, age: age, isStale: true, failure: error)
      }
      for ids in found.due { asked.formUnion(schema.type(ids.type).refs(of: ids)) }
    }
  }

  /// What of a graph is too old for a reader.
  private struct Survey {
    /// What must be loaded again before the graph is shown.
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
    for portion in type.portions(of: ids) {
      let found = state.withLock { $0.map.stale(portion, as: type, since: bounds.oldest) }
      stale += found.ids.of(type)
      earliest = [earliest, found.earliest].compactMap(\.self).min()
    }
    if !asked.isEmpty { stale.removeAll { asked.contains(AnyRef(Ref<R>($0))) } }
    return (IDs(stale, of: ids.type), earliest)
  }

  /// The records of a graph, and those that it knows not to exist, by type.
  private func parts<Root: GraphRecord>(of graph: Graph<Root>) -> [IDs] {
    let missing = graph.missing
    func ids<R: GraphRecord>(_ type: R.Type, _ number: TypeNumber) -> IDs {
      IDs(missing.compactMap { $0.as(type)?.id }, of: number)
    }
    return schema.types.typeNumbers.flatMap { number in
      let type = schema.type(number)
      let records = graph.storage.columns[number].map { [$0.ids(number)] } ?? []
      let others = missing.isEmpty ? [] : [ids(type, number)]
      return (records + others).filter { !$0.isEmpty }
    }
  }
}
