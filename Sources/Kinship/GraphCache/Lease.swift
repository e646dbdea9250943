import Synchronization

/// Keeps records in memory: what a lease names is never evicted.
///
/// It ends when ``end()`` is called, and by itself when it is no longer referenced.
///
/// A lease holds identities: a record that is not in memory yet, or that is replaced, is held as soon
/// as it is there. It does not stop `remove`, `invalidate` and `removeAll`. Leased records count
/// against the limits. When the last lease on a record ends, it becomes the most recently used.
public final class Lease: Sendable {
  private let cache: GraphCache
  private let claims: [Claims]
  private let isEnded = Atomic(false)

  init(cache: GraphCache, claims: [Claims]) {
    self.cache = cache
    self.claims = claims
  }

  /// Ends the lease.
  ///
  /// Further calls do nothing.
  public func end() {
    if isEnded.exchange(true, ordering: .relaxed) { return }
    cache.endLease(on: claims)
  }

  deinit { end() }
}

extension GraphCache {
  /// Keeps a record in memory for as long as the lease is referenced.
  ///
  /// - Parameter ref: The ref that names the record, which need not be in memory yet.
  /// - Returns: The lease.
  /// - Complexity: O(1) on average.
  public nonisolated func lease<R: Record>(_ ref: Ref<R>) -> Lease { lease([ref]) }

  /// Keeps records in memory for as long as the lease is referenced.
  ///
  /// - Parameter refs: The refs that name the records, which need not be in memory yet.
  /// - Returns: The lease.
  /// - Complexity: O(*n*) in the refs.
  public nonisolated func lease<R: Record>(_ refs: some Collection<Ref<R>>) -> Lease {
    guard let number = schema.number(of: R.self) else { return lease(on: []) }
    return lease(on: [Need(type: number, ids: refs.map(\.id))])
  }

  /// Keeps all records of a graph in memory for as long as the lease is referenced.
  ///
  /// - Parameter graph: The graph.
  /// - Returns: The lease.
  /// - Complexity: O(*n*) in the graph's records.
  public nonisolated func lease<Root: Record>(_ graph: Graph<Root>) -> Lease {
    lease(
      on: graph.storage.columns.enumerated().compactMap { _, column in
        schema.number(of: column.type).map { Need(type: $0, ids: column.ids) }
      })
  }

  nonisolated func lease(on needs: [Need]) -> Lease {
    let claims = state.withLock { state in
      state.leases += 1
      return needs.map { need in
        Claims(
          type: need.type,
          places: state.map.operations[need.type].claims.claim(&state.map, need.ids))
      }
    }
    return Lease(cache: self, claims: claims)
  }

  nonisolated func endLease(on claims: [Claims]) {
    state.withLock { state in
      state.leases -= 1
      for claim in claims { state.map.end(claim) }
      state.map.evictOverflow()
      return state.effects()
    }.perform()
  }
}
