import Synchronization

extension GraphCache {
  /// Keeps records in memory: what a lease names is never evicted.
  ///
  /// It ends when ``end()`` is called, and by itself when it is no longer referenced.
  ///
  /// A lease holds identities: a record that is not in memory yet, or that is replaced, is held as
  /// soon as it is there. It does not stop `remove`, `invalidate` and `removeAll`. Leased records
  /// count against the limits. When the last lease on a record ends, it becomes the most recently
  /// used.
  public final class Lease: Sendable {
    private let cache: GraphCache
    private let claims: [Claims]
    /// The number of a lease with a name.
    private let number: UInt64?
    private let isEnded = Atomic(false)

    init(cache: GraphCache, claims: [Claims], number: UInt64?) {
      self.cache = cache
      self.claims = claims
      self.number = number
    }

    /// Ends the lease.
    ///
    /// Further calls do nothing.
    public func end() {
      if isEnded.exchange(true, ordering: .relaxed) { return }
      cache.endLease(on: claims, number)
    }

    deinit { end() }
  }
}

extension GraphCache {
  /// Keeps a record in memory for as long as the lease is referenced.
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record, which need not be in memory yet.
  ///   - name: The name by which a snapshot keeps the lease; none for one that is not kept.
  /// - Returns: The lease.
  /// - Complexity: O(1) on average.
  public nonisolated func lease<R: GraphRecord>(_ ref: Ref<R>, named name: String? = nil) -> Lease {
    lease([ref], named: name)
  }

  /// Keeps records in memory for as long as the lease is referenced.
  ///
  /// ```swift
  /// let home = cache.lease(refs, named: "home")
  /// ```
  ///
  /// - Parameters:
  ///   - refs: The refs that name the records, which need not be in memory yet.
  ///   - name: The name by which a snapshot keeps the lease; none for one that is not kept. Of
  ///     several leases of one name, a snapshot keeps the refs of all together.
  /// - Returns: The lease.
  /// - Complexity: O(*n*) in the refs.
  public nonisolated func lease<R: GraphRecord>(
    _ refs: some Collection<Ref<R>>, named name: String? = nil
  ) -> Lease {
    guard let number = schema.number(of: R.self) else { return lease(on: [], named: name) }
    let ids = refs.map { $0.id }.filter { R.isStable($0) }
    return lease(on: [IDs(ids, of: number)], named: name)
  }

  /// Keeps all records of a graph in memory for as long as the lease is referenced.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - name: The name by which a snapshot keeps the lease; none for one that is not kept.
  /// - Returns: The lease.
  /// - Complexity: O(*n*) in the graph's records.
  public nonisolated func lease<Root: GraphRecord>(
    _ graph: Graph<Root>, named name: String? = nil
  ) -> Lease {
    lease(
      on: graph.storage.columns.compactMap { column in
        column.flatMap { column in schema.number(of: column.type).map { column.ids($0) } }
      }, named: name)
  }

  nonisolated func lease(
    on lists: [IDs], named name: String? = nil, passing isPassing: Bool = false
  ) -> Lease {
    let number = state.withLock { state in
      state.leases.add(name.map { NamedLease(name: $0, lists: lists) })
    }
    return Lease(cache: self, claims: lists.map { claim($0, passing: isPassing) }, number: number)
  }

  nonisolated func endLease(on claims: [Claims], _ number: UInt64?) {
    state.withLock { $0.leases.remove(number) }
    for claims in claims { end(claims) }
  }

  // MARK: Claims

  /// Claims each of some ids, in portions, so that `peek` never waits for long.
  nonisolated func claim(_ ids: IDs, passing isPassing: Bool = false) -> Claims {
    let portions = schema.type(ids.type).portions(of: ids).map { portion in
      state.withLock { $0.map.claim(portion, passing: isPassing) }
    }
    if portions.count == 1 { return portions[0] }
    return Claims(type: ids.type, places: ContiguousArray(portions.map(\.places).joined()))
  }

  /// Ends claims, in portions, and evicts what there is no room for then.
  nonisolated func end(_ claims: Claims) {
    for portion in claims.portions {
      state.withLock { state in
        state.map.end(portion)
        state.map.evictOverflow()
        return state.effects()
      }.perform()
    }
  }
}
