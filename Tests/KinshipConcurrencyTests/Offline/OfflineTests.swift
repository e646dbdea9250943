import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Nothing that was queued is lost, sent out of order, or sent under two keys.
@Suite(.dedicatedThreads, .tags(.lawA4))
struct OfflineTests {
  typealias Receipt = FarStore.Receipt

  private let disk = SimulatedDisk()
  private let clock = ManualClock()
  private let ref: Ref<StoredNote> = 1

  init() { disk.put([], "x", in: "/d") }

  private func open(
    _ store: any BackingStore
  ) async throws -> (GraphCache, OfflineQueue, [GraphCache.RestoredWrite]) {
    let schema = try GraphSchema(StoredNote.self, Receipt.self)
    let queue = try await OfflineQueue(in: disk, at: "/d", schema: schema)
    let cache = GraphCache(schema: schema, store: store, clock: clock)
    return (cache, queue, try await cache.resume(queue))
  }

  @Test func `queued writes are sent in order under random events`() async throws {
    try await Property.check(seeds: 60, steps: 40, generate: OfflineCommand.random) {
      commands, _ in
      try await OfflineTrial().run(commands)
    }
  }

  @Test func `a transaction neither overtakes queued writes nor waits for ever`() async throws {
    let store = FarStore()
    let (cache, _, _) = try await open(store)
    store.memory.insert([StoredNote(id: 1, text: "a")])
    _ = try await cache.resolve(ref)
    store.network = .down
    let pending = try await cache.writeOptimistically { [ref] tx in
      try tx.update(ref, \.text, to: "b")
    }
    try? await cache.sendQueuedWrites()
    await #expect(throws: KinshipError.self) {
      try await cache.write { [ref] tx in try tx.update(ref, \.text, to: "c") }
    }
    store.network = .up
    try await cache.write { [ref] tx in try tx.update(ref, \.text, to: "c") }
    #expect(!pending.isPending)
    #expect(store.memory[ref]?.text == "c" && cache.peek(ref)?.text == "c")
  }

  @Test func `a queued write survives a restart and is rolled back if rejected`() async throws {
    let store = FarStore()
    var (cache, queue, restored) = try await open(store)
    #expect(restored.isEmpty)
    store.memory.insert([StoredNote(id: 1, text: "a")])
    _ = try await cache.resolve(ref)
    store.network = .down
    store.refuse(2)
    for number in 1...3 {
      try await cache.writeOptimistically { [ref] tx in
        try tx.insert(Receipt(id: number))
        switch number {
        case 1: try tx.update(ref, \.text, to: "b")
        case 2: try tx.insert(StoredNote(id: 2, text: "new"))
        default: try tx.update(Ref<StoredNote>(2), \.text, to: "newer")
        }
      }
    }
    await queue.close()
    (cache, queue, restored) = try await open(store)
    #expect(restored.map(\.changes.count) == [2, 2, 2])
    #expect(cache.peek(ref)?.text == "b" && cache.peek(Ref<StoredNote>(2))?.text == "newer")
    #expect(cache.statistics.pendingWrites == 3)
    store.network = .up
    try? await cache.sendQueuedWrites()
    try await restored[0].write.outcome()
    for write in restored[1...] {
      await #expect(throws: KinshipError.self) { try await write.write.outcome() }
    }
    #expect(store.receipts == [1])
    #expect(try await cache.find(Ref<StoredNote>(2)) == nil)
    #expect(try await cache.find(ref)?.text == "b")
  }

  /// Without keys the store cannot know that it has committed the insertion.
  @Test(arguments: [true, false])
  func `a store with keys recognises a write whose answer was lost`(takesKeys: Bool) async throws {
    let store = FarStore(takesKeys: takesKeys)
    let (cache, _, _) = try await open(store)
    _ = try await cache.find(ref)
    store.network = .answersLost
    let pending = try await cache.writeOptimistically { [ref] tx in
      try tx.insert(StoredNote(id: ref.id, text: "a"))
    }
    try? await cache.sendQueuedWrites()
    #expect(store.memory[ref]?.text == "a")
    store.network = .up
    try await cache.sendQueuedWrites()
    if takesKeys {
      try await pending.outcome()
    } else {
      let error = await #expect(throws: KinshipError.self) { try await pending.outcome() }
      guard case .exists = error else { throw error ?? .misuse(.closed(path: "")) }
    }
    #expect(try await cache.find(ref)?.text == "a")
  }

  @Test func `a snapshot and the queue restore together`() async throws {
    let store = FarStore()
    var (cache, queue, restored) = try await open(store)
    store.memory.insert([StoredNote(id: 1, text: "a")])
    _ = try await cache.resolve(ref)
    store.network = .down
    try await cache.writeOptimistically { [ref] tx in try tx.update(ref, \.text, to: "b") }
    _ = try await cache.snapshot(to: "/d/snapshot", in: disk, at: .now)
    await queue.close()

    let schema = cache.schema
    queue = try await OfflineQueue(in: disk, at: "/d", schema: schema)
    cache = GraphCache(schema: schema, store: store, clock: clock)
    try await cache.restore(from: "/d/snapshot", in: disk, at: .now)
    #expect(cache.peek(ref)?.text != "b")
    restored = try await cache.resume(queue)
    #expect(cache.peek(ref)?.text == "b" && cache.isPending(ref))
    store.network = .up
    try? await cache.sendQueuedWrites()
    try await restored[0].write.outcome()
    #expect(store.memory[ref]?.text == "b")
  }

  @Test func `a write that cannot be queued is not shown`() async throws {
    let store = FarStore()
    store.network = .down
    let files = FaultyFiles(disk)
    let schema = try GraphSchema(StoredNote.self, Receipt.self)
    let queue = try await OfflineQueue(in: files, at: "/d", schema: schema)
    let cache = GraphCache(schema: schema, store: store, clock: clock)
    try await cache.resume(queue)
    await cache.perform { [ref] cache in _ = cache.remove(ref) }
    files.fault = .always(.error(SystemErrorCode.noSpace), from: 1)
    let error = await #expect(throws: KinshipError.self) {
      try await cache.writeOptimistically { tx in try tx.insert(StoredNote(id: 1, text: "a")) }
    }
    guard case .file(.failed) = error else { throw error ?? .misuse(.closed(path: "")) }
    #expect(cache.peek(ref) == nil && cache.statistics.pendingWrites == 0)
    #expect(cache.statistics.leases == 0)
    files.fault = nil
    try await cache.writeOptimistically { tx in try tx.insert(StoredNote(id: 1, text: "b")) }
    await queue.close()
    let again = try await OfflineQueue(in: disk, at: "/d", schema: schema)
    #expect(again.found.withLock { $0 }?.count == 1)
  }

  @Test func `a queue is resumed once and opened once`() async throws {
    let (cache, queue, _) = try await open(FarStore())
    await #expect(throws: KinshipError.self) { try await cache.resume(queue) }
    let schema = cache.schema
    let error = await #expect(throws: KinshipError.self) {
      _ = try await OfflineQueue(in: disk, at: "/d", schema: schema)
    }
    guard case .file(.inUse) = error else { throw error ?? .misuse(.closed(path: "")) }
  }

  @Test func `a full queue is an error`() async throws {
    let store = FarStore()
    store.network = .down
    let (cache, _, _) = try await open(store)
    await cache.perform { cache in
      for id in 0...GraphCache.maxPendingWrites { _ = cache.remove(Ref<Receipt>(id)) }
    }
    @Sendable func insert(_ id: Int) async throws {
      try await cache.writeOptimistically { tx in try tx.insert(Receipt(id: id)) }
    }
    let limit = GraphCache.maxPendingWrites
    for id in 0..<limit - 1 { try await insert(id) }
    // The later of two concurrent writes is rejected.
    let error = await #expect(throws: KinshipError.self) {
      try await withThrowingTaskGroup { group in
        for id in [limit - 1, limit] { group.addTask { try await insert(id) } }
        try await group.waitForAll()
      }
    }
    guard case .queueIsFull = error else { throw error ?? .misuse(.closed(path: "")) }
    #expect(cache.statistics.pendingWrites == limit)
  }

  /// The record that a pending write has read is dropped, and cannot be loaded for a re-run.
  @Test func `a write that cannot be re-run offline stays pending`() async throws {
    let store = FarStore()
    store.memory.insert([StoredNote(id: 1, text: "a"), StoredNote(id: 2, text: "b")])
    let (cache, _, _) = try await open(store)
    _ = try await cache.resolve([ref, 2])
    store.network = .down
    let pending = try await cache.writeOptimistically { [ref] tx in
      let text = tx[Ref<StoredNote>(2)]?.text ?? "none"
      try tx.update(ref, \.text, to: text)
    }
    try? await cache.sendQueuedWrites()
    await cache.invalidate(Ref<StoredNote>(2))
    await #expect(throws: KinshipError.self) { try await cache.sendQueuedWrites() }
    #expect(pending.isPending && cache.peek(ref)?.text == "b")
    store.memory.insert([StoredNote(id: 2, text: "c")])
    store.network = .up
    try await cache.sendQueuedWrites()
    try await pending.outcome()
    #expect(store.memory[ref]?.text == "c" && cache.peek(ref)?.text == "c")
  }

  /// The first write sets a property of a record that was dropped, so it is re-run without it.
  @Test func `a pending update stays shown while other writes are re-run`() async throws {
    let store = FarStore()
    let other: Ref<StoredNote> = 2
    store.memory.insert([StoredNote(id: 1, text: "a"), StoredNote(id: 2, text: "b")])
    let (cache, _, _) = try await open(store)
    _ = try await cache.resolve([ref, other])
    store.network = .down
    try await cache.writeOptimistically { [ref] tx in try tx.update(ref, \.text, to: "c") }
    try await cache.writeOptimistically { tx in try tx.update(other) { $0.text += "!" } }
    try? await cache.sendQueuedWrites()
    await cache.invalidate(ref)
    let shown = Lock<[String?]>([])
    let subscription = cache.onRemoval { [ref] _ in
      shown.withLock { $0.append(cache.peek(ref)?.text) }
    }
    try await cache.put(StoredNote(id: 2, text: "d"))
    subscription.cancel()
    #expect(cache.peek(other)?.text == "d!" && cache.peek(ref)?.text == "c")
    // The listener runs while the cache applies the results of the writes.
    #expect(shown.withLock { $0 } == ["c"])
  }

  /// Without its base value, a staged update looks like an insertion.
  @Test(arguments: [true, false])
  func `an update is resent as an update after its record was dropped`(isRestarted: Bool)
    async throws
  {
    let store = FarStore()
    store.memory.insert([StoredNote(id: 1, text: "a")])
    var (cache, queue, restored) = try await open(store)
    _ = try await cache.resolve(ref)
    store.network = isRestarted ? .down : .answersLost
    var pending = try await cache.writeOptimistically { [ref] tx in
      try tx.update(ref, \.text, to: "b")
    }
    try? await cache.sendQueuedWrites()
    if isRestarted {
      await queue.close()
      (cache, queue, restored) = try await open(store)
      pending = restored[0].write
    }
    await cache.invalidate(ref)
    store.network = .up
    try await cache.sendQueuedWrites()
    let changes = try await pending.outcome()
    #expect(changes.updated(StoredNote.self).map(\.new?.text) == ["b"])
    #expect(store.memory[ref]?.text == "b")
  }

  @Test func `a record is read again after the answer to its write was lost`() async throws {
    let store = FarStore()
    store.memory.insert([StoredNote(id: 1, text: "a")])
    let (cache, _, _) = try await open(store)
    _ = try await cache.resolve(ref)
    store.network = .answersLost
    try await cache.writeOptimistically { [ref] tx in try tx.update(ref, \.text, to: "b") }
    try? await cache.sendQueuedWrites()
    #expect(store.memory[ref]?.text == "b")
    try await cache.put(StoredNote(id: 1, text: "b"))
    store.memory.insert([StoredNote(id: 1, text: "theirs")])
    store.network = .up
    try await cache.sendQueuedWrites()
    #expect(try await cache.find(ref)?.text == "theirs")
  }

  @Test func `a pending write can be undone`() async throws {
    let store = FarStore()
    store.memory.insert([StoredNote(id: 1, text: "a")])
    let (cache, _, _) = try await open(store)
    let undoStack = UndoStack(cache)
    let pending = try await cache.writeOptimistically { [ref] tx in
      try tx.update(ref, \.text, to: "b")
    }
    await undoStack.record(try await pending.outcome())
    try await undoStack.undo()
    #expect(store.memory[ref]?.text == "a" && cache.peek(ref)?.text == "a")
  }
}
