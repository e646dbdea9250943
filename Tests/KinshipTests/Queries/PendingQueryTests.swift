import Foundation
import Kinship
import KinshipTesting
import KinshipTestSupport
import Testing

/// Queries see pending writes in their place.
struct PendingQueryTests {
  struct Account: GraphRecord, Equatable {
    let id: Int
    var balance: Int
    var owner: String?
  }

  enum Operation: Command {
    /// Writes are shown, and the store waits.
    case write([Change])
    /// The store commits or refuses the waiting changes.
    case settle(refuses: Bool)
    case ask(smallest: Int?, byOwner: Bool, isDescending: Bool, offset: Int, limit: Int?)

    static func random(using generator: inout SplitMix64) -> Operation {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      return switch number(0...9) {
      case 0..<4: .write((0..<number(1...3)).map { _ in Change.random(using: &generator) })
      case 4: .settle(refuses: number(0...1) == 0)
      default:
        .ask(
          smallest: number(0...2) == 0 ? nil : number(0...9), byOwner: number(0...1) == 0,
          isDescending: number(0...1) == 0, offset: number(0...1) == 0 ? 0 : number(0...5),
          limit: number(0...2) == 0 ? nil : number(0...8))
      }
    }
  }

  enum Change {
    case put(Int, balance: Int, owner: String?)
    case delete(Int)

    static func random(using generator: inout SplitMix64) -> Change {
      let id = Int.random(in: 0..<20, using: &generator)
      if Int.random(in: 0..<4, using: &generator) == 0 { return .delete(id) }
      let owner = ["a", "b", nil][Int.random(in: 0...2, using: &generator)]
      return .put(id, balance: Int.random(in: 0...9, using: &generator), owner: owner)
    }

    func make(in tx: inout GraphCache.Transaction, _ accounts: [Int: Account]) throws {
      switch self {
      case .put(let id, let balance, let owner):
        let account = Account(id: id, balance: balance, owner: owner)
        if tx[Ref<Account>(id)] == nil {
          try tx.insert(account)
        } else {
          try tx.update(Ref<Account>(id)) { $0 = account }
        }
      case .delete(let id): if tx[Ref<Account>(id)] != nil { try tx.delete(Ref<Account>(id)) }
      }
    }

    func make(in accounts: inout [Int: Account]) {
      switch self {
      case .put(let id, let balance, let owner):
        accounts[id] = Account(id: id, balance: balance, owner: owner)
      case .delete(let id): accounts[id] = nil
      }
    }
  }

  /// A cache whose store waits, and its expected contents.
  private final class World {
    let cache: GraphCache
    let store: ScriptedStore
    var made: [Int: Account]
    var shown: [Int: Account]
    private var gate = Gate()
    /// Open if the store refuses the waiting changes.
    private var refusal = Gate()
    private var writes: [GraphCache.PendingWrite] = []

    init(knowsFilters: Bool) throws {
      let accounts = (0..<12).map {
        Account(id: $0, balance: $0 % 4, owner: $0 % 3 == 0 ? nil : "b")
      }
      let memory = MemoryStore(accounts)
      store = ScriptedStore(over: knowsFilters ? memory : PageTests.Ordering(base: memory))
      made = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) })
      shown = made
      cache = try GraphCache(for: Account.self, store: store, capacity: 5)
      holdWrites()
    }

    private func holdWrites() {
      (gate, refusal) = (Gate(), Gate())
      store.follow(
        StoreScript { [gate, refusal] call, _ in
          guard call.kind == .apply else { return StoreBehavior() }
          return StoreBehavior(
            pause: .gate(gate),
            action: { if refusal.isOpen { throw ScriptedFailure(call: call.number) } })
        })
    }

    func make(_ operation: Operation) async throws {
      switch operation {
      case .write(let changes):
        let known = shown
        writes.append(
          try await cache.writeOptimistically { tx in
            for change in changes { try change.make(in: &tx, known) }
          })
        for change in changes { change.make(in: &shown) }
      case .settle(let refuses):
        if refuses { refusal.open() }
        gate.open()
        for write in writes {
          do { try await write.outcome() } catch  where refuses {}
        }
        if refuses { shown = made } else { made = shown }
        writes = []
        holdWrites()
        try await ask(RecordQuery(), 0, nil)
      case .ask(let smallest, let byOwner, let isDescending, let offset, let limit):
        var query = RecordQuery<Account>()
        if let smallest { query = query.filtered(by: RecordFilter { $0.balance >= smallest }) }
        if byOwner { query = query.sorted(by: \.owner) }
        query = query.sorted(by: \.balance, isDescending ? .descending : .ascending)
        try await ask(query, offset, limit)
      }
    }

    private func ask(_ base: RecordQuery<Account>, _ offset: Int, _ limit: Int?) async throws {
      var query = base.skipping(offset)
      if let limit { query = query.limited(to: limit) }
      let expected = try query.answer(from: shown.values)
      let found = try await cache.find(query)
      let isOrdered = !query.order.isEmpty
      try verifyEqual(
        isOrdered ? found : found.sorted { $0.id < $1.id },
        isOrdered ? expected : expected.sorted { $0.id < $1.id }, "the answer")
      try verifyEqual(try await cache.find(query.count), expected.count, "the count")
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  /// Another write may be shown before the store is asked.
  @Test(arguments: [true, false])
  func `a count includes writes shown while the store counts`(isLater: Bool) async throws {
    let (writes, counts) = (Gate(), Gate())
    let store = ScriptedStore(
      over: MemoryStore((0..<4).map { Account(id: $0, balance: 1) }),
      script: StoreScript { call, _ in
        StoreBehavior(pause: .gate(call.kind == .apply ? writes : counts))
      })
    let cache = try GraphCache(for: Account.self, store: store)
    for id in 0..<4 { try await cache.put(Account(id: id, balance: 1)) }
    @Sendable func empty(_ id: Int) async throws -> GraphCache.PendingWrite {
      try await cache.writeOptimistically { try $0.update(Ref<Account>(id), \.balance, to: 0) }
    }
    var pending: [GraphCache.PendingWrite] = []
    if isLater { pending.append(try await empty(1)) }
    async let count = cache.find((RecordQuery<Account>(#Predicate { $0.balance > 0 })).count)
    try await counts.waitForWaiters(1)
    pending.append(try await empty(2))
    counts.open()
    #expect(try await count == 4 - pending.count)
    writes.open()
    for write in pending { try await write.outcome() }
  }

  @Test(arguments: [true, false])
  func `an answer includes pending writes`(knowsFilters: Bool) async throws {
    try await Property.check(seeds: 60, steps: 14, generate: Operation.random) { commands, _ in
      let world = try World(knowsFilters: knowsFilters)
      for command in commands { try await world.make(command) }
      try await world.make(.settle(refuses: false))
    }
  }
}
