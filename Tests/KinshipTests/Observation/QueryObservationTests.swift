import Foundation
import KinshipConformance
import KinshipTestSupport
import Testing

@testable import Kinship

/// The answer to a query, as it is observed, is what asking anew gives.
@Suite(.tags(.lawQ3), .timeLimit(.minutes(15)))
struct QueryObservationTests {
  struct Account: GraphRecord, Equatable {
    let id: Int
    var balance: Int
    var owner: String?
  }

  struct Question: CustomStringConvertible {
    let smallest: Int?
    let isClosure: Bool
    let byOwner: Bool
    let isDescending: Bool
    let offset: Int
    let limit: Int?

    init(using generator: inout SplitMix64) {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      smallest = number(0...2) == 0 ? nil : number(0...9)
      isClosure = number(0...1) == 0
      byOwner = number(0...1) == 0
      isDescending = number(0...1) == 0
      offset = number(0...2) == 0 ? number(0...5) : 0
      limit = number(0...1) == 0 ? nil : number(0...6)
    }

    var description: String {
      "\(smallest as Any) \(byOwner) \(isDescending) \(offset) \(limit as Any)"
    }

    var query: RecordQuery<Account> {
      var query = RecordQuery<Account>()
      if let smallest {
        query =
          isClosure
          ? RecordQuery(RecordFilter { $0.balance >= smallest })
          : RecordQuery(#Predicate { $0.balance >= smallest })
      }
      if byOwner { query = query.sorted(by: \.owner, nils: .last) }
      query = query.sorted(by: \.balance, isDescending ? .descending : .ascending)
      if offset > 0 { query = query.skipping(offset) }
      return limit.map { query.limited(to: $0) } ?? query
    }
  }

  enum Change {
    case put(Int, balance: Int, owner: String?)
    case delete(Int)

    static func random(using generator: inout SplitMix64) -> Change {
      let id = Int.random(in: 0..<60, using: &generator)
      if Int.random(in: 0..<4, using: &generator) == 0 { return .delete(id) }
      let owner = ["a", "b", nil][Int.random(in: 0...2, using: &generator)]
      return .put(id, balance: Int.random(in: 0...9, using: &generator), owner: owner)
    }

    var id: Int {
      switch self {
      case .put(let id, _, _), .delete(let id): id
      }
    }

    var account: Account? {
      if case .put(let id, let balance, let owner) = self {
        Account(id: id, balance: balance, owner: owner)
      } else {
        nil
      }
    }
  }

  enum Operation: Command {
    case observe(Question)
    case write([Change])
    /// A write is shown; then the store makes it, or does not.
    case show([Change], isRefused: Bool)
    /// Others change the store, and the cache is told.
    case outside(Change)
    case evict(Int)
    case invalidateAll
    case load(Question)

    static func random(using generator: inout SplitMix64) -> Operation {
      func changes(_ most: Int) -> [Change] {
        (0..<Int.random(in: 1...most, using: &generator)).map { _ in
          Change.random(using: &generator)
        }
      }
      return switch Int.random(in: 0..<20, using: &generator) {
      case 0..<2: .observe(Question(using: &generator))
      case 2..<9: .write(changes(3))
      case 9: .write(changes(60))
      case 10..<12: .show(changes(4), isRefused: Bool.random(using: &generator))
      case 12..<15: .outside(Change.random(using: &generator))
      case 15, 16: .evict(Int.random(in: 0..<60, using: &generator))
      case 17: .invalidateAll
      default: .load(Question(using: &generator))
      }
    }
  }

  /// One who observes, and what it was shown.
  private struct Witness {
    let question: Question
    var subject: QuerySubject<Account>
    let observer: Observer
    var shown: [Account]

    init(_ question: Question, in cache: GraphCache) async throws {
      self.question = question
      var subject = QuerySubject(question.query, RecordComparison())
      let (observer, first) = try await subject.start(in: cache)
      (self.subject, self.observer, shown) = (subject, observer, [])
      try take(first)
    }

