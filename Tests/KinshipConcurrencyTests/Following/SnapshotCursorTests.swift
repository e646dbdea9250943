import Foundation
import KinshipSync
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// A snapshot keeps its place in the log of the store that was followed.
@Suite(.boundedWaits)
struct SnapshotCursorTests {
  private typealias Node = TestNode<Int>

  /// A store that several caches follow, one after another, and a disk.
  private struct World {
    let disk = SimulatedDisk()
    let store = LoggedStore(MemoryStore((0..<20).map { Node(id: $0, value: 0) }))

    init() throws { _ = try disk.openDirectory("/d", creating: true) }

    func cache(over store: (any BackingStore)? = nil) throws -> GraphCache {
      try GraphCache(for: Node.self, store: store ?? self.store, clock: ManualClock())
    }

    func save(_ cache: GraphCache, as name: String = "s") async throws {
      _ = try await cache.snapshot(to: "/d/\(name)", in: disk, at: .now)
    }

    @discardableResult
    func restore(
      _ cache: GraphCache, from name: String = "s"
    ) async throws -> GraphCache.RestoreReport {
      try await cache.restore(from: "/d/\(name)", in: disk, at: .now)
    }

    /// Saves a cache that has nodes 0 to 4 and knows that 30 is missing.
    func saveFollowing() async throws -> StoreCursor? {
      let cache = try cache()
      let following = cache.follow(store)
      try await following.catchUp()
      _ = try await cache.find((0..<5).map { Ref<Node>($0) } + [Ref<Node>(30)])
      try await save(cache)
      return following.cursor
    }
  }

  private func value(_ id: Int, _ cache: GraphCache) async throws -> Int? {
    try await cache.find(Ref<Node>(id))?.value
  }

