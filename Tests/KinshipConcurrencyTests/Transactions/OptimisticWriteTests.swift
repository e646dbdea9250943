import Kinship
import KinshipTestSupport
import Testing

/// Optimistic writes.
struct OptimisticWriteTests {
  struct Account: GraphRecord, Equatable {
    let id: Int
    var balance = 0
    var note = ""
  }

  /// Identifies a committed write: each write inserts one.
  struct Receipt: GraphRecord, Equatable {
    let id: Int
  }

  /// A change of the accounts.
  ///
  /// The order of changes matters.
  enum Change: Command {
    /// Multiplies and adds.
    case adjust(Int, Int)
    case setNote(Int, String)
    case open(Int)
    case close(Int)
    case move(from: Int, to: Int)

    static func random(using generator: inout SplitMix64) -> Change {
      func account() -> Int { Int.random(in: 0..<4, using: &generator) }
      let amount = Int.random(in: 1...9, using: &generator)
      return switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4: .adjust(account(), amount)
      case 4, 5: .setNote(account(), "\(amount)")
      case 6: .open(account())
      case 7: .close(account())
      default: .move(from: account(), to: account())
      }
    }

    func make(in tx: inout GraphCache.Transaction) throws {
      switch self {
      case .adjust(let id, let amount):
        try tx.update(Ref<Account>(id)) { $0.balance = ($0.balance &* 3 &+ amount) % 1009 }
      case .setNote(let id, let note): try tx.update(Ref<Account>(id), \.note, to: note)
      case .open(let id): try tx.insert(Account(id: id))
      case .close(let id): try tx.delete(Ref<Account>(id))
      case .move(let from, let to):
        let amount = tx[Ref<Account>(from)]?.balance ?? 0
        tx[Ref<Account>(from)]?.balance = 0
        try tx.update(Ref<Account>(to)) { $0.balance = ($0.balance &+ amount) % 1009 }
      }
    }

