import KinshipTestSupport
import Testing

@testable import Kinship

/// A cache over a store that refuses at random, given optimistic and other writes.
struct OptimisticTrial {
  typealias Account = OptimisticWriteTests.Account
  typealias Receipt = OptimisticWriteTests.Receipt

  private let memory = MemoryStore()
  private let store: ScriptedStore
  private let cache: GraphCache

  init(seed: UInt64, executor: any TaskExecutor) throws {
    store = ScriptedStore(
      over: memory,
      script: StoreScript { call, generator in
        let isRefused = call.kind == .apply && generator.chance(0.3)
        return StoreBehavior(
          pause: .yields(Int.random(in: 0...6, using: &generator)),
          failure: isRefused ? ScriptedFailure(call: call.number) : nil)
      }, seed: seed)
    cache = try GraphCache(
      for: Account.self, Receipt.self, store: store,
      capacity: seed.isMultiple(of: 2) ? 2 : .max, executor: executor)
  }

  func run(_ operations: [OptimisticWriteTests.Operation]) async throws {
    var pending: [GraphCache.PendingWrite] = []
    var changes: [Int: OptimisticWriteTests.Change] = [:]
    for (number, operation) in operations.enumerated() {
      switch operation {
      case .optimistic(let change):
        changes[number] = change
        let write = try? await cache.writeOptimistically { tx in
          try tx.insert(Receipt(id: number))
          try change.make(in: &tx)
        }
        if let write { pending.append(write) }
      case .plain(let change):
        changes[number] = change
        _ = try? await cache.write { tx in
          try tx.insert(Receipt(id: number))
          try change.make(in: &tx)
        }
      case .evict(let id): await cache.evict(Ref<Account>(id))
      case .pause(let turns): for _ in 0..<turns { await Task.yield() }
      }
      try verifyEqual(await cache.audit(), [], "the audit")
    }
    for write in pending { _ = try? await write.outcome() }
    try await verifyEnd(changes)
  }

  /// The writes that the store accepted, in its order, give the contents of the store and of
  /// memory.
  private func verifyEnd(_ changes: [Int: OptimisticWriteTests.Change]) async throws {
    var accounts: [Int: Account] = [:]
    for call in store.calls where call.kind == .apply {
      guard case .answered = call.outcome,
        let number = call.refs.lazy.compactMap({ $0.as(Receipt.self)?.id }).first,
        let change = changes[number]
      else { continue }
      try verify(change.make(in: &accounts), "the store took \(change), which cannot be made")
    }
    for id in 0..<4 {
      let ref = Ref<Account>(id)
      try verifyEqual(memory[ref], accounts[id], "account \(id) in the store")
      try verifyEqual(try await cache.find(ref), accounts[id], "account \(id) in the cache")
    }
    let statistics = cache.statistics
    try verifyEqual(statistics.pendingWrites, 0, "pending writes")
    try verifyEqual(statistics.leases, 0, "leases")
    try verifyEqual(cache.turns.count, 0, "turns")
    try verifyEqual(await cache.audit(), [], "the audit")
  }
}
