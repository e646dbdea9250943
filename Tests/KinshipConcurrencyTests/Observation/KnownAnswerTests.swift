import Foundation
import KinshipSync
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// The answers of observed queries are kept in snapshots, and never called complete when they are
/// not.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawW1))
struct KnownAnswerTests {
  private typealias Node = TestNode<Int>

  /// A query of a trial.
  private enum Question: Int, CaseIterable {
    case all, small, firstSmall, lastBig

    var query: RecordQuery<Node> {
      switch self {
      case .all: RecordQuery().sorted(by: \.value, .descending)
      case .small: RecordQuery(#Predicate { $0.value < 5 }).sorted(by: \.id)
      case .firstSmall: RecordQuery(#Predicate { $0.value < 7 }).sorted(by: \.value).limited(to: 2)
      case .lastBig:
        RecordQuery(#Predicate { $0.value > 2 }).sorted(by: \.value, .descending).skipping(1)
          .limited(to: 3)
      }
    }
  }

  /// Successive launches of a program, over one store that others change too.
  private final class World {
    let disk = SimulatedDisk()
    let logged: LoggedStore
    let store: ScriptedStore
    private(set) var cache: GraphCache
    private(set) var following: GraphCache.Following?
    typealias List = Changes<ResultList<Node>, ListDiff<Node>>.AsyncIterator
    var lists: [Question: (changes: List, shown: [Node])] = [:]
    /// Whether others have changed anything since the log was last read.
    var isBehind = false

    init(count: Int = 8, follows: Bool = true) throws {
      _ = try disk.openDirectory("/d", creating: true)
      logged = LoggedStore(MemoryStore((0..<count).map { Node(id: $0, value: $0) }))
      store = ScriptedStore(over: logged)
      cache = try GraphCache(for: Node.self, store: store, clock: ManualClock())
      if follows { following = cache.follow(logged) }
    }

    var queries: Int { store.calls.count { $0.kind == .query } }
    var fetched: Int { store.calls.reduce(0) { $0 + ($1.kind == .fetch ? $1.refs.count : 0) } }

    func expected(_ question: Question) async throws -> [Node] {
      try await logged.memory.records(for: question.query).records
    }

    func catchUp() async throws {
      try await following?.catchUp()
      isBehind = following == nil
    }

    func write(_ id: Int, _ value: Int) async throws {
      try await cache.write { $0[Ref<Node>(id)] = Node(id: id, value: value) }
    }

    func observe(_ question: Question) async throws -> [Node] {
      var iterator = cache.observe(question.query).makeAsyncIterator()
      let change = try #require(try await iterator.next())
      lists[question] = (iterator, Array(change.value))
      return Array(change.value)
    }

    /// Ends the program, and starts it again from a snapshot.
    func restart(capacity: Int = .max, follows: Bool = true, followsFirst: Bool = false)
      async throws
    {
      _ = try await cache.snapshot(to: "/d/s", in: disk, at: .now)
      lists = [:]
      await following?.finish()
      following = nil
      cache = try GraphCache(
        for: Node.self, store: store, capacity: capacity, clock: ManualClock())
      isBehind = true
      if follows, followsFirst { following = cache.follow(logged) }
      _ = try await cache.restore(from: "/d/s", in: disk, at: .now)
      if followsFirst { return }
      for question in Question.allCases {
        try verify(!cache.peek(question.query).isComplete, "complete before the log is read")
      }
      if follows { following = cache.follow(logged) }
    }
  }

  @Test(arguments: Question.allCases)
  private func `an observed answer is known after a restart without a query`(question: Question)
    async throws
  {
    let world = try World()
    let rows = try await world.observe(question)
    try await world.catchUp()
    try await world.restart()
    let queries = world.queries
    #expect(world.cache.peek(question.query).value.map { Array($0) } == rows)
    try await world.catchUp()
    #expect(world.cache.peek(question.query) == .complete(ResultList(rows)))
    #expect(try await world.cache.find(question.query) == rows)
    #expect(try await world.observe(question) == rows)
    #expect(world.queries == queries)
    #expect(world.fetched == 0)
    #expect(await world.cache.audit() == [])
  }

  @Test func `a restored answer follows changes`() async throws {
    let world = try World()
    _ = try await world.observe(.small)
    try await world.restart()
    #expect(try await world.observe(.small).map(\.id) == [0, 1, 2, 3, 4])
    let queries = world.queries
    try await world.write(7, 3)
    let change = try await world.lists[.small]?.changes.next()
    #expect(change?.value.map(\.id) == [0, 1, 2, 3, 4, 7])
    world.logged.put(Node(id: 1, value: 9))
    try await world.catchUp()
    #expect(try await world.lists[.small]?.changes.next()?.value.map(\.id) == [0, 2, 3, 4, 7])
    #expect(world.queries == queries)
  }

  @Test func `only changed records are loaded`() async throws {
    let world = try World()
    _ = try await world.observe(.small)
    try await world.catchUp()
    world.logged.put(Node(id: 1, value: 9))
    world.logged.put(Node(id: 6, value: 0))
    world.logged.delete(Ref<Node>(3))
    try await world.restart()
    let queries = world.queries
    #expect(try await world.cache.find(Question.small.query).map(\.id) == [0, 2, 4, 6])
    #expect(try await world.observe(.small).map(\.id) == [0, 2, 4, 6])
    #expect(world.queries == queries)
    #expect(world.fetched <= 3)
  }

  @Test func `an evicted record of the answer is loaded by id`() async throws {
    let world = try World()
    let rows = try await world.observe(.small)
    try await world.catchUp()
    try await world.restart(capacity: 2)
    try await world.catchUp()
    let queries = world.queries
    #expect(!world.cache.peek(Question.small.query).isComplete)
    #expect(try await world.observe(.small) == rows)
    #expect(world.queries == queries)
  }

  @Test func `an answer without a log is known but not complete`() async throws {
    let world = try World(follows: false)
    let rows = try await world.observe(.firstSmall)
    try await world.restart(follows: false)
    #expect(world.cache.peek(Question.firstSmall.query) == .partial(ResultList(rows)))
    let queries = world.queries
    #expect(try await world.cache.find(Question.firstSmall.query) == rows)
    #expect(try await world.observe(.firstSmall) == rows)
    #expect(world.queries == queries + 2)
  }

  @Test func `an answer is dropped if the log does not go back to it`() async throws {
    let world = try World()
    _ = try await world.observe(.small)
    try await world.catchUp()
    world.logged.put(Node(id: 1, value: 9))
    world.logged.prune()
    try await world.restart()
    try await world.catchUp()
    let queries = world.queries
    #expect(!world.cache.peek(Question.small.query).isComplete)
    #expect(try await world.observe(.small).map(\.id) == [0, 2, 3, 4])
    #expect(world.queries == queries + 1)
  }

  @Test func `a saved answer leaves out pending writes`() async throws {
    let world = try World()
    _ = try await world.observe(.small)
    let gate = Gate()
    world.store.follow(
      StoreScript { call, _ in
        StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
      })
    let write = try await world.cache.writeOptimistically { tx in
      try tx.update(Ref<Node>(6)) { $0.value = 0 }
    }
    #expect(try await world.lists[.small]?.changes.next()?.value.map(\.id) == [0, 1, 2, 3, 4, 6])
    let old = world.cache
    _ = try await old.snapshot(to: "/d/t", in: world.disk, at: .now)
    let cache = try GraphCache(for: Node.self, store: world.logged, clock: ManualClock())
    _ = try await cache.restore(from: "/d/t", in: world.disk, at: .now)
    let following = cache.follow(world.logged)
    try await following.catchUp()
    #expect(try await cache.find(Question.small.query).map(\.id) == [0, 1, 2, 3, 4])
    gate.open()
    _ = try await write.outcome()
    try await following.catchUp()
    #expect(try await cache.find(Question.small.query).map(\.id) == [0, 1, 2, 3, 4, 6])
  }

  /// The checksums are right, so only the decoder can notice.
  @Test func `a wrong answer in a file is a typed error or harmless`() async throws {
    let world = try World()
    _ = try await world.observe(.small)
    try await world.catchUp()
    _ = try await world.cache.snapshot(to: "/d/s", in: world.disk, at: .now)
    let surgery = try SnapshotSurgery(world.disk.files(in: "/d")["s"] ?? [])
    let frame = try #require(
      surgery.frames.firstIndex { $0.kind == SnapshotFrame.answer.rawValue })
    let payload = surgery.frames[frame].payload
    var wrong: [[UInt8]] = payload.indices.map { Array(payload.prefix($0)) } + [payload + [0]]
    for place in payload.indices {
      for byte: UInt8 in [0, 1, 127, 255] {
        var bytes = payload
        bytes[place] = byte
        wrong.append(bytes)
      }
    }
    for bytes in wrong {
      var other = surgery
      other.frames[frame].payload = bytes
      let disk = SnapshotLab.disk(other.bytes)
      let cache = try GraphCache(for: Node.self, store: world.store, clock: ManualClock())
      do {
        _ = try await cache.restore(from: SnapshotLab.path, in: disk, at: .now)
      } catch is KinshipError {}
      #expect(await cache.audit() == [])
    }
  }

  // MARK: Random operations

  private enum Step: Command {
    case put(Int, Int)
    case delete(Int)
    case write(Int, Int)
    case remove(Int)
    case load(Int)
    case invalidate(Int)
    case evict(Int)
    case removeAll
    case prune
    case catchUp
    case observe(Question)
    case stop(Question)
    case next(Question)
    case find(Question)
    case peek(Question)
    case restart(capacity: Int, followsFirst: Bool)

    static func random(using generator: inout SplitMix64) -> Step {
      func id() -> Int { Int.random(in: 0..<10, using: &generator) }
      let question = Question.allCases.randomElement(using: &generator) ?? .all
      switch Int.random(in: 0..<40, using: &generator) {
      case 0..<4: return .put(id(), id())
      case 4, 5: return .delete(id())
      case 6..<9: return .write(id(), id())
      case 9: return .remove(id())
      case 10..<12: return .load(id())
      case 12: return .invalidate(id())
      case 13: return .evict(id())
      case 14: return generator.chance(0.2) ? .removeAll : .catchUp
      case 15: return generator.chance(0.3) ? .prune : .catchUp
      case 16..<19: return .catchUp
      case 19..<23: return .observe(question)
      case 23: return .stop(question)
      case 24..<26: return .next(question)
      case 26..<30: return .find(question)
      case 30..<36: return .peek(question)
      default:
        return .restart(
          capacity: generator.chance(0.7) ? .max : 4, followsFirst: generator.chance(0.3))
      }
    }
  }

  @Test func `an answer is never called complete when it is not`() async throws {
    try await Property.check(seeds: 200, steps: 60) {
      Step.random(using: &$0)
    } run: { steps, _ in
      let world = try World()
      for step in steps { try await apply(step, to: world) }
    }
  }

  private func apply(_ step: Step, to world: World) async throws {
    let cache = world.cache
    switch step {
    case .put(let id, let value):
      world.logged.put(Node(id: id, value: value))
      world.isBehind = true
    case .delete(let id):
      world.logged.delete(Ref<Node>(id))
      world.isBehind = true
    // The store would refuse a write of a record that others have deleted since.
    case .write(let id, let value):
      try await world.catchUp()
      try await world.write(id, value)
    case .remove(let id):
      try await world.catchUp()
      try await cache.write { $0[Ref<Node>(id)] = nil }
    case .load(let id): _ = try await cache.find(Ref<Node>(id))
    case .invalidate(let id): await cache.invalidate(Ref<Node>(id))
    case .evict(let id): await cache.evict(Ref<Node>(id))
    case .removeAll: await cache.removeAll()
    case .prune: world.logged.prune()
    case .catchUp: try await world.catchUp()
    case .observe(let question):
      try await world.catchUp()
      try verifyEqual(try await world.observe(question), try await world.expected(question), "list")
    case .stop(let question): world.lists[question] = nil
    case .next(let question):
      guard var list = world.lists[question] else { return }
      try await world.catchUp()
      let expected = try await world.expected(question)
      while list.shown != expected, let change = try await list.changes.next() {
        list.shown = Array(change.value)
      }
      world.lists[question] = list
    case .find(let question):
      try await world.catchUp()
      try verifyEqual(
        try await cache.find(question.query), try await world.expected(question), "found")
    case .peek(let question):
      if case .complete(let records) = cache.peek(question.query), !world.isBehind {
        try verifyEqual(
          Array(records), try await world.expected(question), "complete")
      }
      try await world.catchUp()
      if case .complete(let records) = world.cache.peek(question.query) {
        try verifyEqual(
          Array(records), try await world.expected(question), "complete at last")
      }
    case .restart(let capacity, let followsFirst):
      try await world.restart(capacity: capacity, followsFirst: followsFirst)
    }
    try verifyEqual(await world.cache.audit(), [], "audit")
  }
}
