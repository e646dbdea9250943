import Kinship
import KinshipDiagnostics
import KinshipTestSupport

/// A cache and its reference model, which get the same commands and are compared after each.
struct CacheBesideModel<ID: TestID>: Sendable {
  /// The configuration of the cache, by the seed.
  struct Configuration: Sendable {
    let capacity: Int
    let costLimit: Int
    let hasStore: Bool
    let fetching: FetchLimits
    /// Whether the cache is strict, which changes no answer.
    let isStrict: Bool
    /// Whether the cache is traced, which changes no answer either.
    let isTraced: Bool

    init(seed: UInt64) {
      var generator = SplitMix64(seed: SplitMix64.subseed(1, of: seed))
      capacity = [0, 1, 2, 3, 5, 8, .max].randomElement(using: &generator) ?? 1
      costLimit = [.max, .max, 0, 4, 9, 20].randomElement(using: &generator) ?? 1
      hasStore = generator.chance(0.8)
      fetching = FetchLimits(
        batchSize: [1, 2, .max, .max].randomElement(using: &generator) ?? 1,
        concurrentBatches: Int.random(in: 1...3, using: &generator))
      isStrict = generator.chance(0.3)
      isTraced = generator.chance(0.3)
    }
  }

  let cache: GraphCache
  let clock = ManualClock()
  let store = MemoryStore()
  /// The store as the cache sees it: it fails on request.
  let refusing: ScriptedStore
  var model: ReferenceCache
  var graphs: [(actual: HeldGraph<ID>, expected: ReferenceGraph)] = []
  var leases: [(lease: GraphCache.Lease, keys: [Key])] = []
  var subscription: GraphCache.RemovalSubscription?
  /// The capture being read, and the result of the last one.
  var capture: CaptureBesideModel?
  var captured: CapturedContents?
  let log = RemovalLog<ID>()
  /// The traced work of the cache, if it is traced.
  let tracer: WorkCounter?
  /// The observations of the objects in records when they were released.
  let witnesses: Witness.Log

  init(
    _ configuration: Configuration, executor: (any TaskExecutor)?, _ witnesses: Witness.Log
  ) throws {
    self.witnesses = witnesses
    refusing = ScriptedStore(over: store)
    tracer = configuration.isTraced ? WorkCounter() : nil
    cache = try GraphCache(
      for: Author<ID>.self, Work<ID>.self, store: configuration.hasStore ? refusing : nil,
      capacity: configuration.capacity, costLimit: configuration.costLimit,
      fetching: configuration.fetching, executor: executor, clock: clock,
      strictness: configuration.isStrict ? .report { _ in } : .off,
      tracing: tracer.map { .on(notifying: $0) } ?? .off)
    witnesses.watch(cache)
    model = ReferenceCache(
      capacity: configuration.capacity, costLimit: configuration.costLimit,
      batchSize: configuration.fetching.batchSize, hasStore: configuration.hasStore)
  }

  /// Gives a command to both, and compares their answers and their contents.
  mutating func apply(_ command: CacheCommand) async throws {
    let before = model
    try await perform(command)
    // Of several batches, the first to arrive counts.
    if command.dependsOnBatches, !model.isUnlimited || command.passes {
      let after = model
      try adopt(isStoreKnown: false) { key in
        if after.missing.contains(key) { return nil }
        return after.records[key] ?? before.records[key] ?? after.store?[key]
      }
    }
    try await verifyState(removalsAreOrdered: command.ordersRemovals)
    try verifyEqual(witnesses.endsUnderLock, 0, "what was destroyed under the cache's lock")
  }

  /// Releases everything and verifies that nothing is left behind.
  mutating func finish() async throws {
    for (actual, expected) in graphs { try actual.verify(expected) }
    try endCapture()
    leases = []
    subscription = nil
    await cache.removeAll()
    let statistics = cache.statistics
    try verifyEqual(statistics.leases, 0, "the leases at the end")
    try verifyEqual(statistics.listeners, 0, "the listeners at the end")
    try verifyEqual(statistics.count, 0, "the records at the end")
    try verifyEqual(await cache.audit(), [], "the audit at the end")
  }
}

extension CacheCommand {
  /// Whether removals have a definite order: `removeAll` leaves it open, and so do several batches
  /// that load records again, or for a one-off scan.
  fileprivate var ordersRemovals: Bool {
    if case .removeAll = self { false } else { !dependsOnBatches }
  }

  /// Whether loaded records enter at the least recently used end, the first to enter nearest to it.
  fileprivate var passes: Bool {
    switch self {
    case .graph(_, let plan), .graphs(_, _, let plan, _), .expand(_, _, let plan, _),
      .graphWithin(_, let plan, _):
      plan.isPassing
    default: false
    }
  }

  /// Whether the records that fit depend on the first batch: if records in memory are loaded again,
  /// or for a one-off scan.
  fileprivate var dependsOnBatches: Bool {
    switch self {
    case .findWithin, .refresh, .graphWithin, .queryWithin, .graphs(_, _, _, within: _?),
      .expand(_, _, _, within: _?):
      true
    default: passes
    }
  }
}
