import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Several requests that are answered together.
///
/// Records hold amounts of which each transfer keeps the sum, so answers of two versions show.
@Suite(.boundedWaits)
struct TogetherTests {
  private typealias Account = TestNode<Int>

  /// A request that makes a transfer after each of its first answers.
  private struct Meddling<Base: Request>: Request {
    let base: Base
    /// Makes a transfer, if one is due.
    let meddle: @Sendable () async throws -> Void

    func find(in cache: GraphCache, _ options: ReadOptions) async throws -> Base.Value {
      let value = try await base.find(in: cache, options)
      try await meddle()
      return value
    }

    func peek(in cache: GraphCache) -> Known<Base.Observed> { base.peek(in: cache) }

    func changes(in cache: GraphCache) -> Changes<Base.Observed, Base.Diff> {
      base.changes(in: cache)
    }
  }

  private static func transfer(
    _ amount: Int, from one: Int, to other: Int, in cache: GraphCache
  ) async throws {
    try await cache.write { tx throws(KinshipError) in
      guard let from = tx[Ref<Account>(one)], let to = tx[Ref<Account>(other)],
        one != other
      else { return }
      try tx.put(Account(id: one, value: from.value - amount))
      try tx.put(Account(id: other, value: to.value + amount))
    }
  }

  private enum Step: Command {
    case transfer(Int, from: Int, to: Int)
    case evict(Int)
    case removeAll
    case find(meddling: Int)
    case peek
    case next

    static func random(using generator: inout SplitMix64) -> Step {
      func id() -> Int { Int.random(in: 0..<4, using: &generator) }
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<4: return .transfer(Int.random(in: 1..<9, using: &generator), from: id(), to: id())
      case 4: return .evict(id())
      case 5: return .removeAll
      case 6..<9: return .find(meddling: Int.random(in: 0..<4, using: &generator))
      case 9: return .peek
      default: return .next
      }
    }
  }

  @Test func `answers found together show one version`() async throws {
    try await Property.check(seeds: 200, steps: 30) {
      Step.random(using: &$0)
    } run: { steps, _ in
      let store = MemoryStore((0..<4).map { Account(id: $0, value: 100) })
      let cache = try GraphCache(for: Account.self, store: store)
      let query = RecordQuery<Account>().sorted(by: \.id)
      let parts = Together(Ref<Account>(0), [Ref<Account>(1), 2], query.sum(of: \.value), query)
      var changes = cache.observe(parts).makeAsyncIterator()
      var latest = try #require(try await changes.next())
      for step in steps {
        switch step {
        case .transfer(let amount, let one, let other):
          try await Self.transfer(amount, from: one, to: other, in: cache)
        case .evict(let id): await cache.evict(Ref<Account>(id))
        case .removeAll: await cache.removeAll()
        case .find(let count):
          let rest = Lock(count)
          let meddling = Meddling(base: Ref<Account>(3)) {
            let isDue = rest.withLock { rest in
              rest -= 1
              return rest >= 0
            }
            if isDue { try await Self.transfer(1, from: 3, to: 0, in: cache) }
          }
          let (last, first, others, all) = try await cache.find(
            Together(meddling, Ref<Account>(0), [Ref<Account>(1), 2], query))
          let sum = [last, first].reduce(0) { $0 + ($1?.value ?? 0) }
          try verifyEqual(sum + others.reduce(0) { $0 + ($1?.value ?? 0) }, 400, "sum")
          try verifyEqual(
            all.map(\.value), [first, others[0], others[1], last].map { $0?.value ?? 0 },
            "parts")
        case .peek:
          guard case .complete((let first, let others, let sum, let all)) = cache.peek(parts) else {
            continue
          }
          try verifyEqual(sum, 400, "known sum")
          try verifyEqual(
            Array(all.prefix(3)).map(\.value), ([first].compactMap { $0 } + others).map(\.value),
            "parts")
        case .next:
          let current = try await cache.find(query)
          while Array(latest.value.3) != current {
            latest = try #require(try await changes.next())
          }
        }
        let (first, others, sum, all) = latest.value
        try verifyEqual(sum, 400, "observed sum")
        try verifyEqual(all.reduce(0) { $0 + $1.value }, 400, "sum of what is observed")
        try verifyEqual(
          Array(all.prefix(3)).map(\.value), ([first].compactMap { $0 } + others).map(\.value),
          "parts")
      }
      try verifyEqual(await cache.audit(), [], "audit")
    }
  }

  @Test func `each answer has its differences`() async throws {
    let store = MemoryStore((0..<4).map { Account(id: $0, value: 100) })
    let cache = try GraphCache(for: Account.self, store: store)
    let count = RecordQuery<Account>().count
    var changes = cache.observe(Together(Ref<Account>(0), count)).makeAsyncIterator()
    var change = try #require(try await changes.next())
    while change.isLoading { change = try #require(try await changes.next()) }
    try await cache.write { tx throws(KinshipError) in try tx.insert(Account(id: 9, value: 1)) }
    change = try #require(try await changes.next())
    #expect(change.value.1 == 5 && change.diff.parts.0.isEmpty)
    #expect(change.diff.parts.1.compactMap(\.old) == [4])
  }

  @Test func `an error of one request fails all of them`() async throws {
    struct Failure: Error {}
    let memory = MemoryStore((0..<4).map { Account(id: $0, value: 100) })
    let store = ScriptedStore(
      over: memory, script: .plain.onCall(1, StoreBehavior(failure: Failure())))
    let cache = try GraphCache(for: Account.self, store: store)
    let together = Together(Ref<Account>(0), Ref<Account>(1))
    await #expect(throws: KinshipError.self) { try await cache.find(together) }
    let (one, other) = try await cache.find(together)
    #expect(one?.value == 100 && other?.value == 100)
  }
}
