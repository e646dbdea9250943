import Synchronization

extension GraphCache {
  /// Keeps records in memory: a leased record is never evicted.
  ///
  /// A lease ends when you call ``end()``, or when it is no longer referenced.
  ///
  /// A lease holds identities: it also holds a record that is loaded later or replaced. It does not
  /// stop `remove`, `invalidate` and `removeAll`. Leased records count against the limits. When the
  /// last lease on a record ends, the record becomes the most recently used, and the limits are
  /// enforced at once.
  public final class Lease: Sendable {
    private let cache: GraphCache
    private let claims: [Claims]
    private let number: LeaseRegistry.Number
    private let isEnded = Atomic(false)

    init(cache: GraphCache, claims: [Claims], number: LeaseRegistry.Number) {
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
  /// Keeps records in memory for as long as the lease is referenced.
  ///
  /// ```swift
  /// let home = cache.lease(refs, named: "home")
  /// ```
  ///
  /// - Parameters:
  ///   - refs: Refs to the records, which need not be in memory yet.
  ///   - name: The name under which a snapshot saves the lease; `nil` for a lease that is not
  ///     saved. If several leases have one name, a snapshot saves the refs of all of them.
  ///   - fileID: The file of the call, for reports.
  ///   - line: The line of the call.
  /// - Returns: The lease.
  /// - Complexity: O(*n*) in the refs.
  public nonisolated func lease<R: GraphRecord>(
    _ refs: some Collection<Ref<R>>, named name: String? = nil,
    fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) -> Lease {
    let caller = CallSite(fileID, line)
    guard let number = schema.number(of: R.self) else {
      return lease(on: [], named: name, by: caller)
    }
    let ids = refs.map { $0.id }.filter { R.isStable($0) }
    return lease(on: [IDs(ids, of: number)], named: name, by: caller)
  }

  /// Keeps all records of a graph in memory for as long as the lease is referenced.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - name: The name under which a snapshot saves the lease; `nil` for a lease that is not
  ///     saved.
  ///   - fileID: The file of the call, for reports.
  ///   - line: The line of the call.
  /// - Returns: The lease.
  /// - Complexity: O(*n*) in the graph's records.
  public nonisolated func lease<Root: GraphRecord>(
    _ graph: Graph<Root>, named name: String? = nil, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) -> Lease {
    lease(
      on: graph.storage.columns.compactMap { column in
        column.flatMap { column in schema.number(of: column.type).map { column.ids($0) } }
      }, named: name, by: CallSite(fileID, line))
  }

  /// Keeps records in memory, for a caller or, if none is given, for the cache itself.
  nonisolated func lease(
    on lists: [IDs], named name: String? = nil, passing isPassing: Bool = false,
    by caller: CallSite? = nil
  ) -> Lease {
    let holder = LeaseRegistry.Holder(
      name: name, caller: caller, count: lists.reduce(0) { $0 + $1.count },
      since: caller.map { _ in elapsed() }, lists: name == nil ? [] : lists)
    let number = state.withLock { $0.leases.add(holder) }
    return Lease(cache: self, claims: lists.map { claim($0, passing: isPassing) }, number: number)
  }

  nonisolated func endLease(on claims: [Claims], _ number: LeaseRegistry.Number) {
    state.withLock { $0.leases.remove(number) }
    for claims in claims { end(claims) }
  }

  // MARK: Claims

  /// Claims each of some ids, in chunks, so that `peek` never waits for long.
  nonisolated func claim(_ ids: IDs, passing isPassing: Bool = false) -> Claims {
    let chunks = schema.type(ids.type).chunks(of: ids).map { chunk in
      state.withLock { $0.map.claim(chunk, passing: isPassing) }
    }
    if chunks.count == 1 { return chunks[0] }
    return Claims(type: ids.type, places: ContiguousArray(chunks.map(\.places).joined()))
  }

  /// Ends claims, in chunks, and evicts records that no longer fit.
  nonisolated func end(_ claims: Claims) {
    for chunk in claims.chunks {
      state.withLock { state in
        state.map.end(chunk)
        state.map.evictOverflow()
        return state.effects()
      }.perform()
    }
  }
}
