/// All mutable state of a cache, behind one lock.
///
/// The lock is held for a few operations at a time, and never while foreign code runs: no user
/// closures except those of `read` and `reduce`, no continuations, no cancellation handlers. Only
/// the actor writes records; `peek`, cancelled waiters and ended leases use the state from other
/// threads.
@usableFromInline
struct CacheState: ~Copyable {
  @usableFromInline var map: IdentityMap
  var marks = TraversalMarks()
  var warmWalk: WarmWalk
  var plans = RecentPlans()
  var recentGraphs = RecentGraphs()
  var loader: Loader
  /// The promises of waiters for loads.
  var loads = Numbered<Promise<Void>>()
  /// Loaded records that are too old to keep, for their waiters.
  var transient: [Loader.WaiterID: [ClaimTable.Place: any Sendable]] = [:]
  var fetches: [Loader.BatchID: Task<Void, Never>] = [:]
  /// Whether a task is about to make batches of the requested ids.
  var isGathering = false
  /// The activities that wait for each other, if a cycle is possible.
  var waits = WaitGraph()
  /// The number of walks that have not ended, and those of them that wait for records, by waiter.
  var walks: (count: Int, waiting: [Loader.WaiterID: Traversals]) = (0, [:])
  /// The continuations of walks from ids that are requested and not in a batch yet.
  var continuations = Continuations()
  /// The number of nested exclusive sections, plus the number of watchers of reads.
  ///
  /// While it is not zero, reads wait for the actor.
  @usableFromInline var exclusiveCount = 0
  /// The commit that readers already see while it is applied to the map in chunks.
  @usableFromInline var applying: Staging? { didSet { updateNeedsReadCheck() } }
  /// Whether readers must check more than the map: a commit is being applied, or a store is
  /// followed.
  @usableFromInline var needsReadCheck = false
  var storeWrites = StoreWrites()
  var openQueries = OpenQueries()
  /// The time until which stale records of a type are not reloaded in the background, because the
  /// store has failed.
  var revalidationPauses: [TypeNumber: Stamp] = [:]
  /// Waits until the next records expire, if any ever do.
  var awaitExpiry: (@Sendable () -> Void)?
  /// The moment for which the expiry task waits.
  var nextExpiry: Stamp?
  var pendingWrites = 0
  var leases = LeaseRegistry()
  /// The listeners to removals, by their subscriptions.
  var listeners: [ObjectIdentifier: @Sendable (GraphCache.Removal) -> Void] = [:]
  var observers: ObserverRegistry
  var observerWaits = ObserverWaits()
  /// The state of following a store that others also change, if there is one.
  var follower: (any StoreFollower)? { didSet { servingDeadline = follower?.servingDeadline } }
  /// The follower's limit, which reads check.
  private var servingDeadline: Duration? { didSet { updateNeedsReadCheck() } }
  private var tickedClock: TickedClock<Duration>
  /// The log positions of snapshots that were restored while no store was followed.
  var restoredPlaces: [StoreCursor] = []
  /// The indexes over the records in memory, by type number, for types that queries could use them
  /// for.
  var indexes: [TypeNumber: AnyObject] = [:]

  init(
    schema: GraphSchema, limits: Limits, fetching: FetchLimits, hasStore: Bool,
    clock: any Clock<Duration>, elapsed: @escaping @Sendable () -> Duration, isWatched: Bool
  ) {
    tickedClock = TickedClock(isContinuous: clock is ContinuousClock, reading: elapsed)
    map = IdentityMap(
      operations: schema.operations.map(\.table), limits: limits,
      isAuthoritative: !hasStore, clock: clock)
    warmWalk = WarmWalk(typeCount: schema.types.count)
    loader = Loader(schema: schema, limits: fetching)
    observers = ObserverRegistry(schema: schema, hasStore: hasStore)
    if isWatched { exclusiveCount = 1 }
    if !hasStore { beginUniqueIndexes(schema) }
  }

  /// Whether an exclusive section runs, or reads are watched.
  @inlinable var isExclusive: Bool { exclusiveCount > 0 }

