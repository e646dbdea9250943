extension GraphCache {
  /// A count of the work of a cache so far, and of the records that it holds.
  public struct Statistics: Hashable, Sendable {
    /// The number of evictions for each reason.
    public struct Evictions: Hashable, Sendable {
      /// Evictions that kept the number of records within the capacity.
      public let byCount: Int
      /// Evictions that kept the sum of costs within its limit.
      public let byCost: Int
      /// Evictions by `trim(to:)` and `trim(under:)`.
      public let byTrim: Int
      /// Evictions by `evict(_:)`.
      public let byRequest: Int

      /// All evictions.
      public var total: Int { byCount + byCost + byTrim + byRequest }
    }

    /// The records of one type that the cache holds.
    public struct TypeCount: Hashable, Sendable {
      /// The name of the record type.
      public let name: String
      /// The number of records in memory.
      public let count: Int
      /// The sum of their costs.
      public let cost: Int
    }

    /// The counts of the map and the loader.
    private let tally: Tally
    private let loading: LoadTally

    /// Requested records that were in memory.
    ///
    /// A graph counts each of its records once.
    public var hits: Int { tally.hits }
    /// Requested records that were not in memory.
    public var misses: Int { tally.misses }
    /// Records loaded from the backing store.
    public var loads: Int { loading.loaded }
    /// Ids that the backing store reported as missing.
    public var absences: Int { loading.missing }
    /// Calls to the backing store that fetched records by their ids.
    public var batches: Int { loading.batches }
    /// Queries sent to the backing store.
    public var queries: Int { loading.queries }
    /// Calls to the backing store that fetched records by their ids and failed, fully or partly.
    public var failedBatches: Int { loading.failedBatches }
    /// Calls to the backing store that were cancelled because no caller waited for them any longer.
    public var abandonedBatches: Int { loading.abandonedBatches }
    /// Waits for a record that another caller had already requested.
    public var coalescedWaits: Int { loading.coalescedWaits }
    /// Records that were evicted.
    public var evictions: Evictions {
      Evictions(
        byCount: tally.evictedByCount, byCost: tally.evictedByCost, byTrim: tally.evictedByTrim,
        byRequest: tally.evictedByRequest)
    }
    /// Records whose value was replaced.
    public var replacements: Int { tally.replaced }
    /// Records that were removed.
    public var removals: Int { tally.removed }
    /// Records that were invalidated.
    public var invalidations: Int { tally.invalidated }
    /// Records that left because they had expired.
    public var expirations: Int { tally.expired }

    /// Wakeups of a waiting observer because something that it observes has changed.
    public let wakeups: Int

    /// The number of records in memory.
    public let count: Int
    /// The sum of their costs.
    public let cost: Int
    /// The number of records and their cost for each type, in the order of the schema.
    public let types: [TypeCount]

    /// Calls that wait for the backing store at this moment.
    public let waiters: Int
    /// Calls to the backing store that run at this moment.
    public let batchesInFlight: Int
    /// Leases that have not ended.
    public let leases: Int
    /// Pending writes: shown, and not yet committed by the backing store.
    public let pendingWrites: Int
    /// Subscriptions to removals.
    public let listeners: Int
    /// Iterators that observe.
    public let observers: Int
    /// Observers that wait for a change.
    public let waitingObservers: Int
    /// Graphs that are being built.
    public let traversals: Int

    init(_ state: borrowing CacheState, _ schema: GraphSchema) {
      tally = state.map.tally
      loading = state.loader.tally
      wakeups = state.observerWaits.wakeups
      count = state.map.count
      cost = state.map.cost
      types = schema.types.map { type in
        let (count, cost) = state.map.measure(type)
        return TypeCount(name: type.recordName, count: count, cost: cost)
      }
      waiters = state.loader.waiterCount
      batchesInFlight = state.loader.flightCount
      leases = state.leases.count
      pendingWrites = state.pendingWrites
      listeners = state.listeners.count
      observers = state.observers.count
      waitingObservers = state.observerWaits.count
      traversals = state.walks.count
    }

    /// The share of hits among all requested records; 0 before the first request.
    public var hitRate: Double {
      hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }
  }
}

extension GraphCache.Statistics: CustomDebugStringConvertible {
  /// The most important numbers in one line.
  public var debugDescription: String {
    let percent = Int((hitRate * 100).rounded())
    let types = types.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    return """
      \(count) records (\(types)); \(hits) hits, \(misses) misses (\(percent) %); \
      \(batches) store calls for \(loads) records; \(evictions.total) evictions
      """
  }
}

extension GraphCache {
  /// A count of the work of the cache so far, and of the records that it holds.
  ///
  /// - Complexity: O(*n*) in the record types.
  public nonisolated var statistics: Statistics {
    state.withLock { Statistics($0, schema) }
  }
}

extension GraphCache {
  /// The most important numbers in one line.
  public nonisolated var debugDescription: String {
    "GraphCache: \(statistics.debugDescription)"
  }
}
