extension GraphCache {
  /// What a cache has done so far, and what it holds now.
  public struct Statistics: Hashable, Sendable {
    /// Why records were evicted, in numbers.
    public struct Evictions: Hashable, Sendable {
      /// To keep the number of records within the capacity.
      public internal(set) var byCount = 0
      /// To keep the sum of costs within its limit.
      public internal(set) var byCost = 0
      /// By `trim(to:)`.
      public internal(set) var byTrim = 0
      /// By `evict(_:)`.
      public internal(set) var byRequest = 0

      /// All evictions.
      public var total: Int { byCount + byCost + byTrim + byRequest }
    }

    /// What the cache holds of one type.
    public struct TypeCount: Hashable, Sendable {
      /// The name of the record type.
      public let name: String
      /// The number of records in memory.
      public let count: Int
      /// The sum of their costs.
      public let cost: Int
    }

    /// Records that were asked for and in memory.
    ///
    /// A graph counts each of its records once.
    public internal(set) var hits = 0
    /// Records that were asked for and not in memory.
    public internal(set) var misses = 0
    /// Records that came from the backing store.
    public internal(set) var loads = 0
    /// Ids that the backing store said do not exist.
    public internal(set) var absences = 0
    /// Calls to the backing store that fetched records by their ids.
    public internal(set) var batches = 0
    /// Queries that the backing store was asked.
    public internal(set) var queries = 0
    /// Calls to the backing store that fetched records by their ids and failed, wholly or in part.
    public internal(set) var failedBatches = 0
    /// Calls to the backing store that were cancelled because nobody waited for them any longer.
    public internal(set) var abandonedBatches = 0
    /// Waits for a record that somebody else had asked for already.
    public internal(set) var coalescedWaits = 0
    /// Records that were evicted.
    public internal(set) var evictions = Evictions()
    /// Records whose value was replaced.
    public internal(set) var replacements = 0
    /// Records that were removed.
    public internal(set) var removals = 0
    /// Records that were invalidated.
    public internal(set) var invalidations = 0

    /// Times that a waiting observer was woken because something it observes has changed.
    public internal(set) var wakeups = 0

    /// The number of records in memory.
    public internal(set) var count = 0
    /// The sum of their costs.
    public internal(set) var cost = 0
    /// The same by type, in the order of the schema.
    public internal(set) var types: [TypeCount] = []

    /// Calls that wait for the backing store at this moment.
    public internal(set) var waiters = 0
    /// Calls to the backing store that run at this moment.
    public internal(set) var batchesInFlight = 0
    /// Leases that have not ended.
    public internal(set) var leases = 0
    /// Writes that are shown and that the backing store has not made yet.
    public internal(set) var pendingWrites = 0
    /// Listeners to removals.
    public internal(set) var listeners = 0
    /// Iterators that observe something.
    public internal(set) var observers = 0
    /// Those of them that wait for a change.
    public internal(set) var waitingObservers = 0
    /// Graphs that are being built.
    public internal(set) var traversals = 0

    /// The share of hits among all records that were asked for; 0 before the first.
    public var hitRate: Double {
      hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }
  }
}

extension GraphCache.Statistics: CustomDebugStringConvertible {
  /// The most telling numbers in one line.
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
  /// What the cache has done so far, and what it holds now.
  ///
  /// - Complexity: O(*n*) in the record types.
  public nonisolated var statistics: Statistics {
    state.withLock { state in
      let tally = state.map.tally
      let loads = state.loader.tally
      var statistics = Statistics()
      statistics.hits = tally.hits
      statistics.misses = tally.misses
      statistics.loads = loads.loaded
      statistics.absences = loads.missing
      statistics.batches = loads.batches
      statistics.queries = loads.queries
      statistics.failedBatches = loads.failedBatches
      statistics.abandonedBatches = loads.abandonedBatches
      statistics.coalescedWaits = loads.coalescedWaits
      statistics.evictions = Statistics.Evictions(
        byCount: tally.evictedByCount, byCost: tally.evictedByCost, byTrim: tally.evictedByTrim,
        byRequest: tally.evictedByRequest)
      statistics.replacements = tally.replaced
      statistics.removals = tally.removed
      statistics.invalidations = tally.invalidated
      statistics.count = state.map.count
      statistics.cost = state.map.cost
      statistics.types = schema.entries.map { entry in
        let (count, cost) = state.map.measure(entry.type)
        return Statistics.TypeCount(name: entry.name, count: count, cost: cost)
      }
      statistics.waiters = state.loader.waiterCount
      statistics.batchesInFlight = state.loader.flightCount
      statistics.leases = state.leases.count
      statistics.listeners = state.listeners.byNumber.count
      statistics.pendingWrites = state.pendingWrites
      statistics.observers = state.observers.count
      statistics.waitingObservers = state.observerWaits.count
      statistics.wakeups = state.observerWaits.wakeups
      statistics.traversals = state.walks.count
      return statistics
    }
  }
}

extension GraphCache: CustomDebugStringConvertible {
  /// The most telling numbers in one line.
  public nonisolated var debugDescription: String {
    "GraphCache: \(statistics.debugDescription)"
  }
}
