import KinshipSync
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// A cache that follows a store that others change.
@Suite(.boundedWaits, .tags(.lawP1))
struct FollowingTests {
  private typealias Node = TestNode<Int>

  private struct OutOfReach: Error {}

  /// A cache that follows a store, with a manual clock.
  private struct World {
    let clock = ManualClock()
    let memory = MemoryStore((0..<20).map { Node(id: $0, value: 0) })
    let scripted: ScriptedStore
    let store: LoggedStore
    let cache: GraphCache
    let following: GraphCache.Following

    init(
      _ limits: FollowingLimits = FollowingLimits(), isTold: Bool = false,
      script: StoreScript = .plain
    ) throws {
      scripted = ScriptedStore(over: memory, script: script)
      store = LoggedStore(memory, behind: scripted, isTold: isTold)
      cache = try GraphCache(for: Node.self, store: store, clock: clock)
      following = cache.follow(store, limits: limits)
    }

    func value(_ id: Int) async throws -> Int? { try await cache.find(Ref<Node>(id))?.value }
  }

  @Test func `records that others changed are read again`() async throws {
    let world = try World()
    for id in 0..<3 { #expect(try await world.value(id) == 0) }
    #expect(try await world.value(30) == nil)
    world.store.put(Node(id: 1, value: 7))
    world.store.delete(Ref<Node>(2))
    world.store.put(Node(id: 30, value: 9))
    try await world.store.catchUp()
    #expect(try await world.value(1) == 7)
    #expect(try await world.value(2) == nil)
    #expect(try await world.value(30) == 9)
    // Unchanged records were not dropped.
    #expect(world.cache.peek(Ref<Node>(0)) != nil)
    #expect(world.scripted.requests(for: Ref<Node>(0)) == 1)
    guard case .following = world.following.status else {
      Issue.record("\(world.following.status)")
      return
    }
    #expect(await world.cache.audit() == [])
  }

  /// The timers of a stopped process are late, so readers check the clock themselves.
  @Test(arguments: [FollowingLimits.DuringOutage.drop, .serve])
  func `a reader does not wait for a late timer`(_ duringOutage: FollowingLimits.DuringOutage)
    async throws
  {
    let world = try World(FollowingLimits(duringOutage: duringOutage))
    let refs = (0..<3).map { Ref<Node>($0) }
    let all = RecordQuery<Node>()
    #expect(try await world.cache.find(all).count == 20)
    try await world.following.catchUp()
    for ref in refs { world.store.put(Node(id: ref.id, value: 7)) }
    // No task of the cache runs meanwhile.
    let shown = await world.cache.perform { [world] cache in
      world.clock.advance(by: .milliseconds(999))
      let early = cache.peek(refs[0])
      world.clock.advance(by: .milliseconds(2))
      return [
        early?.value, cache.peek(refs[0])?.value, cache.contains(refs[1]) ? 0 : nil,
        cache.peek(Ref<Node>(9))?.value, cache[refs[2]]?.value, cache.read(refs[2]) { $0.value },
        cache.records(for: [refs[2]])[0]?.value,
        cache.reduce([refs[2]], into: nil as Int?) { $0 = $1.value },
      ]
    }
    if duringOutage == .serve {
      #expect(shown == Array(repeating: 0, count: 8))
      return
    }
    #expect(shown == [0] + Array(repeating: nil, count: 7))
    #expect(try await world.value(0) == 7)
    #expect(try await world.cache.find(refs).map { $0?.value } == [7, 7, 7])
    #expect(try await world.cache.graph(of: refs[2]).root.value == 7)
    #expect(try await world.cache.find(all).map(\.value).sorted().suffix(4) == [0, 7, 7, 7])
    #expect(await world.cache.audit() == [])
  }

  @Test func `the cache keeps its own writes`() async throws {
    let world = try World()
    let ref = Ref<Node>(1)
    try await world.cache.write { try $0.update(ref) { $0.value = 5 } }
    try await world.following.catchUp()
    try await world.following.catchUp()
    #expect(world.cache.peek(ref)?.value == 5)
    #expect(world.scripted.requests(for: ref) <= 1)
  }

  /// A database may change more than the change set.
  ///
  /// The cache drops the rest.
  @Test func `a change that the database adds to a commit is dropped`() async throws {
    let (memory, other) = (MemoryStore((0..<3).map { Node(id: $0) }), Ref<Node>(2))
    let cascading = CascadingStore(memory)
    let cache = try GraphCache(for: Node.self, store: cascading, clock: ManualClock())
    let following = cache.follow(cascading)
    #expect(try await cache.resolve(other).value == 0)
    try await cache.write { try $0.update(Ref<Node>(1)) { $0.value = 5 } }
    try await following.catchUp()
    #expect(cache.peek(Ref<Node>(1))?.value == 5)
    #expect(try await cache.resolve(other).value == 1)
  }

  /// Changes another record with each commit, as a trigger would.
  private final class CascadingStore: ForwardingStore, SharedStore {
    let logged: LoggedStore
    var base: any BackingStore { logged }
    var followers: StoreFollowers { logged.followers }

    init(_ memory: MemoryStore) { logged = LoggedStore(memory) }

    func apply(_ changes: ChangeSet) async throws {
      try await logged.memory.apply(changes)
      let other = logged.memory[Ref<Node>(2)].map { Node(id: 2, value: $0.value + 1) }
      if let other { logged.memory.insert([other]) }
      logged.note(.records(changes.refs + [AnyRef(Ref<Node>(2))]), by: CommitID.current)
    }

    func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      try await logged.changes(since: cursor)
    }
  }