    /// Applies the change to a dictionary; `false` if it cannot be applied.
    func make(in accounts: inout [Int: Account]) -> Bool {
      switch self {
      case .adjust(let id, let amount):
        guard let balance = accounts[id]?.balance else { return false }
        accounts[id]?.balance = (balance &* 3 &+ amount) % 1009
      case .setNote(let id, let note):
        if accounts[id] == nil { return false }
        accounts[id]?.note = note
      case .open(let id):
        if accounts[id] != nil { return false }
        accounts[id] = Account(id: id)
      case .close(let id): return accounts.removeValue(forKey: id) != nil
      case .move(let from, let to):
        let amount = accounts[from]?.balance ?? 0
        if accounts[to] == nil { return false }
        accounts[from]?.balance = 0
        let sum = (accounts[to]?.balance ?? 0) &+ amount
        accounts[to]?.balance = sum % 1009
      }
      return true
    }
  }

  enum Operation: Command {
    case optimistic(Change)
    case plain(Change)
    case evict(Int)
    case pause(Int)

    static func random(using generator: inout SplitMix64) -> Operation {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6: .optimistic(.random(using: &generator))
      case 6, 7: .plain(.random(using: &generator))
      case 8: .evict(Int.random(in: 0..<4, using: &generator))
      default: .pause(Int.random(in: 1...8, using: &generator))
      }
    }
  }

  @Test func `memory and store agree on all accepted writes in order`() throws {
    try Property.check(seeds: 120, steps: 24, generate: Operation.random) { commands, seed in
      try Schedule.run(seed: seed, limit: .max) { schedule in
        try await OptimisticTrial(seed: seed, executor: schedule.executor).run(commands)
      }
    }
  }

  @Test func `a write beyond the limit of pending writes waits for the first`() throws {
    try Schedule.run(seed: 1, limit: .max) { schedule in
      let gate = Gate()
      let store = ScriptedStore(
        over: MemoryStore(), script: .always(StoreBehavior(pause: .gate(gate))))
      let cache = try GraphCache(for: Receipt.self, store: store, executor: schedule.executor)
      let limit = GraphCache.maxPendingWrites
      await cache.perform { cache in
        for id in 0...limit { cache.remove(Ref<Receipt>(id)) }
      }
      for id in 0..<limit {
        try await cache.writeOptimistically { try $0.insert(Receipt(id: id)) }
      }
      let last = Task(executorPreference: schedule.executor) {
        try await cache.writeOptimistically { try $0.insert(Receipt(id: limit)) }
      }
      await schedule.waitUntilIdle()
      try verifyEqual(cache.statistics.pendingWrites, limit, "pending writes")
      try verify(!cache.contains(Ref<Receipt>(limit)), "one more is shown")
      gate.open()
      try await last.value.outcome()
      try verifyEqual(cache.statistics.pendingWrites, 0, "pending writes at the end")
    }
  }

  @Test func `a rejected write is rolled back and nothing else`() async throws {
    let memory = MemoryStore([Account(id: 1, balance: 10)])
    let gate = Gate()
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        guard call.kind == .apply else { return StoreBehavior() }
        let isFirst = call.refs.contains(AnyRef(Ref<Receipt>(1)))
        return StoreBehavior(
          pause: .gate(gate), failure: isFirst ? ScriptedFailure(call: call.number) : nil)
      })
    let cache = try GraphCache(for: Account.self, Receipt.self, store: store, capacity: 1)
    let ref: Ref<Account> = 1
    let first = try await cache.writeOptimistically { tx in
      try tx.insert(Receipt(id: 1))
      try tx.update(ref, \.note, to: "first")
    }
    let second = try await cache.writeOptimistically { tx in
      try tx.update(ref) { $0.balance += 5 }
    }
    #expect(cache.peek(ref) == Account(id: 1, balance: 15, note: "first"))
    #expect(cache.isPending(ref) && first.isPending && second.isPending)
    #expect(cache.statistics.pendingWrites == 2)
    #expect(await !cache.evict(ref))
    gate.open()
    await #expect(throws: (any Error).self) { try await first.outcome() }
    #expect(try await second.outcome().count == 1)
    #expect(cache.peek(ref) == Account(id: 1, balance: 15))
    #expect(memory[ref] == Account(id: 1, balance: 15))
    #expect(!cache.isPending(ref) && cache.statistics.pendingWrites == 0)
    #expect(cache.statistics.leases == 0)
  }

  /// The fate of a write's closure when it runs again, after an earlier write was rejected.
  enum Fate: CaseIterable, Sendable {
    case isApplied
    case fails
    /// It reads a record that is not in memory.
    case lacks
    /// It reads a record that cannot be loaded.
    case lacksForEver
  }

  static let fates = Fate.allCases.flatMap { first in
    Fate.allCases.flatMap { second in Fate.allCases.map { [first, second, $0] } }
  }

  @Test(arguments: fates)
  func `after a rejection all later writes that can be re-run are`(_ fates: [Fate]) async throws {
    struct Refusal: Error {}
    let memory = MemoryStore((1...3).map { Account(id: $0) })
    let gate = Gate()
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        let fails =
          call.refs.contains(AnyRef(Ref<Receipt>(0))) && call.kind == .apply
          || call.refs.contains(AnyRef(Ref<Account>(99)))
        let failure = fails ? ScriptedFailure(call: call.number) : nil
        if call.kind != .apply { return StoreBehavior(failure: failure) }
        return StoreBehavior(pause: .gate(gate), failure: failure)
      })
    let cache = try GraphCache(for: Account.self, Receipt.self, store: store)
    let rejected = try await cache.writeOptimistically { try $0.insert(Receipt(id: 0)) }
    var later: [GraphCache.PendingWrite] = []
    for (number, fate) in zip(1..., fates) {
      later.append(
        try await cache.writeOptimistically { tx in
          try tx.insert(Receipt(id: number))
          if tx.contains(Ref<Receipt>(0)) { return }
          switch fate {
          case .isApplied: break
          case .fails: throw Refusal()
          case .lacks: _ = tx[Ref<Account>(number)]
          case .lacksForEver: _ = tx[Ref<Account>(99)]
          }
        })
    }
    gate.open()
    await #expect(throws: (any Error).self) { try await rejected.outcome() }
    for (number, (write, fate)) in zip(1..., zip(later, fates)) {
      let isApplied = fate == .isApplied || fate == .lacks
      let changes = try? await write.outcome()
      #expect(changes?.count == (isApplied ? 1 : nil))
      #expect(cache.contains(Ref<Receipt>(number)) == isApplied)
      #expect((memory[Ref<Receipt>(number)] != nil) == isApplied)
    }
    // A transaction waits until the re-run has ended.
    try await cache.write { _ in }
    #expect(cache.statistics.pendingWrites == 0 && cache.statistics.leases == 0)
  }
}
