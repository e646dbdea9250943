import Kinship
import KinshipTestSupport
import Testing

/// A store that fails and cannot know whether it has committed the changes.
struct LostConnectionTests {
  typealias Account = OptimisticWriteTests.Account

  private let memory = MemoryStore((1...3).map { Account(id: $0, balance: 100) })

  private func cache(
    _ loss: StoreBehavior.Loss, writing gate: Gate = Gate(isOpen: true)
  ) throws -> (GraphCache, ScriptedStore) {
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        call.kind == .apply ? StoreBehavior(pause: .gate(gate), losing: loss) : StoreBehavior()
      })
    return (try GraphCache(for: Account.self, store: store), store)
  }

  @Test(arguments: [StoreBehavior.Loss.before, .after])
  func `records of a write whose connection was lost are read again`(loss: StoreBehavior.Loss)
    async throws
  {
    let (cache, store) = try cache(loss)
    let refs: [Ref<Account>] = [1, 2, 3]
    _ = try await cache.resolve(refs)
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in
        try tx.update(refs[0], \.balance, to: 7)
        try tx.delete(refs[1])
        try tx.insert(Account(id: 4))
      }
    }
    #expect(cache.peek(refs[0]) == nil && cache.peek(refs[1]) == nil)
    #expect(cache.peek(refs[2]) != nil)
    for id in 1...4 {
      #expect(try await cache.find(Ref<Account>(id)) == memory[Ref(id)])
    }
    #expect(memory[refs[0]]?.balance == (loss == .after ? 7 : 100))
    #expect(store.requests(for: refs[2]) == 1)
    #expect(await cache.audit() == [])
  }

  @Test(arguments: [StoreBehavior.Loss.before, .after])
  func `an optimistic write whose connection was lost is rolled back`(loss: StoreBehavior.Loss)
    async throws
  {
    let gate = Gate()
    let (cache, _) = try cache(loss, writing: gate)
    let ref: Ref<Account> = 1
    let write = try await cache.writeOptimistically { tx in
      try tx.update(ref) { $0.balance += 1 }
    }
    #expect(cache.peek(ref)?.balance == 101)
    gate.open()
    await #expect(throws: KinshipError.self) { try await write.outcome() }
    #expect(try await cache.resolve(ref) == memory[ref])
    #expect(memory[ref]?.balance == (loss == .after ? 101 : 100))
  }

  /// A store that refuses guarantees that nothing was changed, so memory stays as it is.
  @Test func `a rejection invalidates nothing`() async throws {
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        StoreBehavior(failure: call.kind == .apply ? ScriptedFailure(call: call.number) : nil)
      })
    let cache = try GraphCache(for: Account.self, store: store)
    let ref: Ref<Account> = 1
    _ = try await cache.resolve(ref)
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.update(ref, \.balance, to: 7) }
    }
    #expect(cache.peek(ref)?.balance == 100)
  }
}