  /// Whether memory must not be served any longer: a store is followed, and the timer that drops
  /// everything is late.
  @inlinable var isTooStale: Bool {
    mutating get { needsReadCheck && checkStaleness() }
  }

  @usableFromInline
  mutating func checkStaleness() -> Bool {
    guard let servingDeadline else { return false }
    return servingDeadline < tickedClock.now()
  }

  private mutating func updateNeedsReadCheck() {
    needsReadCheck = applying != nil || servingDeadline != nil
  }

  /// Returns the record in memory with an id, without changing the recency order or the statistics.
  @inlinable
  mutating func peek<R: GraphRecord>(_ id: R.ID, as type: R.Type) -> R? {
    if needsReadCheck {
      if isTooStale { return nil }
      if let applying { return applying.read(id, as: type, map).element }
    }
    return map.peek(id, as: type)
  }

  /// Returns whether a record is in memory.
  @inlinable
  mutating func contains<R: GraphRecord>(_ id: R.ID, as type: R.Type) -> Bool {
    if needsReadCheck {
      if isTooStale { return false }
      if let applying { return applying.read(id, as: type, map).isPresent }
    }
    return map.contains(id, as: type)
  }

  /// Returns the record in memory with an id, and makes it the most recently used unless a commit
  /// is being applied.
  @inlinable
  mutating func read<R: GraphRecord>(_ id: R.ID, as type: R.Type) -> R? {
    if needsReadCheck, let applying { return applying.read(id, as: type, map).element }
    return map.read(id, as: type)?.pointee
  }

  /// Takes the work to do outside the lock.
  mutating func effects(of outcome: Loader.Outcome = Loader.Outcome()) -> Effects {
    var effects = Effects(removals: map.takeRemovals(), listeners: [])
    if !effects.removals.isEmpty { effects.listeners = Array(listeners.values) }
    reportFailures(outcome.toleratedFailures)
    for waiter in outcome.ready {
      if let load = loads.removeValue(forKey: waiter) {
        effects.resumptions.append((load, .success(())))
      }
    }
    for (waiter, error) in outcome.failed {
      if let load = loads.removeValue(forKey: waiter) {
        effects.resumptions.append((load, .failure(error)))
      }
    }
    for batch in outcome.abandoned {
      if let fetch = fetches[batch] { effects.abandoned.append(fetch) }
    }
    effects.resumptions += observerWaits.takeWoken().map { ($0, .success(())) }
    if map.isAlarmWanted {
      map.isAlarmWanted = false
      effects.awaitExpiry = awaitExpiry
    }
    if map.hasDropped { effects.dropped = map.takeDropped() }
    if recentGraphs.isStale(in: map) { effects.dropped += recentGraphs.takeAll() }
    if !observers.isEmpty { effects.dropped += observers.takeDropped() }
    return effects
  }
}

/// The writes of the store.
struct StoreWrites {
  /// The number of writes that have ended: data read from the store before may be out of date.
  private(set) var count: UInt64 = 0
  /// Whether a write is in progress: data read from the store may be from before it or after it.
  var isUnderway = false

  mutating func end() {
    count += 1
    isUnderway = false
  }
}

/// Work that a change of the state requires, done once the lock is released.
struct Effects: Sendable {
  var removals: [RemovedElement]
  var listeners: [@Sendable (GraphCache.Removal) -> Void]
  var resumptions: [(Promise<Void>, Result<Void, any Error>)] = []
  var abandoned: [Task<Void, Never>] = []
  /// Waits until a record expires.
  var awaitExpiry: (@Sendable () -> Void)?
  /// Values to destroy: their deinitialisers may use the cache.
  var dropped: [any Sendable] = []

  /// Cancels, notifies and resumes, in this order.
  func perform() {
    for fetch in abandoned { fetch.cancel() }
    if !listeners.isEmpty {
      // Work that a listener starts is not work that a store call would wait for.
      CallPath.$current.withValue([]) {
        for removal in removals.lazy.compactMap({ GraphCache.Removal($0) }) {
          for listener in listeners { listener(removal) }
        }
      }
    }
    for (promise, result) in resumptions { promise.resolve(result) }
    awaitExpiry?()
    withExtendedLifetime(self) {}
  }
}