  /// The result is the same whether or not the cache already followed the store at the restoration.
  @Test(arguments: [true, false])
  func `a restored cache drops records changed meanwhile`(followsFirst: Bool) async throws {
    let world = try World()
    let cursor = try await world.saveFollowing()
    #expect(cursor != nil)
    world.store.put(Node(id: 3, value: 7))
    world.store.put(Node(id: 30, value: 9))
    let cache = try world.cache()
    var following: GraphCache.Following?
    if followsFirst {
      following = cache.follow(world.store)
      try await following?.catchUp()
    }
    let report = try await world.restore(cache)
    #expect(report.cursor == cursor)
    following = following ?? cache.follow(world.store)
    try await following?.catchUp()
    #expect(try await value(3, cache) == 7)
    #expect(try await value(30, cache) == 9)
    // Unchanged records are still there.
    for id in [0, 1, 2, 4] { #expect(cache.peek(Ref<Node>(id)) != nil) }
    guard case .following = following?.status else {
      Issue.record("\(following?.status as Any)")
      return
    }
    #expect(await cache.audit() == [])
  }

  @Test(arguments: [true, false])
  func `a restored cache drops everything if the log is too short`(isAnother: Bool) async throws {
    let world = try World()
    _ = try await world.saveFollowing()
    world.store.put(Node(id: 3, value: 7))
    if isAnother { world.store.replaceLog() } else { world.store.prune() }
    let cache = try world.cache()
    try await world.restore(cache)
    #expect(cache.count == 5)
    let following = cache.follow(world.store)
    try await following.catchUp()
    #expect(cache.count == 0)
    #expect(try await value(3, cache) == 7)
  }

  /// A snapshot of restored records that were never followed has their earlier cursor.
  @Test func `a restored snapshot that is saved again keeps its cursor`() async throws {
    let world = try World()
    let cursor = try await world.saveFollowing()
    world.store.put(Node(id: 3, value: 7))
    let between = try world.cache()
    try await world.restore(between)
    _ = try await value(10, between)
    try await world.save(between, as: "t")
    let cache = try world.cache()
    #expect(try await world.restore(cache, from: "t").cursor == cursor)
    let following = cache.follow(world.store)
    try await following.catchUp()
    #expect(try await value(3, cache) == 7)
    #expect(cache.peek(Ref<Node>(10)) != nil)
  }

  /// The cursor of each of two snapshots says nothing about the other.
  @Test func `a cache with two snapshots catches up with each`() async throws {
    let world = try World()
    let first = try await world.saveFollowing()
    world.store.put(Node(id: 3, value: 7))
    let other = try world.cache()
    let ending = other.follow(world.store)
    _ = try await other.find((5..<10).map { Ref<Node>($0) })
    try await ending.catchUp()
    try await world.save(other, as: "t")
    world.store.put(Node(id: 6, value: 8))
    for order in [["s", "t"], ["t", "s"]] {
      let cache = try world.cache()
      for name in order { try await world.restore(cache, from: name) }
      let following = cache.follow(world.store)
      try await following.catchUp()
      #expect(following.cursor != nil && following.cursor != first)
      #expect(try await value(3, cache) == 7)
      #expect(try await value(6, cache) == 8)
      #expect(cache.peek(Ref<Node>(1)) != nil && cache.peek(Ref<Node>(9)) != nil)
    }
  }

  /// The log has named a commit of the cache's own that memory has not applied.
  ///
  /// The snapshot has the old record, so it must see the commit again.
  @Test func `a commit in flight during the snapshot is reported again`() async throws {
    let world = try World()
    let gate = Gate()
    let slow = GatedStore(logged: world.store, gate: gate)
    let cache = try world.cache(over: slow)
    let following = cache.follow(slow)
    let ref = Ref<Node>(1)
    _ = try await cache.resolve(ref)
    try await following.catchUp()
    async let writing = cache.write { try $0.update(ref) { $0.value = 5 } }
    try await gate.waitForWaiters(1)  // It is in the log by then.
    try await following.catchUp()
    try await world.save(cache)
    let before = following.cursor
    gate.open()
    _ = try await writing
    #expect(following.cursor != before)
    let again = try world.cache()
    try await world.restore(again)
    #expect(again.peek(ref)?.value == 0)
    let catching = again.follow(world.store)
    try await catching.catchUp()
    #expect(try await value(1, again) == 5)
  }

  /// A store that commits first and answers later.
  private struct GatedStore: ForwardingStore, SharedStore {
    let logged: LoggedStore
    let gate: Gate
    var base: any BackingStore { logged }
    var followers: StoreFollowers { logged.followers }

    func apply(_ changes: ChangeSet) async throws {
      try await logged.apply(changes)
      try await gate.wait()
    }

    func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      try await logged.changes(since: cursor)
    }
  }

  /// A commit of the cache's own that ended before the restoration is not in memory any more if
  /// memory was emptied.
  ///
  /// The log has not named it yet, and when it does, the records are dropped.
  @Test func `own commits before a restore are dropped`() async throws {
    let world = try World()
    _ = try await world.saveFollowing()
    let cache = try world.cache()
    let following = cache.follow(world.store)
    try await following.catchUp()
    try await cache.write { tx in
      try tx.update(Ref<Node>(3)) { $0.value = 7 }
      try tx.insert(Node(id: 30, value: 9))
    }
    await cache.removeAll()
    try await world.restore(cache)
    try await following.catchUp()
    #expect(try await value(3, cache) == 7)
    #expect(try await value(30, cache) == 9)
  }

  /// An answer in flight when the snapshot was restored does not cover it.
  @Test func `an answer in flight during a restore is not enough`() async throws {
    let world = try World()
    _ = try await world.saveFollowing()
    world.store.put(Node(id: 3, value: 7))
    let slow = GatedAnswers(logged: world.store)
    let cache = try world.cache(over: slow)
    let following = cache.follow(slow)
    try await slow.gate.waitForWaiters(1)
    try await world.restore(cache)
    slow.gate.open()
    try await following.catchUp()
    #expect(try await value(3, cache) == 7)
    try await following.catchUp()
    #expect(following.cursor != nil)
  }