  /// A change by others of a record that the store has committed and memory has not applied yet is
  /// known afterwards.
  @Test(arguments: [0, 1, 2])
  func `a record changed during a commit is read again`(number: Int) async throws {
    let store = SlowlyAnsweringStore(MemoryStore((0..<3).map { Node(id: $0) }))
    let cache = try GraphCache(for: Node.self, store: store, clock: ManualClock())
    let following = cache.follow(store)
    let (kept, inserted) = (Ref<Node>(1), Ref<Node>(7))
    _ = try await cache.resolve(kept)
    async let writing = cache.write { tx in
      try tx.update(kept) { $0.value = 5 }
      try tx.insert(Node(id: 7, value: 5))
    }
    try await wait { store.logged.memory[inserted] != nil }
    for ref in [kept, inserted] { store.logged.memory.remove(ref) }
    store.logged.note(
      [.records([AnyRef(kept), AnyRef(inserted)]), .all(of: Node.self), .everything][number])
    try await following.catchUp()
    store.gate.open()
    _ = try await writing
    for ref in [kept, inserted] { #expect(try await cache.find(ref) == nil) }
    #expect(await cache.audit() == [])
  }

  /// A store that commits first and answers later.
  private final class SlowlyAnsweringStore: ForwardingStore, SharedStore {
    let logged: LoggedStore
    let gate = Gate()
    var base: any BackingStore { logged }
    var followers: StoreFollowers { logged.followers }

    init(_ memory: MemoryStore) { logged = LoggedStore(memory) }

    func apply(_ changes: ChangeSet) async throws {
      try await logged.apply(changes)
      try await gate.wait()
    }

    func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      try await logged.changes(since: cursor)
    }
  }

  @Test func `every cache hears of the others' changes`() async throws {
    let world = try World()
    let other = try GraphCache(for: Node.self, store: world.store, clock: ManualClock())
    let following = other.follow(world.store)
    let ref = Ref<Node>(4)
    for number in 1...5 {
      let (writer, reader) = number % 2 == 0 ? (other, world.cache) : (world.cache, other)
      #expect(try await reader.resolve(ref).value == number - 1)
      try await writer.write { try $0.update(ref) { $0.value += 1 } }
      try await world.store.catchUp()
      #expect(writer.peek(ref)?.value == number)
      #expect(try await reader.resolve(ref).value == number)
    }
    following.end()
    guard case .ended = following.status else {
      Issue.record("\(following.status)")
      return
    }
    #expect(world.store.followers.count == 1)
  }

