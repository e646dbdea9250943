import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Puts, removals and invalidations of records that have a pending write change the base value.
@Suite(.boundedWaits)
struct PendingBaseTests {
  typealias Account = OptimisticWriteTests.Account
  typealias Receipt = OptimisticWriteTests.Receipt

  private let ref: Ref<Account> = 1
  private let memory = MemoryStore([Account(id: 1, balance: 100)])
  private let gate = Gate()
  private let store: ScriptedStore
  private let cache: GraphCache

  init() throws {
    let gate = gate
    store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        // A receipt marks a call that must be refused.
        let isRefused = call.refs.contains(AnyRef(Ref<Receipt>(13)))
        return StoreBehavior(
          pause: call.kind == .apply ? .gate(gate) : .none,
          failure: isRefused ? ScriptedFailure(call: call.number) : nil)
      })
    cache = try GraphCache(for: Account.self, Receipt.self, store: store, capacity: 0)
  }

  private func add(_ amount: Int, receipt: Int) async throws -> GraphCache.PendingWrite {
    let ref = ref
    return try await cache.writeOptimistically { tx in
      try tx.insert(Receipt(id: receipt))
      try tx.update(ref, \.balance, to: (tx[ref]?.balance ?? 0) + amount)
    }
  }

  /// Runs a body while the store commits a transaction: optimistic writes made meanwhile wait for
  /// their turn.
  private func whileTheStoreIsBusy(_ body: () async throws -> GraphCache.PendingWrite) async throws
  {
    let cache = cache
    let busy = Task { try await cache.write { tx in try tx.insert(Receipt(id: 99)) } }
    try await store.waitForCalls(1)
    let write = try await body()
    gate.open()
    _ = try await busy.value
    _ = try? await write.outcome()
    #expect(!cache.isPending(ref))
    #expect(await cache.audit() == [])
  }

  @Test func `a put shows at once together with pending writes`() async throws {
    try await whileTheStoreIsBusy {
      let write = try await add(1, receipt: 1)
      var seen = [cache.peek(ref)?.balance]
      try await cache.put(Account(id: 1, balance: 200))
      seen.append(cache.peek(ref)?.balance)
      #expect(try await cache.update(ref, \.balance, to: 300))
      seen.append(cache.peek(ref)?.balance)
      #expect(try await cache.update(ref) { $0.balance += 100 })
      seen.append(cache.peek(ref)?.balance)
      #expect(try await cache.update(ref) { $0 = Account(id: 1, balance: 500) })
      seen.append(cache.peek(ref)?.balance)
      try await cache.put(contentsOf: [Account(id: 1, balance: 600)])
      seen.append(cache.peek(ref)?.balance)
      #expect(seen == [101, 201, 301, 401, 501, 601])
      return write
    }
    #expect(memory[ref]?.balance == 601)
  }

  @Test func `a put stays when the pending write is rejected`() async throws {
    let lease = cache.lease([ref])
    try await whileTheStoreIsBusy {
      let write = try await add(1, receipt: 13)
      try await cache.put(Account(id: 1, balance: 200))
      #expect(cache.peek(ref)?.balance == 201)
      return write
    }
    #expect(cache.peek(ref)?.balance == 200)
    lease.end()
  }

  @Test func `a put during a commit shows together with the write`() async throws {
    let first = try await add(1, receipt: 1)
    let second = try await add(10, receipt: 2)
    try await store.waitForCalls(2)
    #expect(cache.peek(ref)?.balance == 111)
    memory.insert([Account(id: 1, balance: 100, note: "put")])
    try await cache.put(Account(id: 1, balance: 100, note: "put"))
    #expect(cache.peek(ref) == Account(id: 1, balance: 111, note: "put"))
    gate.open()
    _ = try await first.outcome()
    _ = try await second.outcome()
    #expect(memory[ref] == Account(id: 1, balance: 111, note: "put"))
    #expect(try await cache.resolve(ref) == memory[ref])
    #expect(await cache.audit() == [])
  }

  @Test func `a removal rolls the pending write back`() async throws {
    try await whileTheStoreIsBusy {
      let write = try await add(1, receipt: 1)
      #expect(await cache.remove(ref)?.balance == 100)
      #expect(cache.peek(ref) == nil)
      await #expect(throws: KinshipError.self) { try await write.outcome() }
      return write
    }
  }

  /// The write is re-run on the store's newer record.
  @Test func `an invalidation takes effect before the write is committed`() async throws {
    try await whileTheStoreIsBusy {
      let write = try await add(1, receipt: 1)
      memory.insert([Account(id: 1, balance: 1000)])
      await cache.invalidate(ref)
      #expect(cache.peek(ref)?.balance == 101)
      return write
    }
    #expect(memory[ref]?.balance == 1001)
    #expect(try await cache.resolve(ref).balance == 1001)
  }

  /// The transaction sets a property of a record that is not in memory, and the write reads that
  /// record only when it is re-run.
  @Test func `a write re-run on a transaction may read its changed records`() throws {
    try Schedule.run(seed: 1) { schedule in
      let gate = Gate()
      let store = ScriptedStore(
        over: MemoryStore([Account(id: 1), Account(id: 2)]),
        script: StoreScript { call, _ in
          StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
        })
      let cache = try GraphCache(
        for: Account.self, Receipt.self, store: store, executor: schedule.executor)
      let (one, two): (Ref<Account>, Ref<Account>) = (1, 2)
      _ = try await cache.resolve(one)
      let busy = Task(executorPreference: schedule.executor) {
        try await cache.write { tx in
          try tx.update(one, \.balance, to: 5)
          try tx.update(two, \.balance, to: 6)
        }
      }
      try await gate.waitForWaiters(1)
      let write = try await cache.writeOptimistically { tx in
        let isFirst = tx[one]?.balance != 5
        try tx.insert(Receipt(id: isFirst ? 1 : tx[two]?.balance ?? 2))
      }
      gate.open()
      _ = try await busy.value
      let changes = try await write.outcome()
      try verifyEqual(changes.inserted(Receipt.self).map(\.id), [6], "the receipt")
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  @Test func `a pending write stays shown when everything is removed`() async throws {
    try await whileTheStoreIsBusy {
      let write = try await add(1, receipt: 1)
      memory.insert([Account(id: 1, balance: 1000)])
      await cache.removeAll()
      #expect(cache.peek(ref)?.balance == 101)
      return write
    }
    #expect(memory[ref]?.balance == 1001)
  }

  /// A record that is being deleted is no longer in memory, and may have changed like any other.
  @Test func `an invalidated type is loaded again when a deletion is rejected`() async throws {
    let lease = cache.lease([ref])
    try await whileTheStoreIsBusy {
      let ref = ref
      let write = try await cache.writeOptimistically { tx in
        try tx.insert(Receipt(id: 13))
        try tx.delete(ref)
      }
      #expect(cache.peek(ref) == nil)
      memory.insert([Account(id: 1, balance: 1000)])
      await cache.invalidate(changed: [StoreChange.Extent.all(of: Account.self)])
      return write
    }
    #expect(try await cache.resolve(ref).balance == 1000)
    lease.end()
  }

  /// The base value was invalidated during the commit: it is loaded again.
  @Test func `an observer sees the value that a rejection leaves`() async throws {
    let seen = Lock<Int?>(nil)
    let observing = Task { [cache, ref] in
      for try await change in cache.observe(ref) {
        seen.withLock { $0 = change.value?.balance }
      }
    }
    let write = try await add(1, receipt: 13)
    try await wait { store.calls.contains { $0.kind == .apply } }
    try await wait { seen.withLock { $0 } == 101 }
    memory.insert([Account(id: 1, balance: 1000)])
    await cache.invalidate(ref)
    gate.open()
    _ = try? await write.outcome()
    try await wait { seen.withLock { $0 } == 1000 }
    observing.cancel()
    _ = try? await observing.value
  }

  @Test func `a failed re-run leaves nothing for the next write`() async throws {
    struct Stop: Error {}
    let ref = ref
    let first = try await add(1, receipt: 13)
    let second = try await cache.writeOptimistically { tx in
      let before = tx[ref]?.balance
      try tx.update(ref, \.balance, to: 500)
      if before == 100 { throw Stop() }
    }
    let third = try await add(10, receipt: 3)
    gate.open()
    await #expect(throws: (any Error).self) { try await first.outcome() }
    await #expect(throws: Stop.self) { try await second.outcome() }
    _ = try await third.outcome()
    #expect(memory[ref]?.balance == 110)
  }
}
