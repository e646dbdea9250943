import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Laws T1 and T3: a change by query affects exactly the records that match the query when the
/// store commits it.
@Suite(.dedicatedThreads, .tags(.lawT1, .lawT3, .lawQ1))
struct QueryChangeTests {
  private typealias Node = TestNode<Int>

  /// A store that remembers its contents after each commit.
  private final class Chronicle: ForwardingStore {
    let base: any BackingStore
    private let memory: MemoryStore
    private let versions = Lock<[[Node]]>([])

    init(_ nodes: [Node]) {
      memory = MemoryStore(nodes)
      base = memory
      versions.withLock { $0 = [contents] }
    }

    private var contents: [Node] { ids.compactMap { memory[Ref<Node>($0)] } }

    /// The number of the last version.
    var last: Int { versions.withLock { $0.count - 1 } }

    func apply(_ changes: ChangeSet) async throws {
      try await base.apply(changes)
      versions.withLock { $0.append(contents) }
    }

    func versions(from first: Int) -> ArraySlice<[Node]> { versions.withLock { $0[first...] } }
  }

  private enum Step: Command {
    case put(id: Int, value: Int, isShown: Bool)
    case update(id: Int, value: Int, isShown: Bool)
    case delete(id: Int, isShown: Bool)
    case deleteMatching(least: Int, limit: Int?)
    case updateMatching(least: Int, limit: Int?)
    case evict(id: Int)
    case invalidate(id: Int)
    case removeAll
    case rest

    static func random(using generator: inout SplitMix64) -> Step {
      let id = ids.randomElement(using: &generator) ?? 0
      let value = Int.random(in: 0..<100, using: &generator)
      let limit = Bool.random(using: &generator) ? nil : 1 + value % 5
      let isShown = generator.chance(0.3)
      return switch Int.random(in: 0..<40, using: &generator) {
      case 0..<10: .put(id: id, value: value, isShown: isShown)
      case 10..<16: .update(id: id, value: value, isShown: isShown)
      case 16..<18: .delete(id: id, isShown: isShown)
      case 18..<23: .deleteMatching(least: 50 + value / 2, limit: limit)
      case 23..<30: .updateMatching(least: value, limit: limit)
      case 30..<33: .evict(id: id)
      case 33..<36: .invalidate(id: id)
      case 36: .removeAll
      default: .rest
      }
    }
  }

  private static let ids = 0..<16

  private static func query(_ least: Int, _ limit: Int?) -> RecordQuery<Node> {
    let query = RecordQuery<Node>(#Predicate { $0.value >= least }).sorted(by: \.value)
    return limit.map { query.limited(to: $0) } ?? query
  }

  private struct World: Sendable {
    let store: Chronicle
    let cache: GraphCache

    init(_ schedule: Schedule, capacity: Int) throws {
      store = Chronicle(ids.map { Node(id: $0, value: $0 * 6) })
      let script = StoreScript { call, generator in
        let pause = StoreBehavior.Pause.yields(Int.random(in: 0..<30, using: &generator))
        return StoreBehavior(
          reading: Bool.random(using: &generator) ? .beforePause : .afterPause, pause: pause)
      }
      cache = try GraphCache(
        for: Node.self, store: ScriptedStore(over: store, script: script, seed: schedule.seed),
        capacity: capacity, executor: schedule.executor)
    }

    func apply(_ step: Step) async throws {
      switch step {
      case .put(let id, let value, let isShown):
        try await write(isShown) { tx in try tx.put(Node(id: id, value: value)) }
      case .update(let id, let value, let isShown):
        try await write(isShown) { tx in try tx.update(Ref<Node>(id), \.value, to: value) }
      case .delete(let id, let isShown):
        try await write(isShown) { tx in try tx.delete(Ref<Node>(id)) }
      case .deleteMatching(let least, let limit):
        let query = query(least, limit)
        try await verify("the deletion by \(step)") {
          try await cache.delete(query).deleted(Node.self).map(\.id)
        } isOf: { nodes in
          try query.answer(from: nodes).map { ($0.id, nil) }
        }
      case .updateMatching(let least, let limit):
        let query = query(least, limit)
        @Sendable func change(_ node: inout Node) { node.value = (node.value + 50) % 100 }
        try await verify("the update by \(step)") {
          try await cache.update(query, change).updated(Node.self).map(\.ref.id)
        } isOf: { nodes in
          try query.answer(from: nodes).map { node in
            var new = node
            change(&new)
            return (node.id, new)
          }
        }
      case .evict(let id): await cache.evict(Ref<Node>(id))
      case .invalidate(let id): await cache.invalidate(Ref<Node>(id))
      case .removeAll: await cache.removeAll()
      case .rest: break
      }
    }

    private func write(
      _ isShown: Bool, _ body: @escaping @Sendable (inout GraphCache.Transaction) throws -> Void
    ) async throws {
      do {
        if isShown {
          try await cache.writeOptimistically(body: body).outcome()
        } else {
          try await cache.write(body: body)
        }
      } catch KinshipError.missing {} catch KinshipError.conflict {}
    }

    /// Some version became the next one by these changes, or there was nothing to change.
    private func verify(
      _ what: String, _ change: () async throws -> [Int],
      isOf expected: ([Node]) throws -> [(id: Int, new: Node?)]
    ) async throws {
      let first = store.last
      let changed = try await change()
      let versions = Array(store.versions(from: first))
      let isOfOneVersion = try versions.indices.contains { number in
        let edits = try expected(versions[number])
        guard Set(edits.map(\.id)) == Set(changed) else { return false }
        if edits.isEmpty { return true }
        var next = versions[number]
        for edit in edits {
          next = next.compactMap { $0.id == edit.id ? edit.new : $0 }
        }
        return number + 1 < versions.count && versions[number + 1] == next
      }
      try KinshipTestSupport.verify(isOfOneVersion, "\(what), of \(changed), is of no version")
    }
  }

  @Test(arguments: [Int.max, 4])
  func `a change by query affects exactly its matches at one version`(capacity: Int) async throws {
    try await Property.check(
      seeds: 400, steps: 40, generate: { Step.random(using: &$0) }
    ) { steps, seed async throws in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        let world = try World(schedule, capacity: capacity)
        try await schedule.apply(steps, delayedUpTo: 60) {
          if case .rest = $0 { true } else { false }
        } apply: {
          try await world.apply($0)
        } verify: {
          try verifyEqual(await world.cache.audit(), [], "the audit")
        }
      }
    }
  }

