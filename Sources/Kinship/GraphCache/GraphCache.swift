/// An in-memory cache of a graph of records, with one value per identity, lazy loading and exact
/// LRU eviction.
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store, capacity: 10_000)
/// let family = try await cache.graph(of: Ref<Person>(42), .generations(3))
/// let grandmother = family.root.father?.mother?.name
/// ```
///
/// The cache is an actor: calls that write run one after another. For many reads and writes in one
/// call, use ``perform(_:)``. For a synchronous read from any thread, use ``peek(_:)->R?``.
///
/// Without a backing store, an evicted record is gone. With a backing store, the cache holds a part
/// of the store's records in memory. `put`, `update` and `remove` change the cache, not the store.
public actor GraphCache: CustomDebugStringConvertible {
  /// The record types that the cache knows.
  public nonisolated let schema: GraphSchema
  /// The number of generations of a graph that is loaded without a plan.
  public nonisolated let generations: Int
  /// The largest number of records in memory at rest.
  public nonisolated let capacity: Int
  /// The largest sum of the records' costs in memory at rest.
  public nonisolated let costLimit: Int

  @usableFromInline nonisolated let defaultRules: PlanRules
  nonisolated let store: (any BackingStore)?
  /// The freshness of each type by number, for reads that do not specify one.
  nonisolated let freshness: ContiguousArray<Freshness?>
  /// The ages, by type number, below which no freshness check is necessary.
  @usableFromInline nonisolated let quickLimits: ContiguousArray<Age>
  /// Whether any type has a freshness.
  @usableFromInline nonisolated let hasFreshness: Bool
  /// Whether a type has a unique index that only memory enforces.
  @usableFromInline nonisolated let keepsUnique: Bool
  /// The deadlines of store calls.
  nonisolated let deadlines: (fetch: Duration?, commit: Duration?)
  package nonisolated let clock: any Clock<Duration>
  /// The relationships that each view has followed.
  nonisolated let viewPlans: Lock<[ViewKey: PlanDraft]> = Lock([:])
  /// The time since the cache was created, by its clock.
  package nonisolated let elapsed: @Sendable () -> Duration
  package nonisolated let executor: (any TaskExecutor)?
  /// The queue of transactions.
  nonisolated let turns = TurnQueue()
  /// The queue of captures and restorations.
  nonisolated let captureTurns = TurnQueue()
  nonisolated let restorationTurns = TurnQueue()
  /// The pending writes, in order.
  var pending: [PendingEntry] = []
  /// The resumed queue of optimistic writes, if there is one.
  var offline: OfflineState?
  /// By type: the reserved ids that no write has used, and how many the store has reserved so far.
  var spareIDs: [TypeNumber: ReservedIDs.List] = [:]
  var usedIDs: [TypeNumber: Int] = [:]
  /// Whether pending writes must be re-run before they are committed, because the values that they
  /// are based on may have changed.
  var needsRerun = false
  /// The changes that the store is committing, and, until memory has followed, the refs that were
  /// invalidated meanwhile.
  var committing: ChangeSet?
  var invalidatedDuringCommit: Set<AnyRef>?
  /// The same commit, as the log of a followed store may name it.
  var commit: CommitID?
  @usableFromInline nonisolated let state: CallerLock<CacheState>
  nonisolated let strictness: Strictness
  /// Records the duration of work, if the cache is traced.
  package nonisolated let recorder: (any WorkRecording)?
  /// The number of records that one store call returns.
  nonisolated let batchSize: Int
  /// The records that were returned recently, if the cache is strict.
  var watch: LoadWatch?
  /// The number of watchers of reads: the cache itself if it is strict, and callers that learn
  /// plans.
  @usableFromInline var watchers: Int
  /// The transaction closure that is running.
  @usableFromInline nonisolated let transacting = TransactionClosure()

  /// Creates a cache for record types.
  ///
  /// - Parameters:
  ///   - types: The record types, each once.
  ///   - store: The source of records that are not in memory; `nil` for a plain cache.
  ///   - capacity: The largest number of records in memory at rest. This and the next two must not
  ///     be negative.
  ///   - costLimit: The largest sum of the records' costs in memory at rest.
  ///   - generations: The number of generations of a graph that is loaded without a plan.
  ///   - fetching: The limits on the calls to the store.
  ///   - commitDeadline: The time limit for a commit of the store, by the clock; `nil`
  ///     for no limit. A commit that takes longer fails with
  ///     ``KinshipError/deadlineExceeded(_:_:)``, and its outcome is unknown.
  ///   - freshness: The freshness of types that do not declare one, or whose declaration this cache
  ///     overrides.
  ///   - executor: The executor of the cache's own tasks, which call the store. Tests set it to
  ///     control their order.
  ///   - clock: The clock for the ages of records and the deadlines of calls. Tests set it to
  ///     control the time.
  ///   - strictness: How to report loads of single records that a plan could have included; `nil`
  ///     for ``Strictness/off``, unless the trait of a running test sets it.
  ///   - tracing: Whether to measure the cache's work.
  /// - Throws: The errors of ``GraphSchema/init(_:)``.
  public init<each R: GraphRecord>(
    for types: repeat (each R).Type, store: (any BackingStore)? = nil, capacity: Int = .max,
    costLimit: Int = .max, generations: Int = 1, fetching: FetchLimits = FetchLimits(),
    commitDeadline: Duration? = nil, freshness: [FreshnessRule] = [],
    executor: (any TaskExecutor)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    strictness: Strictness? = nil, tracing: Tracing = .off
  ) throws(KinshipError) {
    try self.init(
      schema: GraphSchema(repeat each types), store: store, capacity: capacity,
      costLimit: costLimit,
      generations: generations, fetching: fetching, commitDeadline: commitDeadline,
      freshness: freshness, executor: executor, clock: clock, strictness: strictness,
      tracing: tracing)
  }

  /// Creates a cache for a schema.
  ///
  /// - Parameters:
  ///   - schema: The record types.
  ///   - store: The source of records that are not in memory; `nil` for a plain cache.
  ///   - capacity: The largest number of records in memory at rest. This and the next two must not
  ///     be negative.
  ///   - costLimit: The largest sum of the records' costs in memory at rest.
  ///   - generations: The number of generations of a graph that is loaded without a plan.
  ///   - fetching: The limits on the calls to the store.
  ///   - commitDeadline: The time limit for a commit of the store, by the clock; `nil`
  ///     for no limit. A commit that takes longer fails with
  ///     ``KinshipError/deadlineExceeded(_:_:)``, and its outcome is unknown.
  ///   - freshness: The freshness of types that do not declare one, or whose declaration this cache
  ///     overrides.
  ///   - executor: The executor of the cache's own tasks, which call the store.
  ///   - clock: The clock for the ages of records and the deadlines of calls.
  ///   - strictness: How to report loads of single records that a plan could have included; `nil`
  ///     for ``Strictness/off``, unless the trait of a running test sets it.
  ///   - tracing: Whether to measure the cache's work.
  public init(
    schema: GraphSchema, store: (any BackingStore)? = nil, capacity: Int = .max,
    costLimit: Int = .max, generations: Int = 1, fetching: FetchLimits = FetchLimits(),
    commitDeadline: Duration? = nil, freshness: [FreshnessRule] = [],
    executor: (any TaskExecutor)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    strictness: Strictness? = nil, tracing: Tracing = .off
  ) {
    self.schema = schema
    self.store = store
    let strictness = strictness ?? .standard
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
    recorder = tracing.makeRecorder?(elapsed)
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

  /// Runs a closure with exclusive access to the cache: many synchronous reads and writes in one
  /// call.
  ///
  /// ```swift
  /// let names = await cache.perform { cache in
  ///   refs.compactMap { cache[$0]?.name }
  /// }
  /// ```
  ///
  /// The closure cannot wait, so load first what it reads. If it throws, its earlier writes are not
  /// undone. ``peek(_:)->R?`` sees each write of the closure at once. For the ages of records, all
  /// writes happen at one moment, or at a few moments if there are many.
  ///
  /// - Parameter body: The closure. Nothing else writes while it runs.
  /// - Returns: The closure's result.
  /// - Throws: Any error that the closure throws.
  @inlinable
  public func perform<T, E: Error>(
    _ body: @Sendable (isolated GraphCache) throws(E) -> sending T
  ) throws(E) -> sending T {
    enterExclusiveSection()
    defer { leaveExclusiveSection() }
    return try body(self)
  }

  /// Starts an exclusive section: others wait, except for `peek`.
  @usableFromInline
  func enterExclusiveSection() {
    state.withLock { state in
      state.exclusiveCount += 1
      state.map.clock.beginMoment()
    }
  }

  @usableFromInline
  func leaveExclusiveSection() {
    state.withLock { state in
      state.exclusiveCount -= 1
      state.map.clock.endMoment()
    }
  }

  @usableFromInline
  func beginMoment() { state.withLock { $0.map.clock.beginMoment() } }

  @usableFromInline
  func endMoment() { state.withLock { $0.map.clock.endMoment() } }

  /// Returns the inconsistencies in the cache's structures, in words: none, unless the cache has a
  /// defect.
  ///
  /// Use it in tests of the cache, and of code built on it.
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
      if state.map.reportsRemovals != !state.listeners.isEmpty {
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
