import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Tests of loads in chunks, while others use the cache in between.
@Suite(.dedicatedThreads, .serialized, .tags(.lawG2))
struct ChunkedWorkTests {
  private typealias Node = TestNode<Int>

  /// A root that refers to many records, a list of each, and twice to the last.
  private static let count = 3_000
  private static let star: [Node] =
    [Node(id: 0, links: (1..<count).map { Ref($0) } + [Ref(count - 1)])]
    + (1..<count).map { Node(id: $0, value: $0, links: $0 == 1 ? [Ref(0), Ref(2)] : []) }
  private static let others = (0..<1_500).map { Node(id: 100_000 + $0) }

  private func check(_ graph: Graph<Node>) {
    #expect(graph.count == Self.count)
    #expect(graph.records(of: Node.self).map(\.id) == Array(0..<Self.count))
    #expect(graph.root.links.map(\.value) == Array(1..<Self.count) + [Self.count - 1])
  }

  @Test(arguments: [Int.max, 2_000, 1])
  func `a graph of many records loads completely`(capacity: Int) async throws {
    let store = ScriptedStore(over: MemoryStore(Self.star))
    let cache = try GraphCache(for: Node.self, store: store, capacity: capacity)
    check(try await cache.graph(of: Ref<Node>(0), .generations(3)))
    #expect(store.calls.map(\.refs.count) == [1, Self.count - 1])
    #expect(cache.count == min(Self.count, capacity))
    // The most recently used are those that were reached last.
    let coldest = await cache.coldest(.max).compactMap { $0.as(Node.self)?.id }
    #expect(coldest == Array((0..<Self.count).suffix(capacity)))
    #expect(cache.statistics.misses == Self.count)
    #expect(await cache.audit() == [])
  }

  /// A record that is evicted in between is loaded again.
  @Test func `a graph of many records is complete while leases end`() async throws {
    let store = MemoryStore(Self.star + Self.others)
    let cache = try GraphCache(for: Node.self, store: store, capacity: Self.count + 500)
    let stars = Self.star.map(\.ref)
    let others = Self.others.map(\.ref)
    for round in 0..<max(8, try Effort().operations(40)) {
      // The records reached last are evicted first.
      let leases = [cache.lease(stars.reversed()), cache.lease(others)]
      _ = try await (cache.find(stars), cache.find(others))
      let ending = Task {
        for _ in 0..<round * round { await Task.yield() }
        for lease in round.isMultiple(of: 2) ? leases : leases.reversed() { lease.end() }
      }
      check(try await cache.graph(of: Ref<Node>(0), .generations(2)))
      await ending.value
      #expect(await cache.audit() == [])
      #expect(cache.count <= Self.count + 500)
    }
  }

  /// Some waiters give up, and the store sometimes fails.
  ///
  /// The others get their records or an error.
  @Test func `cancellations and failures between chunks affect no other waiter`() async throws {
    let store = ScriptedStore(
      over: MemoryStore(Self.others),
      script: StoreScript { call, _ in
        call.number.isMultiple(of: 3)
          ? StoreBehavior(pause: .yields(3), failure: ScriptedFailure(call: call.number))
          : StoreBehavior(pause: .yields(3))
      })
    let cache = try GraphCache(for: Node.self, store: store, capacity: 10)
    for round in 0..<max(8, try Effort().operations(30)) {
      let tasks = (0..<6).map { number in
        let refs = Self.others[(number * 50)...].prefix(1_200).map(\.ref)
        return Task { (refs, try await cache.find(refs)) }
      }
      for (number, task) in tasks.enumerated() where number % 3 == round % 3 {
        for _ in 0..<round { await Task.yield() }
        task.cancel()
      }
      for task in tasks {
        guard case .success((let refs, let records)) = await task.result else { continue }
        #expect(records.map { $0?.ref } == refs)
      }
      #expect(cache.statistics.waiters == 0)
      #expect(await cache.audit() == [])
    }
  }

  /// A record that a transaction changes must not be requested during the commit, and can be
  /// afterwards.
  @Test func `records change while others lease them`() async throws {
    let nodes = Self.others
    let cache = try GraphCache(for: Node.self, store: MemoryStore(nodes), capacity: 10)
    let isOver = Gate()
    let leasing = Task {
      while !isOver.isOpen {
        cache.lease(nodes.map(\.ref)).end()
        await Task.yield()
      }
    }
    defer { isOver.open() }
    for round in 1...max(8, try Effort().operations(20)) {
      try await cache.write { tx in
        for node in nodes { try tx.update(node.ref, \.value, to: round) }
      }
      #expect(try await cache.resolve(nodes.map(\.ref)).allSatisfy { $0.value == round })
      #expect(await cache.audit() == [])
    }
    isOver.open()
    await leasing.value
    #expect(await cache.audit() == [])
  }
}
