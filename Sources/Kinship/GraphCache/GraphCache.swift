/// An in-memory cache of a graph of records: one truth for each identity, loaded by generations,
/// resolved lazily, bounded by exact LRU.
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store, capacity: 10_000)
/// let family = try await cache.graph(of: Ref<Person>(42), .generations(3))
/// let grandmother = family.root.father?.mother?.name
/// ```
///
/// The cache is an actor: one call after another writes. For many reads and writes in one call, use
/// ``perform(_:)``. For a synchronous read from any thread, use ``peek(_:)``.
///
/// Without a backing store the cache is just a cache: what it evicts is gone. With one, it is the
/// part of the store's records that is in memory; `put`, `replace`, `update` and `remove` change
/// what the cache knows, not the store.
public actor GraphCache: CustomDebugStringConvertible {
  /// The record types that the cache knows.
  public nonisolated let schema: GraphSchema
  /// How many generations a graph has when no plan is given.
  public nonisolated let generations: Int
  /// The largest number of records in memory at rest.
  public nonisolated let capacity: Int
  /// The largest sum of the records' costs in memory at rest.
  public nonisolated let costLimit: Int

  @usableFromInline nonisolated let defaultRules: PlanRules
  nonisolated let store: (any BackingStore)?
  /// By the number of the type, how old what is known may be where a reader does not say.
  nonisolated let freshness: ContiguousArray<Freshness?>
  /// The same, as ages below which nothing needs to be considered.
  @usableFromInline nonisolated let quickLimits: ContiguousArray<Age>
  /// Whether that is said of any type.
  @usableFromInline nonisolated let hasFreshness: Bool
  /// Whether a type has a unique index that memory alone keeps.
  @usableFromInline nonisolated let keepsUnique: Bool
  /// How long the store may take for a call.
  nonisolated let deadlines: (fetch: Duration?, commit: Duration?)
  nonisolated let clock: any Clock<Duration>
  /// The time since the cache was made, by its clock.
  nonisolated let elapsed: @Sendable () -> Duration
  nonisolated let executor: (any TaskExecutor)?
  /// One transaction after another.
  nonisolated let turns = TurnQueue()
  /// One capture of the records after another, and one restoration.
  nonisolated let captureTurns = TurnQueue()
  nonisolated let restorationTurns = TurnQueue()
  /// What is shown and not yet made by the store, in order.
  var pending: [PendingEntry] = []
  var lastPending: UInt64 = 0
  /// The queue of what is shown, if one was resumed.
  var offline: OfflineState?
  /// By type: the ids that the store has reserved and nobody has used, and how many it has reserved
  /// so far.
  var spareIDs: [TypeNumber: ReservedIDs.List] = [:]
  var usedIDs: [TypeNumber: Int] = [:]
  /// Whether what is shown must be made anew before the store makes it: what it is based on may
  /// have changed.
  var needsAnew = false
  /// What the store is making; until memory has followed, what was invalidated meanwhile.
  var committing: ChangeSet?
  var disputes: Set<AnyRef>?
  /// The same, as the log of a store that is followed may name it.
  var commit: CommitID?
  @usableFromInline nonisolated let state: CallerLock<CacheState>
  nonisolated let strictness: Strictness
  /// Keeps account of what takes a while, if the cache is traced.
  nonisolated let recorder: WorkRecorder?
  /// How many records a call to the store brings.
  nonisolated let batchSize: Int
  /// What was handed out of late, if the cache is strict.
  var watch: LoadWatch?
  /// How many watch what is read: the cache itself if it is strict, and who learns plans.
  @usableFromInline var watchers: Int
  /// The closure of a transaction, while it runs.
  @usableFromInline nonisolated let transacting = TransactionClosure()

  /// Makes a cache for record types.
  ///
  /// - Parameters:
  ///   - types: The record types, each once.
  ///   - store: Where records come from that are not in memory; none makes a plain cache.
  ///   - capacity: The largest number of records in memory at rest. This and the next two must not
  ///     be negative.
  ///   - costLimit: The largest sum of the records' costs in memory at rest.
  ///   - generations: How many generations a graph has when no plan is given.
  ///   - fetching: How much is asked of the store at a time, and how long it may take.
  ///   - commitDeadline: How long the store may take to make a transaction's changes, by the clock;
  ///     `nil` for as long as it likes. One that takes longer fails with
  ///     ``KinshipError/deadlineExceeded(_:_:)``: nobody knows what has become of it.
  ///   - freshness: How old what is known may be of types that do not say so themselves, or that
  ///     are to be otherwise here.
  ///   - executor: Where the cache's own tasks run: the calls to the store. Tests set it, to run
  ///     them in an order of their choice.
  ///   - clock: What tells the ages of records and the deadlines of calls. Tests set it, to let
  ///     time pass as they like.
  ///   - strictness: What to make of records that are loaded by themselves, though a plan would
  ///     have brought them along.
  ///   - tracing: Whether to keep account of what the cache's work takes, and whom to tell of it.
  /// - Throws: What ``GraphSchema/init(_:)`` throws.
  public init<each R: GraphRecord>(
    for types: repeat (each R).Type, store: (any BackingStore)? = nil, capacity: Int = .max,
    costLimit: Int = .max, generations: Int = 1, fetching: FetchLimits = FetchLimits(),
    commitDeadline: Duration? = nil, freshness: [FreshnessRule] = [],
    executor: (any TaskExecutor)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    strictness: Strictness = .off, tracing: Tracing = .off
  ) throws(KinshipError) {
    try self.init(
      schema: GraphSchema(repeat each types), store: store, capacity: capacity,
      costLimit: costLimit,
      generations: generations, fetching: fetching, commitDeadline: commitDeadline,
      freshness: freshness, executor: executor, clock: clock, strictness: strictness,
      tracing: tracing)
  }

  /// Makes a cache for a schema.
  ///
  /// - Parameters:
  ///   - schema: The record types.
  ///   - store: Where records come from that are not in memory; none makes a plain cache.
  ///   - capacity: The largest number of records in memory at rest. This and the next two must not
  ///     be negative.
  ///   - costLimit: The largest sum of the records' costs in memory at rest.
  ///   - generations: How many generations a graph has when no plan is given.
  ///   - fetching: How much is asked of the store at a time, and how long it may take.
  ///   - commitDeadline: How long the store may take to make a transaction's changes, by the clock;
  ///     `nil` for as long as it likes. One that takes longer fails with
  ///     ``KinshipError/deadlineExceeded(_:_:)``: nobody knows what has become of it.
  ///   - freshness: How old what is known may be of types that do not say so themselves, or that
  ///     are to be otherwise here.
  ///   - executor: Where the cache's own tasks run: the calls to the store.
  ///   - clock: What tells the ages of records and the deadlines of calls.
  ///   - strictness: What to make of records that are loaded by themselves, though a plan would
  ///     have brought them along.
  ///   - tracing: Whether to keep account of what the cache's work takes, and whom to tell of it.
  public init(
    schema: GraphSchema, store: (any BackingStore)? = nil, capacity: Int = .max,
    costLimit: Int = .max, generations: Int = 1, fetching: FetchLimits = FetchLimits(),
    commitDeadline: Duration? = nil, freshness: [FreshnessRule] = [],
    executor: (any TaskExecutor)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    strictness: Strictness = .off, tracing: Tracing = .off
  ) {
    self.schema = schema
    self.store = store
    self.strictness = strictness
    batchSize = fetching.batchSize
    watch = strictness.isOff ? nil : LoadWatch(schema)
    watchers = strictness.isOff ? 0 : 1
    let freshness = FreshnessRule.table(of: schema, freshness)
    self.freshness = freshness
    quickLimits = ContiguousArray(freshness.map { $0?.quickLimit ?? Age(tenths: .max) })
    hasFreshness = store != nil && freshness.contains { $0 != nil }
    keepsUnique = store == nil && schema.hasUnique
    self.executor = executor
    self.clock = clock
    let elapsed = clock.stopwatch()
    self.elapsed = elapsed
    recorder = tracing.isOn ? WorkRecorder(telling: tracing.tracer, elapsed: elapsed) : nil
    deadlines = (fetching.deadline, commitDeadline)
    self.generations = generations.checked(atLeast: 0, "generations")
    defaultRules = PlanRules(allGenerations: generations)
    self.capacity = capacity.checked(atLeast: 0, "capacity")
    self.costLimit = costLimit.checked(atLeast: 0, "costLimit")
    state = CallerLock(
      CacheState(
        schema: schema, limits: Limits(count: capacity, cost: costLimit), fetching: fetching,
        hasStore: store != nil, clock: clock, elapsed: elapsed, isWatched: !strictness.isOff))
    beginExpiring()
  }

  /// Runs a closure with the cache to itself: many synchronous reads and writes in one call.
  ///
  /// ```swift
  /// let names = await cache.perform { cache in
  ///   refs.compactMap { cache[$0]?.name }
  /// }
  /// ```
  ///
  /// Each write in it is seen by ``peek(_:)`` at once. To the ages of records it is one moment, or
  /// a few if it writes many.
  ///
  /// - Parameter body: What to do. Nothing else writes while it runs.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable
  public func perform<T, E: Error>(
    _ body: @Sendable (isolated GraphCache) throws(E) -> sending T
  ) throws(E) -> sending T {
    take()
    defer { giveBack() }
    return try body(self)
  }

  /// Keeps others out, but for those who peek.
  @usableFromInline
  func take() {
    state.withLock { state in
      state.detours += 1
      state.map.clock.beginMoment()
    }
  }

  @usableFromInline
  func giveBack() {
    state.withLock { state in
      state.detours -= 1
      state.map.clock.endMoment()
    }
  }

  @usableFromInline
  func beginMoment() { state.withLock { $0.map.clock.beginMoment() } }

  @usableFromInline
  func endMoment() { state.withLock { $0.map.clock.endMoment() } }

  /// What is wrong inside, in words: nothing, unless the cache has a defect.
  ///
  /// It is for tests, of the cache and of what is built on it.
  ///
  /// - Returns: The contradictions between the cache's structures.
  /// - Complexity: O(*n*) in the records.
  public func audit() -> [String] {
    state.withLock { state in
      var failures = state.map.audit() + state.loader.audit(state.map)
      if state.loads.count != state.loader.waiterCount {
        failures.append("\(state.loads.count) promises to waiters")
      }
      if state.fetches.count != state.loader.flightCount {
        failures.append("\(state.fetches.count) tasks of batches")
      }
      if state.map.reportsRemovals != !state.listeners.byNumber.isEmpty {
        failures.append("removals are reported to nobody, or not reported")
      }
      failures += state.observers.audit() + state.observerWaits.audit(state.observers)
      for edge in schema.relationships.joined() {
        failures += edge.operations.audit(state.map)
      }
      for type in schema.types { failures += state.auditIndexes(of: type, schema) }
      return failures
    }
  }
}