  /// Answers when it may.
  private struct GatedAnswers: ForwardingStore, SharedStore {
    let logged: LoggedStore
    let gate = Gate()
    var base: any BackingStore { logged }
    var followers: StoreFollowers { logged.followers }

    func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      // It starts where it was opened: earlier changes are not reported.
      let answer = try await logged.changes(since: cursor ?? StoreCursor("0 1"))
      try await gate.wait()
      return answer
    }
  }

  // MARK: Files

  /// A cache that follows nothing writes the earlier format, which older programs can read.
  @Test func `only a snapshot with a cursor needs the newer format`() async throws {
    let world = try World()
    func version(_ name: String) -> UInt8? { world.disk.files(in: "/d")[name]?[8] }
    _ = try await world.saveFollowing()
    #expect(version("s") == 2)
    let plain = try world.cache()
    _ = try await value(1, plain)
    try await world.save(plain, as: "t")
    #expect(version("t") == 1)
    let cache = try world.cache()
    #expect(try await world.restore(cache, from: "t").cursor == nil)
    #expect(cache.peek(Ref<Node>(1)) != nil)
  }

  @Test func `a snapshot's header keeps its cursors`() throws {
    for cursors in [[], [StoreCursor("")], [StoreCursor("log 1 2 -3"), StoreCursor("b")]] {
      let head = SnapshotHead(coder: "c", moment: 1, count: 2, cursors: cursors)
      let read = try head.payload.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes, of: "p", at: 0)
        let head = try SnapshotHead(from: &reader)
        try reader.finish()
        return head
      }
      #expect(read == head)
    }
  }

  // MARK: One poll

  /// An observer sees all types of one answer at once, however little the answer names of each.
  @Test func `one answer of the log is one moment`() async throws {
    let store = LoggedStore(MemoryStore([Node(id: 1)]))
    store.memory.insert([TestNode<String>(id: "1")])
    let cache = try GraphCache(for: Node.self, TestNode<String>.self, store: store)
    _ = try await cache.find(Ref<Node>(1))
    _ = try await cache.find(Ref<TestNode<String>>("1"))
    let moments = Shared<[Bool]>([])
    let subscription = cache.onRemoval { _ in
      let isInMoment = cache.state.withLock { $0.map.clock.isInMoment }
      moments.change { $0.append(isInMoment) }
    }
    await cache.invalidate(changed: [
      .records([AnyRef(Ref<Node>(1)), AnyRef(Ref<TestNode<String>>("1"))])
    ])
    #expect(moments.value == [true, true])
    #expect(!cache.state.withLock { $0.map.clock.isInMoment })
    subscription.cancel()
  }

  /// Observers see all records of one answer at once, even if they are applied in several chunks.
  @Test func `observers see one answer of the log at once`() async throws {
    let world = try World()
    let ids = Array(0..<2_000)
    world.store.memory.insert(ids.map { Node(id: $0, value: 1) })
    let cache = try world.cache()
    let following = cache.follow(world.store)
    try await following.catchUp()
    _ = try await cache.find(ids.map { Ref<Node>($0) })
    var changes = cache.observe(ids.map { Ref<Node>($0) }).makeAsyncIterator()
    while let change = try await changes.next(), change.isLoading {}
    world.store.memory.insert(ids.map { Node(id: $0, value: 2) })
    for ids in [ids.prefix(1_000), ids.dropFirst(1_000)] {
      world.store.note(.records(ids.map { AnyRef(Ref<Node>($0)) }))
    }
    try await following.catchUp()
    var values: Set<Set<Int>> = []
    while let change = try await changes.next() {
      let seen = Set(change.value.map(\.value))
      values.insert(seen)
      if seen == [2] { break }
    }
    #expect(values.isSubset(of: [[1], [2], []]))
  }
}