    private mutating func take(_ change: QueryChange<Account>) throws {
      try verifyEqual(
        change.diff.applying(to: shown), Array(change.value), "\(question): the difference applied")
      try verifyEqual(
        change.value.indices.map { change.value[$0] }, Array(change.value), "by positions")
      for update in change.diff.updated {
        try verify(update.old != update.new, "\(update) is no update")
      }
      shown = Array(change.value)
    }

    mutating func look(expecting accounts: [Int: Account]) async throws {
      if let change = try await subject.next(observer) {
        try verify(!change.diff.isEmpty, "\(question): an element without news")
        try take(change)
      }
      try verifyEqual(shown, try question.query.answer(from: accounts.values), "\(question)")
      if let change = try await subject.next(observer) {
        throw Mismatch("\(question): more news: \(change.diff)")
      }
    }
  }

  private final class World {
    let memory: MemoryStore
    let store: ScriptedStore
    let cache: GraphCache
    let hasStore: Bool
    var accounts: [Int: Account] = [:]
    var witnesses: [Witness] = []

    init(hasStore: Bool, capacity: Int) async throws {
      self.hasStore = hasStore
      for id in 0..<40 {
        accounts[id] = Account(id: id, balance: id % 10, owner: id % 3 == 0 ? nil : "b")
      }
      memory = MemoryStore(accounts.values)
      store = ScriptedStore(over: memory)
      cache =
        hasStore
        ? try GraphCache(for: Account.self, store: store, capacity: capacity)
        : try GraphCache(for: Account.self)
      if !hasStore { try await cache.put(contentsOf: Array(accounts.values)) }
    }

    private static func make(_ changes: [Change], in tx: inout GraphCache.Transaction) throws {
      for change in changes {
        let ref = Ref<Account>(change.id)
        switch (tx[ref], change.account) {
        case (nil, let account?): try tx.insert(account)
        case (_?, let account?): try tx.update(ref) { $0 = account }
        case (_?, nil): try tx.delete(ref)
        case (nil, nil): break
        }
      }
    }

    private func note(_ changes: [Change]) {
      for change in changes { accounts[change.id] = change.account }
    }

    private func look() async throws {
      for index in witnesses.indices { try await witnesses[index].look(expecting: accounts) }
      try verifyEqual(await cache.audit(), [], "the audit")
    }

    func make(_ operation: Operation) async throws {
      switch operation {
      case .observe(let question):
        if witnesses.count == 4 { witnesses.removeFirst() }
        witnesses.append(try await Witness(question, in: cache))
      case .write(let changes):
        try await cache.write(loading: .records(changes.map { Ref<Account>($0.id) })) { tx in
          try World.make(changes, in: &tx)
        }
        note(changes)
      case .show(let changes, let isRefused):
        guard hasStore else { return }
        let (before, gate) = (accounts, Gate())
        store.follow(
          StoreScript { call, _ in
            if call.kind != .apply { return StoreBehavior() }
            return StoreBehavior(
              pause: .gate(gate), failure: isRefused ? ScriptedFailure(call: call.number) : nil)
          })
        let write = try await cache.writeOptimistically { tx in
          try World.make(changes, in: &tx)
        }
        note(changes)
        try await look()
        gate.open()
        do { try await write.outcome() } catch  where isRefused { accounts = before }
        store.follow(.plain)
      case .outside(let change):
        note([change])
        if let account = change.account {
          hasStore ? memory.insert([account]) : try await cache.put(account)
        } else if hasStore {
          memory.remove(Ref<Account>(change.id))
        } else {
          await cache.remove(Ref<Account>(change.id))
        }
        if hasStore { await cache.invalidate(Ref<Account>(change.id)) }
      case .evict(let id):
        if hasStore { _ = await cache.evict(Ref<Account>(id)) }
      case .invalidateAll:
        if hasStore { await cache.removeAll() }
      case .load(let question):
        _ = try await cache.find(question.query)
      }
      try await look()
    }
  }

  @Test(arguments: [nil, 0, 15, 1_000])
  func whatIsObservedIsWhatAskingAnewGives(capacity: Int?) async throws {
    try await Property.check(seeds: 25, steps: 30, generate: Operation.random) { commands, _ in
      let world = try await World(hasStore: capacity != nil, capacity: capacity ?? 0)
      for command in commands { try await world.make(command) }
    }
  }
}
