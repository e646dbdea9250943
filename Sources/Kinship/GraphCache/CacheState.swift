/// Everything that changes in a cache, behind one lock.
///
/// The lock is held for a few operations at a time and never while foreign code runs: no closure of
/// a user but those of `read` and `reduce`, no continuation, no cancellation handler. The actor is
/// the only one that writes records; `peek`, cancelled waiters and ended leases come in from other
/// threads.
@usableFromInline
struct CacheState: ~Copyable {
  @usableFromInline var map: IdentityMap
  var marks = TraversalMarks()
  var warmWalk: WarmWalk
  var plans = RecentPlans()
  var recentGraphs = RecentGraphs()
  var loader: Loader
  /// What those who wait for loads were promised.
  var loads = Numbered<Promise<Void>>()
  /// What was too old to be kept, for those who waited for it.
  var handed: [Loader.WaiterID: [ClaimTable.Place: any Sendable]] = [:]
  var fetches: [Loader.BatchID: Task<Void, Never>] = [:]
  /// Whether a task is about to make batches of what is asked for.
  var isGathering = false
  /// Who waits for whom, as far as anybody could wait for themselves.
  var waits = WaitGraph()
  /// How many walks have not ended, and those of them that wait for records, by their waiters.
  var walks: (count: Int, waiting: [Loader.WaiterID: Traversals]) = (0, [:])
  /// Where walks go on from what is asked for and not in a batch yet.
  var continuations = Continuations()
  /// How many closures have the cache to themselves, one within another, and how many watch what is
  /// read: while there are any, reads take a turn of the actor.
  @usableFromInline var detours = 0
  /// Records that readers see already, while the map takes them over in chunks.
  @usableFromInline var arriving: Staging? { didSet { noteLooks() } }
  /// Whether readers must look at more than the map: records arrive, or a store is followed.
  @usableFromInline var looksTwice = false
  var storeWrites = StoreWrites()
  var openQueries = OpenQueries()
  /// Until when what is not fresh of a type is not asked for in the background: the store has
  /// failed.
  var revalidationPauses: [TypeNumber: Stamp] = [:]
  /// Waits until records are too old to stay, if any ever are.
  var awaitExpiry: (@Sendable () -> Void)?
  /// For which moment a task waits.
  var nextExpiry: Stamp?
  var pendingWrites = 0
  var leases = LeaseRegistry()
  var listeners = RemovalListeners()
  var observers: ObserverRegistry
  var observerWaits = ObserverWaits()
  /// What is known of a store that others change too, if one is followed.
  var following: FollowingState? { didSet { noteLooks() } }
  private var tickedClock: TickedClock
  var lastFollowing: UInt64 = 0
  /// Up to where that is known which was restored while no store was followed.
  var restoredPlaces: [StoreCursor] = []
  /// By the number of the type, if a query could use one: its indexes over the records in memory.
  var indexes: [TypeNumber: AnyObject] = [:]

  init(
    schema: GraphSchema, limits: Limits, fetching: FetchLimits, hasStore: Bool,
    clock: any Clock<Duration>, elapsed: @escaping @Sendable () -> Duration, isWatched: Bool
  ) {
    tickedClock = TickedClock(isContinuous: clock is ContinuousClock, reading: elapsed)
    map = IdentityMap(
      operations: schema.entries.map(\.tableOperations), limits: limits,
      isAuthoritative: !hasStore, clock: clock)
    warmWalk = WarmWalk(typeCount: schema.types.count)
    loader = Loader(schema: schema, limits: fetching)
    observers = ObserverRegistry(schema: schema, hasStore: hasStore)
    if isWatched { detours = 1 }
    if !hasStore { beginUniqueIndexes(schema) }
  }

  /// Whether a closure has the cache to itself, or somebody watches what is read.
  @inlinable var isTaken: Bool { detours > 0 }

  /// Whether what memory holds must not be served any longer: a store is followed, and the timer is
  /// late that would have it dropped.
  @inlinable var isPast: Bool {
    mutating get { looksTwice && isPastBound() }
  }

  @usableFromInline
  mutating func isPastBound() -> Bool {
    guard let end = following?.end else { return false }
    return end < tickedClock.now()
  }

  private mutating func noteLooks() { looksTwice = arriving != nil || following?.end != nil }

  /// The record in memory with an id, without a trace.
  @inlinable
  mutating func peek<R: GraphRecord>(_ id: R.ID, as type: R.Type) -> R? {
    if looksTwice {
      if isPast { return nil }
      if let arriving { return arriving.read(id, as: type, map).element }
    }
    return map.peek(id, as: type)
  }

  /// Whether a record is in memory.
  @inlinable
  mutating func contains<R: GraphRecord>(_ id: R.ID, as type: R.Type) -> Bool {
    if looksTwice {
      if isPast { return false }
      if let arriving { return arriving.read(id, as: type, map).isPresent }
    }
    return map.contains(id, as: type)
  }

  /// The record in memory with an id, which becomes the most recently used: but while something
  /// arrives, that leaves no trace.
  @inlinable
  mutating func read<R: GraphRecord>(_ id: R.ID, as type: R.Type) -> R? {
    if looksTwice, let arriving { return arriving.read(id, as: type, map).element }
    return map.read(id, as: type)?.pointee
  }

  /// Takes what must be done outside of the lock.
  mutating func effects(of outcome: Loader.Outcome = Loader.Outcome()) -> Effects {
    var effects = Effects(removals: map.takeRemovals(), listeners: [])
    if !effects.removals.isEmpty { effects.listeners = Array(listeners.byNumber.values) }
    tell(outcome.borne)
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
  /// How many have ended: what was read from the store before may be out of date.
  private(set) var count: UInt64 = 0
  /// Whether one is under way: what is read from the store may be of before or of after.
  var isUnderway = false

  mutating func end() {
    count += 1
    isUnderway = false
  }
}

/// What a change of the state asks of the world; done once the lock is released.
struct Effects: Sendable {
  var removals: [RemovedElement]
  var listeners: [@Sendable (GraphCache.Removal) -> Void]
  var resumptions: [(Promise<Void>, Result<Void, any Error>)] = []
  var abandoned: [Task<Void, Never>] = []
  /// Waits until a record is too old to stay.
  var awaitExpiry: (@Sendable () -> Void)?
  /// What is to be destroyed: what ends with it may use the cache.
  var dropped: [any Sendable] = []

  /// Cancels, tells and resumes, in this order.
  func perform() {
    for fetch in abandoned { fetch.cancel() }
    if !listeners.isEmpty {
      // What a listener begins is nothing that a call of the store would wait for.
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
