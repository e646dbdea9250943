import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Tests of writes beside a transaction while the store commits it.
struct LateWriteTests {
  private let ref = Author<Int>.ref(1)
  private let old = LongTransaction.world[Key(.author, 1)] ?? Entry()

  /// Commits a change of author 1 while a body runs, and returns the changes.
  private func commit(
    in library: Library,
    _ body: @escaping @Sendable (inout GraphCache.Transaction, Ref<Author<Int>>) throws -> Void,
    meanwhile: () async throws -> Void
  ) async throws -> ChangeSet {
    let (gate, ref) = (Gate(), ref)
    let count = library.store?.calls.count ?? 0
    library.store?.follow(
      StoreScript { call, _ in StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none) })
    let writing = Task { try await library.cache.write { tx in try body(&tx, ref) } }
    try await library.store?.waitForCalls(count + 1)
    try await meanwhile()
    gate.open()
    return try await writing.value
  }

  @Test func `a property written during a commit survives in memory`() async throws {
    let library = try await Library(LongTransaction.world, .both)
    let changes = try await commit(in: library) { tx, ref in
      try tx.update(ref, \.value, to: 7)
    } meanwhile: {
      try await library.cache.update(ref, \.cost, to: 9)
    }
    #expect(library.inMemory[Key(.author, 1)] == Entry(value: 7, cost: 9, one: 0, many: [1, 2]))
    #expect(library.stored[Key(.author, 1)] == Entry(value: 7, cost: 1, one: 0, many: [1, 2]))
    let change = try #require(changes.updated(Author<Int>.self).first)
    #expect(change.old?.entry == Entry(value: 1, cost: 9, one: 0, many: [1, 2]))
    #expect(change.new?.entry == Entry(value: 7, cost: 9, one: 0, many: [1, 2]))
    #expect(await library.cache.audit() == [])
  }

  /// The store merges the differences: only the store knows the resulting record.
  @Test
  func `a record replaced by a transaction is read again if written meanwhile`() async throws {
    let library = try await Library(LongTransaction.world, .both)
    _ = try await commit(in: library) { tx, ref in
      try tx.update(ref) { $0.value = 7 }
    } meanwhile: {
      try await library.cache.update(ref, \.cost, to: 9)
    }
    #expect(library.inMemory[Key(.author, 1)] == nil)
    try await library.find(Key(.author, 1))
    #expect(library.inMemory == library.stored)
    #expect(library.stored[Key(.author, 1)]?.value == 7)
  }

  /// The known value no longer holds, and the store may have changed it further.
  @Test func `a record invalidated during a commit is read again`() async throws {
    let library = try await Library(LongTransaction.world, .both)
    _ = try await commit(in: library) { tx, ref in
      try tx.update(ref, \.value, to: 7)
    } meanwhile: {
      await changeOutside(library)
    }
    #expect(library.inMemory[Key(.author, 1)] == nil)
    try await library.find(Key(.author, 1))
    #expect(library.inMemory[Key(.author, 1)] == library.stored[Key(.author, 1)])
    #expect(library.stored[Key(.author, 1)]?.value == 7)
    #expect(library.stored[Key(.author, 1)]?.one == 2)
    #expect(await library.cache.audit() == [])
  }

  /// The store may have another record by then, which another program has put there.
  @Test func `an inserted record that is invalidated meanwhile is read again`() async throws {
    let library = try await Library(LongTransaction.world, .both)
    let key = Key(.author, 5)
    _ = try await commit(in: library) { tx, _ in
      try tx.insert(Author<Int>(5, Entry(value: 1)))
    } meanwhile: {
      await library.cache.invalidate(Author<Int>.ref(5))
    }
    #expect(library.inMemory[key] == nil)
    library.base.insert([Author<Int>(5, Entry(value: 9))])
    try await library.find(key)
    #expect(library.inMemory[key]?.value == 9)
    #expect(await library.cache.audit() == [])
  }

  @Test func `an inserted record is read again if all is dropped meanwhile`() async throws {
    let library = try await Library(LongTransaction.world, .both)
    let key = Key(.author, 5)
    _ = try await commit(in: library) { tx, _ in
      try tx.insert(Author<Int>(5, Entry(value: 1)))
    } meanwhile: {
      await library.cache.removeAll()
    }
    #expect(library.inMemory[key] == nil)
    library.base.insert([Author<Int>(5, Entry(value: 9))])
    try await library.find(key)
    #expect(library.inMemory[key]?.value == 9)
    #expect(await library.cache.audit() == [])
  }

  /// If a record is not `Codable`, its changes cannot be merged.
  @Test func `a replaced record does not overwrite another's changes`() async throws {
    let library = try await Library(LongTransaction.world, .both)
    await #expect {
      try await commit(in: library) { tx, ref in
        try tx.update(ref) { $0.value = 7 }
      } meanwhile: {
        await changeOutside(library)
      }
    } throws: { error in
      guard case KinshipError.conflict = error else { return false }
      return true
    }
    try await library.find(Key(.author, 1))
    #expect(library.inMemory[Key(.author, 1)] == library.stored[Key(.author, 1)])
    #expect(library.stored[Key(.author, 1)]?.one == 2)
    #expect(await library.cache.audit() == [])
  }

  private func changeOutside(_ library: Library) async {
    var entry = old
    entry.one = 2
    library.base.insert([Author<Int>(1, entry)])
    await library.cache.invalidate(ref)
  }

  /// A caller that asks during the commit gets the new version, and an earlier answer is not
  /// applied.
  @Test func `a load during a commit waits for it`() async throws {
    let library = try await Library(LongTransaction.world, .store)
    let ref = ref
    let loading = Lock<Task<Author<Int>, any Error>?>(nil)
    _ = try await commit(in: library) { tx, ref in
      try tx.update(ref, \.value, to: 7)
    } meanwhile: {
      let task = Task { try await library.cache.resolve(ref) }
      loading.withLock { $0 = task }
      try await wait { library.cache.statistics.waiters != 0 }
    }
    let task = try #require(loading.withLock { $0 })
    #expect(try await task.value.value == 7)
    #expect(library.store?.requests(for: ref) == 1)
    try await library.verifyRest()
  }

  /// No waiter waits for ever: the held request is sent when the store has refused the transaction.
  @Test func `a load during a commit continues when the store fails`() async throws {
    let library = try await Library(LongTransaction.world, .store)
    let (gate, ref) = (Gate(), ref)
    library.store?.follow(
      StoreScript { call, _ in
        call.kind == .apply
          ? StoreBehavior(pause: .gate(gate), failure: ScriptedFailure(call: call.number))
          : StoreBehavior()
      })
    let writing = Task {
      try await library.cache.write { tx in try tx.update(ref, \.value, to: 7) }
    }
    try await library.store?.waitForCalls(1)
    let loading = Task { try await library.cache.resolve(ref) }
    try await wait { library.cache.statistics.waiters != 0 }
    gate.open()
    await #expect(throws: KinshipError.self) { try await writing.value }
    #expect(try await loading.value.value == 1)
    try await library.verify(LongTransaction.world)
  }

  /// The store has stored a text differently, and other properties were put during its commit.
  @Test func `a put during a commit keeps the values as stored`() async throws {
    struct Lowering: ForwardingStore {
      let memory = MemoryStore([Labelled(id: 1, text: "a", stars: 0)])
      let gate = Gate()
      var base: any BackingStore { memory }

      func apply(_ changes: ChangeSet) async throws {
        try await memory.apply(changes)
        for var record in changes.updated(Labelled.self).compactMap(\.new) {
          record.text = record.text.lowercased()
          memory.insert([record])
          changes.report(stored: record)
        }
        try await gate.wait()
      }
    }
    let store = Lowering()
    let cache = try GraphCache(for: Labelled.self, store: store)
    let ref = Ref<Labelled>(1)
    _ = try await cache.resolve(ref)
    let writing = Task { try await cache.write { tx in try tx.update(ref, \.text, to: "ABC") } }
    try await store.gate.waitForWaiters(1)
    try await cache.put(Labelled(id: 1, text: "a", stars: 5))
    store.gate.open()
    _ = try await writing.value
    #expect(cache.peek(ref) == Labelled(id: 1, text: "abc", stars: 5))
  }

  struct Labelled: GraphRecord, Codable, Equatable {
    let id: Int
    var text: String
    var stars: Int
  }

  /// A caller that waits for a record during its commit needs no answer after it.
  @Test func `a commit answers the waiters for its records`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: MemoryStore([TestNode<Int>(id: 1, value: 1)]),
      script: StoreScript { call, _ in
        StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
      })
    let cache = try GraphCache(for: TestNode<Int>.self, store: store)
    let ref = Ref<TestNode<Int>>(1)
    _ = try await cache.resolve(ref)
    let writing = Task { try await cache.write { tx in try tx.update(ref, \.value, to: 2) } }
    try await gate.waitForWaiters(1)
    await cache.evict(ref)
    let reading = Task { try await cache.resolve(ref).value }
    try await wait { cache.statistics.waiters == 1 }
    for _ in 0..<1_000 { await Task.yield() }
    gate.open()
    _ = try await writing.value
    #expect(try await reading.value == 2)
    #expect(store.requests(for: ref) == 1)
  }

  @Test func `an inserted record is read again if all is removed meanwhile`() async throws {
    let (gate, memory) = (Gate(), MemoryStore())
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
      })
    let cache = try GraphCache(for: TestNode<Int>.self, store: store)
    let writing = Task {
      try await cache.write { tx in try tx.insert(TestNode<Int>(id: 1, value: 1)) }
    }
    try await gate.waitForWaiters(1)
    await cache.removeAll()
    gate.open()
    _ = try await writing.value
    memory.insert([TestNode<Int>(id: 1, value: 9)])
    #expect(try await cache.resolve(Ref<TestNode<Int>>(1)).value == 9)
  }
}
