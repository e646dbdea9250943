extension GraphCache {
  /// Loads the graph around a root as fresh as `demand`, or else the types, require.
  ///
  /// Records that are too old are reloaded, whatever their generation, with one call to the store
  /// for each record type. Then the graph is walked again, and records that it newly reaches are
  /// loaded as usual.
  @usableFromInline
  func freshGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?, _ demand: Freshness?
  ) async throws -> Dated<Graph<Root>> {
    try await fresh({ demand ?? freshness[$0.index] }, { parts(of: [$0.storage]) }) {
      try await plainGraph(of: root, plan)
    }
  }

  /// Reloads the records of a graph, whatever is in memory.
  ///
  /// It returns when the new values are in memory. Values equal to the old ones wake no observer.
  /// If the store fails, memory stays as it was.
  ///
  /// - Parameters:
  ///   - root: A ref to the root.
  ///   - plan: The relationships to follow, and how far.
  /// - Returns: The graph.
  /// - Throws: The errors of ``graph(of:_:)``.
  /// - Complexity: One call to a store that has already followed plans for this cache, with
  ///   ``BackingStore/fetch(_:ids:following:)``. For other stores, one call for each record type,
  ///   plus those for records that the graph newly reaches.
  @discardableResult
  public func refresh<Root: GraphRecord>(
    _ root: Ref<Root>, _ plan: Plan<Root>
  ) async throws -> Graph<Root> {
    let fresh = try await fetchAgain(root, plan)
    // Records that were missing are loaded now, so they are fresh.
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

  // MARK: Parts

  private func plainGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) async throws -> Graph<Root> {
    if let storage = warmGraph(of: root, plan) { return Graph(storage) }
    return try await graphInTurn(of: root, plan)
  }

  /// Walks until no record that was found is too old.
  ///
  /// - Parameters:
  ///   - freshness: The freshness required of each type.
  ///   - parts: The records that were found, and the ids known to be missing, by type.
  ///   - walk: Finds them.
  /// - Returns: The final result, and the age of its oldest record.
  /// - Throws: The errors of the walk and the store.
  func fresh<Found>(
    _ freshness: (TypeNumber) -> Freshness?, _ parts: (Found) -> [IDs],
    _ walk: () async throws -> Found
  ) async throws -> Dated<Found> {
    let start = now
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    var asked: Set<AnyRef> = []
    while true {
      // The knowledge that a root does not exist has an age as well.
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
      let staleRecords = staleRecords(lists, freshness, at: start, asked)
      let age = staleRecords.earliest.age(at: now).duration
      if !staleRecords.stale.isEmpty { revalidate(staleRecords.stale, staleRecords.demand) }
      if staleRecords.due.isEmpty || store == nil {
        let isStale = store != nil && !staleRecords.stale.isEmpty
        return Dated(try walked.get(), age: age, isStale: isStale)
      }
      // Found records stay in memory until all of them are fresh.
      leases.append(lease(on: lists))
      do {
        try await load(staleRecords.due, staleRecords.demand)
      } catch {
        guard case KinshipError.fetchFailed = error, !staleRecords.mustBeFresh else { throw error }
        return Dated(try walked.get(), age: age, isStale: true, failure: error)
      }
      for ids in staleRecords.due { asked.formUnion(schema.type(ids.type).refs(of: ids)) }
    }
  }

  /// The records of graphs that are too old for a reader.
  private struct StaleRecords {
    /// The records to reload before the graphs are shown.
    var due: [IDs] = []
    /// The records that may be shown, and are reloaded in the background.
    var stale: [IDs] = []
    /// Whether any due record is too old to be shown at all.
    var mustBeFresh = false
    var earliest: Stamp
    var demand: AgeDemand
  }

  private func staleRecords(
    _ lists: [IDs], _ freshness: (TypeNumber) -> Freshness?, at now: Stamp, _ asked: Set<AnyRef>
  ) -> StaleRecords {
    let bounds = ContiguousArray(schema.types.typeNumbers.map { freshness($0)?.bounds(at: now) })
    var staleRecords = StaleRecords(earliest: now, demand: .types(bounds))
    for ids in lists {
      let type = schema.type(ids.type)
      guard let freshness = freshness(ids.type) else { continue }
      let (stale, earliest) = stale(ids, type, freshness.bounds(at: now), asked)
      if let earliest { staleRecords.earliest = min(staleRecords.earliest, earliest) }
      if stale.isEmpty { continue }
      let last = self.stale(stale, type, freshness.lastBounds(at: now), asked).ids
      if !last.isEmpty { staleRecords.mustBeFresh = true }
      if case .staleWhileRevalidating = freshness.policy {
        if !last.isEmpty { staleRecords.due.append(last) }
        if stale.count > last.count { staleRecords.stale.append(stale) }
      } else {
        staleRecords.due.append(stale)
      }
    }
    return staleRecords
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

  /// Returns the records of graphs and the ids known to be missing, by type, each once.
  func parts(of graphs: [GraphStorage], absent: [AnyRef] = []) -> [IDs] {
    let records = schema.types.typeNumbers.flatMap { number in
      graphs.compactMap { $0.columns[number]?.ids(number) }
    }
    let missing = schema.distinct(schema.lists(of: graphs.flatMap(\.missing) + absent))
    return ((graphs.count > 1 ? schema.distinct(records) : records) + missing)
      .filter { !$0.isEmpty }
  }
}