  private let memory = MemoryStore((0..<20).map { Node(id: $0, value: $0) })

  /// Counts the runs of a closure.
  private final class Runs: Sendable {
    private let number = Lock(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
  }

  @Test func `a change by query takes two store calls`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let runs = Runs()
    try await cache.update(Self.query(5, nil)) { node in
      runs.add()
      node.value = 100
    }
    #expect(store.calls.map(\.kind) == [.query, .apply])
    #expect(runs.count == 15)
    let changes = try await cache.delete(Self.query(100, 3))
    #expect(changes.deleted(Node.self).map(\.id).sorted() == [5, 6, 7])
    #expect(store.calls.dropFirst(2).map(\.kind) == [.query, .referrers, .apply])
    #expect(memory[Ref<Node>(7)] == nil && memory[Ref<Node>(8)]?.value == 100)
  }

  @Test func `a record put while the store answers is checked at the end`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: memory,
      script: .plain.onCall(0, StoreBehavior(reading: .beforePause, pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    async let changes = cache.delete(Self.query(17, nil))
    try await store.waitForCalls(1)
    for node in [Node(id: 3, value: 50), Node(id: 18, value: 0)] {
      memory.insert([node])
      try await cache.put(node)
    }
    gate.open()
    #expect(try await Set(changes.deleted(Node.self).map(\.id)) == [3, 17, 19])
    #expect(memory[Ref<Node>(18)] == Node(id: 18, value: 0))
    #expect(await cache.audit() == [])
  }

  @Test func `the next record replaces one that no longer matches`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: memory,
      script: .plain.onCall(0, StoreBehavior(reading: .beforePause, pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    async let changes = cache.update(Self.query(5, 2)) { $0.value = 0 }
    try await store.waitForCalls(1)
    memory.insert([Node(id: 5, value: 99)])
    await cache.invalidate(Ref<Node>(5))
    gate.open()
    #expect(try await changes.updated(Node.self).map(\.ref.id).sorted() == [6, 7])
    #expect(memory[Ref<Node>(5)]?.value == 99 && memory[Ref<Node>(8)]?.value == 8)
  }

  @Test func `a change by query without a store affects memory`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (0..<10).map { Node(id: $0, value: $0) })
    try await cache.update(Self.query(5, nil)) { $0.value += 10 }
    #expect(try await cache.delete(Self.query(0, 5)).count == 5)
    #expect(try await cache.find(RecordQuery<Node>()).allSatisfy { $0.value > 10 })
    await #expect(throws: CancellationError.self) {
      try await cache.update(Self.query(0, nil)) { _ in throw CancellationError() }
    }
    #expect(cache.count == 5)
  }
}