  @Test func `a change of a whole type or of everything is followed`() async throws {
    let world = try World()
    for extent in [StoreChange.Extent.all(of: Node.self), .everything] {
      for id in 0..<20 { _ = try await world.value(id) }
      #expect(try await world.value(25) == nil)
      for id in 0..<26 {
        let value = (world.memory[Ref<Node>(id)]?.value ?? 0) + 1
        world.memory.insert([Node(id: id, value: value)])
      }
      world.store.note(extent)
      try await world.store.catchUp()
      #expect(world.cache.count == 0)
      for id in 0..<26 { #expect(try await world.value(id) == world.memory[Ref<Node>(id)]?.value) }
      for id in 20..<26 { world.store.delete(Ref<Node>(id)) }
      try await world.store.catchUp()
    }
    #expect(await world.cache.audit() == [])
  }

  @Test func `a notified cache need not poll`() async throws {
    let world = try World(isTold: true)
    let ref = Ref<Node>(1)
    _ = try await world.cache.resolve(ref)
    try await wait { world.store.polls > 0 }
    world.store.put(Node(id: 1, value: 7))
    // No time passes.
    try await wait { world.cache.peek(ref) == nil }
    #expect(try await world.cache.resolve(ref).value == 7)
  }

  @Test func `observers see the changes of others`() async throws {
    let world = try World()
    _ = try await world.value(3)
    var values = world.cache.observe(Ref<Node>(3)).makeAsyncIterator()
    #expect(try await values.next()?.value?.value == 0)
    world.store.put(Node(id: 3, value: 8))
    try await world.store.catchUp()
    while let change = try await values.next(), change.value?.value != 8 {
      #expect(change.isLoading)
    }
  }

  // MARK: Outages

  @Test func `a cache out of contact soon serves nothing`() async throws {
    let world = try World()
    try await world.following.catchUp()
    _ = try await world.value(1)
    world.store.failure = OutOfReach()
    await #expect(throws: OutOfReach.self) { try await world.following.catchUp() }
    guard case .lost(_, let cause) = world.following.status, cause is OutOfReach else {
      Issue.record("\(world.following.status)")
      return
    }
    world.store.put(Node(id: 1, value: 7))
    // Repeatedly, whatever is read meanwhile.
    for round in 1...3 {
      try await pass(.milliseconds(800), in: world) { world.cache.count == 0 }
      #expect(try await world.value(1) == 6 + round)
      world.store.put(Node(id: 1, value: 7 + round))
    }
    // After reconnecting, all changes are known, and nothing else is dropped any more.
    #expect(try await world.value(2) == 0)
    world.store.failure = nil
    try await world.following.catchUp()
    #expect(try await world.value(1) == 10)
    guard case .following = world.following.status else {
      Issue.record("\(world.following.status)")
      return
    }
  }

  @Test func `a cache may choose to serve stale records during an outage`() async throws {
    let world = try World(FollowingLimits(duringOutage: .serve))
    try await world.following.catchUp()
    _ = try await world.value(1)
    _ = try await world.value(2)
    world.store.failure = OutOfReach()
    await #expect(throws: OutOfReach.self) { try await world.following.catchUp() }
    world.store.put(Node(id: 1, value: 7))
    for _ in 0..<5 { try await pass(.seconds(10), in: world) { true } }
    #expect(try await world.value(1) == 0)
    world.store.failure = nil
    try await world.following.catchUp()
    #expect(try await world.value(1) == 7)
    #expect(world.scripted.requests(for: Ref<Node>(2)) == 1)
  }

  /// Lets time pass until timers make a condition hold.
  private func pass(
    _ duration: Duration, in world: World, until condition: () -> Bool
  ) async throws {
    try await world.clock.waitForSleepers(2)
    world.clock.advance(by: duration)
    try await wait { condition() }
  }

  @Test func `a log that does not go back far enough drops everything`() async throws {
    for replaces in [false, true] {
      let world = try World()
      try await world.following.catchUp()
      _ = try await world.value(1)
      world.store.put(Node(id: 1, value: 7))
      if replaces { world.store.replaceLog() } else { world.store.prune() }
      try await world.following.catchUp()
      #expect(try await world.value(1) == 7)
      world.store.put(Node(id: 1, value: 8))
      try await world.following.catchUp()
      #expect(try await world.value(1) == 8)
    }
  }

  /// A process that resumes another's cursor drops the records that have changed since.
  @Test func `a cursor resumes where it stopped`() async throws {
    let world = try World()
    for id in 0..<5 { _ = try await world.value(id) }
    try await world.following.catchUp()
    let cursor = try #require(world.following.cursor)
    world.following.end()
    world.store.put(Node(id: 3, value: 7))
    let again = world.cache.follow(world.store, since: cursor)
    try await again.catchUp()
    #expect(try await world.value(3) == 7)
    #expect(world.scripted.requests(for: Ref<Node>(1)) == 1)
    #expect(world.cache.peek(Ref<Node>(1)) != nil)
  }

  // MARK: Ends

  @Test func `a cache follows one store at a time`() async throws {
    let world = try World()
    let other = LoggedStore(world.memory)
    let second = world.cache.follow(other)
    try await second.catchUp()
    guard case .ended = world.following.status else {
      Issue.record("\(world.following.status)")
      return
    }
    await #expect(throws: CancellationError.self) { try await world.following.catchUp() }
    second.end()
    second.end()
    await #expect(throws: CancellationError.self) { try await second.catchUp() }
  }

  @Test func `a released cache leaves no follower behind`() async throws {
    let store = LoggedStore(MemoryStore((0..<3).map { Node(id: $0) }))
    let clock = ManualClock()
    weak var released: GraphCache?
    do {
      let cache = try GraphCache(for: Node.self, store: store, clock: clock)
      let following = cache.follow(store)
      try await following.catchUp()
      released = cache
    }
    try await wait { released == nil && clock.sleeperCount == 0 }
    #expect(store.followers.count == 0)
  }
}
