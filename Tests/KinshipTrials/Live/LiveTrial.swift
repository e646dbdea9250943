import KinshipTestSupport

@testable import Kinship

/// Random operations without concurrency.
///
/// After each of them, every observer's value equals a new answer.
package final class LiveTrial {
  private let memory: MemoryStore
  private let scripted: ScriptedStore
  private let cache: GraphCache
  private let hasStore: Bool
  private var clubModel: ClubModel
  private var witnesses: [LiveWitness] = []
  private var changeCount = 0

  /// Follows answers while records change.
  ///
  /// - Parameters:
  ///   - capacity: The capacity of a cache over a store; `nil` for one without.
  ///   - seeds: How many lists of operations.
  /// - Returns: How many changes were made.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  package static func check(capacity: Int?, seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(seeds: seeds, steps: 30, generate: LiveOperation.random) {
      operations, _ in
      let trial = try await LiveTrial(hasStore: capacity != nil, capacity: capacity ?? 0)
      for operation in operations { try await trial.make(operation) }
      count += trial.changeCount
    }
    return count
  }

  private init(hasStore: Bool, capacity: Int) async throws {
    self.hasStore = hasStore
    var generator = SplitMix64(seed: 1)
    clubModel = .ofMany(using: &generator)
    memory = clubModel.store
    scripted = ScriptedStore(over: memory)
    cache =
      hasStore
      ? try GraphCache(for: Member.self, Club.self, store: scripted, capacity: capacity)
      : try GraphCache(for: Member.self, Club.self)
    if !hasStore {
      try await cache.put(contentsOf: Array(clubModel.members.values))
      try await cache.put(contentsOf: Array(clubModel.clubs.values))
    }
  }

  private func note(_ changes: [ClubModel.Change]) {
    for change in changes { clubModel.make(change) }
    changeCount += changes.count
  }

  private func write(_ changes: [ClubModel.Change]) async throws {
    try await cache.write { tx in for change in changes { try change.make(in: &tx) } }
    note(changes)
  }

  /// Others change the store, or the truth of a cache without one, and the cache is notified.
  private func makeOutside(_ change: ClubModel.Change) async throws {
    if hasStore {
      change.make(in: memory)
      await change.invalidate(in: cache)
    } else {
      try await change.put(in: cache)
    }
  }

  private func look() async throws {
    for index in witnesses.indices { try await witnesses[index].look(expecting: clubModel) }
    try verifyEqual(await cache.audit(), [], "the audit")
  }

  private func make(_ operation: LiveOperation) async throws {
    switch operation {
    case .observe(let question):
      if witnesses.count == 4 { witnesses.removeFirst() }
      witnesses.append(try await LiveWitness(question, in: cache))
    case .write(let changes):
      try await write(changes)
    case .writeTwice(let first, let second):
      try await write(first)
      try await write(second)
    case .show(let changes, let isRefused):
      guard hasStore else { return }
      let (before, gate) = (clubModel, Gate())
      scripted.follow(
        StoreScript { call, _ in
          if call.kind != .apply { return StoreBehavior() }
          return StoreBehavior(
            pause: .gate(gate), failure: isRefused ? ScriptedFailure(call: call.number) : nil)
        })
      let write = try await cache.writeOptimistically { tx in
        for change in changes { try change.make(in: &tx) }
      }
      note(changes)
      try await look()
      gate.open()
      do { try await write.outcome() } catch  where isRefused { clubModel = before }
      scripted.follow(.plain)
    case .outside(let change):
      note([change])
      try await makeOutside(change)
    case .reset(let change):
      guard hasStore else { return }
      note([change])
      change.make(in: memory)
      await cache.removeAll()
    case .deleteMany(let first):
      try await write((0..<40).map { .member((first + $0) % 60, nil) })
    case .evict(let id):
      if hasStore { _ = await cache.evict(Ref<Member>(id)) }
    case .invalidateAll:
      if hasStore { await cache.removeAll() }
    case .load(let question):
      _ = try await cache.find(question.query)
    }
    try await look()
  }
}
