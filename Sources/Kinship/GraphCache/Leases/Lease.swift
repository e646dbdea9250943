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
  /// Keeps a record in memory for as long as the lease is referenced.
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record, which need not be in memory yet.
  ///   - name: The name by which a snapshot keeps the lease; none for one that is not kept.
  ///   - fileID: Where the call is: a report says it.
  ///   - line: The line of the call.
  /// - Returns: The lease.
  /// - Complexity: O(1) on average.
  public nonisolated func lease<R: GraphRecord>(
    _ ref: Ref<R>, named name: String? = nil, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) -> Lease {
    lease([ref], named: name, fileID: fileID, line: line)
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
  ///   - fileID: Where the call is: a report says it.
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
  ///   - name: The name by which a snapshot keeps the lease; none for one that is not kept.
  ///   - fileID: Where the call is: a report says it.
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

  /// Keeps records in memory, for a caller of the cache or, where none is given, for itself.
  nonisolated func lease(
    on lists: [IDs], named name: String? = nil, passing isPassing: Bool = false,
    by caller: CallSite? = nil
  ) -> Lease {
    let holder = LeaseRegistry.Holder(
      name: name, caller: caller, count: lists.reduce(0) { $0 + $1.count },
      since: caller.map { _ in elapsed() })
    let number = state.withLock { $0.leases.add(holder, name == nil ? [] : lists) }
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

  /// Ends claims, in chunks, and evicts what there is no room for then.
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
