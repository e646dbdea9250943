import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Tests of records that a transaction has read and that others, or the cache, drop before it runs
/// again.
struct ForgettingTests {
  /// A record that was loaded and then invalidated is not missing.
  @Test func `a record invalidated between two loads is loaded again`() async throws {
    let gate = Gate()
    let library = try await Library(
      LongTransaction.world, .store, script: .plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let (author, work) = (Author<Int>.ref(1), Work<Int>.ref(1))
    let writing = Task {
      try await library.cache.write { tx in
        let (one, other) = (tx[author], tx[work])
        try tx.insert(Author<Int>(5, Entry(value: (one?.value ?? 100) + (other?.value ?? 100))))
      }
    }
    try await library.store?.waitForCalls(2)
    await library.cache.invalidate(author)
    gate.open()
    _ = try await writing.value
    #expect(library.stored[Key(.author, 5)]?.value == 2)
    try await library.verify(library.stored)
  }

  /// A missing record may exist after it was invalidated.
  @Test func `an absence invalidated between two loads is requested again`() async throws {
    let gate = Gate()
    let library = try await Library(
      LongTransaction.world, .store, script: .plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let (author, work) = (Author<Int>.ref(5), Work<Int>.ref(1))
    let writing = Task {
      try await library.cache.write { tx in
        let isThere = (tx[author] != nil, tx[work] != nil)
        if isThere == (false, true) { try tx.insert(Author<Int>(5, Entry(value: 2))) }
      }
    }
    try await library.store?.waitForCalls(2)
    await library.cache.invalidate(author)
    gate.open()
    _ = try await writing.value
    #expect(library.stored[Key(.author, 5)]?.value == 2)
    #expect(library.store?.requests(for: author) == 2)
  }

  /// Referrers that were loaded and then invalidated are requested again.
  @Test func `a referrer invalidated between two loads is loaded again`() async throws {
    for number in 0..<20 {
      let gate = Gate()
      let library = try await Library(LongTransaction.world, .store)
      library.store?.follow(.plain.onCall(number, StoreBehavior(pause: .gate(gate))))
      let isOver = Gate()
      let writing = Task {
        defer { isOver.open() }
        return try await library.write([.delete(Key(.author, 1))])
      }
      try await wait { isOver.isOpen || library.store?.calls.count ?? 0 > number }
      for key in Key.numbers {
        await library.cache.invalidate(Author<Int>.ref(key))
        await library.cache.invalidate(Work<Int>.ref(key))
      }
      let wasOver = isOver.isOpen
      gate.open()
      _ = try await writing.value
      var expected = LongTransaction.world
      for key in [Key(.author, 1), Key(.work, 1), Key(.work, 2)] { expected[key] = nil }
      for number in [2, 3] { expected[Key(.author, number)]?.one = nil }
      try await library.verify(expected)
      if wasOver { return }
    }
    Issue.record("the deletion makes more than 20 calls")
  }

  /// More records are missing than the cache remembers, and more are needed than it may hold.
  @Test func `a transaction keeps more records than the cache holds`() throws {
    try Schedule.run(seed: 1) { schedule in
      let nodes = (0..<600).map { TestNode(id: $0, value: 1) }
      let cache = try GraphCache(
        for: TestNode<Int>.self, store: MemoryStore(nodes), capacity: 1,
        executor: schedule.executor)
      let counts = Lock((present: 0, missing: 0))
      try await cache.write { tx in
        var (present, missing) = (0, 0)
        for id in 0..<3_000 {
          if tx[Ref<TestNode<Int>>(id)] == nil { missing += 1 } else { present += 1 }
        }
        counts.withLock { [present, missing] in $0 = (present, missing) }
      }
      try verifyEqual(counts.withLock { $0.present }, 600, "records")
      try verifyEqual(counts.withLock { $0.missing }, 2_400, "missing records")
      try verifyEqual(cache.count, 1, "records at rest")
      try verifyEqual(cache.statistics.leases, 0, "leases")
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  /// An evicted referrer is loaded when its target is deleted.
  @Test func `an evicted referrer is found again`() async throws {
    let library = try await Library(LongTransaction.world, .store)
    let mentor = Author<Int>.ref(0)
    try await library.cache.write { tx in _ = try tx.consequences(ofDeleting: mentor) }
    #expect(library.inMemory[Key(.author, 1)] != nil)
    let count = library.store?.calls.count
    try await library.cache.write { tx in _ = try tx.consequences(ofDeleting: mentor) }
    #expect(library.store?.calls.count == count, "all who refer to it are known")
    await library.cache.evict(Author<Int>.ref(1))
    try await library.write([.delete(Key(.author, 0))])
    var expected = LongTransaction.world
    for key in [Key(.author, 0), Key(.work, 0)] { expected[key] = nil }
    expected[Key(.author, 1)]?.one = nil
    try await library.verify(expected)
  }

  /// A record that memory knows to be missing stays missing, even if the store has it and it refers
  /// to the target.
  @Test func `a removed referrer stays removed`() async throws {
    let library = try await Library(LongTransaction.world, .store)
    await library.cache.remove(Author<Int>.ref(1))
    try await library.write([.delete(Key(.author, 0))])
    #expect(library.inMemory[Key(.author, 1)] == nil)
    #expect(library.stored[Key(.author, 1)] == LongTransaction.world[Key(.author, 1)])
    #expect(await library.cache.audit() == [])
  }
}
