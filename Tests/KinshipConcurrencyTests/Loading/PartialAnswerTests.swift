import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Unreadable records: a caller that waits for one fails, the others get theirs, and a partial
/// result names what it lacks.
struct PartialAnswerTests {
  private typealias Node = TestNode<Int>

  private func cache(
    _ records: [Node], unreadable: Set<Int>, pause: StoreBehavior.Pause = .none,
    capacity: Int = .max, batchSize: Int = .max
  ) throws -> (GraphCache, ScriptedStore) {
    let refs = Set(unreadable.map { AnyRef(Ref<Node>($0)) })
    let store = ScriptedStore(
      over: MemoryStore(records),
      script: .always(StoreBehavior(pause: pause, isShuffled: true, unreadable: refs)))
    let cache = try GraphCache(
      for: Node.self, store: store, capacity: capacity,
      fetching: FetchLimits(batchSize: batchSize))
    return (cache, store)
  }

  private func verifyAtRest(_ cache: GraphCache) async throws {
    try verifyEqual(await cache.audit(), [], "the audit")
    let statistics = cache.statistics
    try verifyEqual(statistics.waiters, 0, "waiters")
    try verifyEqual(statistics.batchesInFlight, 0, "batches in flight")
    try verifyEqual(statistics.traversals, 0, "traversals")
    try verifyEqual(await cache.coldest(.max).count, cache.count, "what is not claimed")
  }

  private func expect(_ error: (any Error)?, names id: Int) {
    let ref = AnyRef(Ref<Node>(id))
    guard case KinshipError.fetchFailed("TestNode<Int>", [ref], let cause)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(cause as? UnreadableRecord == UnreadableRecord(ref: ref))
  }

  /// The records that partial reads have left out.
  private final class Unread: Sendable {
    private let ids = Lock<Set<Int>>([])

    var noting: ReadOptions {
      .partial { error in
        guard case .fetchFailed(_, let refs, let cause) = error, cause is UnreadableRecord else {
          return
        }
        self.ids.withLock { $0.formUnion(refs.compactMap { $0.as(Node.self)?.id }) }
      }
    }

    func take() -> Set<Int> {
      ids.withLock { ids in
        defer { ids = [] }
        return ids
      }
    }
  }

  private func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch { return error }
  }

  // MARK: By ids

  @Test func `an unreadable record fails only its own waiters`() async throws {
    let gate = Gate()
    let nodes = (0..<5).map { Node(id: $0, value: $0) }
    let (cache, store) = try cache(nodes, unreadable: [2], pause: .gate(gate))
    let callers = [[0], [1], [2], [3, 4, 9], [1, 2], [9]].map { ids in
      Task { try await cache.find(ids.map { Ref<Node>($0) }).map { $0?.value } }
    }
    try await store.waitForCalls(1)
    try await wait { cache.statistics.waiters >= callers.count }
    gate.open()
    for (caller, expected) in zip(callers, [[0], [1], nil, [3, 4, nil], nil, [nil]] as [[Int?]?]) {
      if let expected {
        #expect(try await caller.value == expected)
      } else {
        expect(await failure { _ = try await caller.value }, names: 2)
      }
    }
    let others = store.calls.count
    #expect(cache.count == 4)
    #expect(cache.statistics.failedBatches == 1)
    try await verifyAtRest(cache)
    // The cache remembers neither the failure nor an absence.
    expect(await failure { _ = try await cache.find(Ref<Node>(2)) }, names: 2)
    #expect(store.calls.count == others + 1)
    store.follow(.plain)
    #expect(try await cache.find(Ref<Node>(2))?.value == 2)
  }

  /// A store that answers as a closure decides.
  private struct Answering: BackingStore {
    let answer: @Sendable () throws -> [Node]

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try answer() as? [R] ?? []
    }
  }

  private struct Illegible: Error {}

  /// It may be the failure of any id without a record.
  @Test func `a failure without an id fails all ids without a record`() async throws {
    let cache = try GraphCache(
      for: Node.self,
      store: Answering {
        throw PartialAnswer([Node(id: 1)], failures: [.init(nil, cause: Illegible())])
      })
    let callers = [1, 2, 3].map { id in Task { try await cache.find(Ref<Node>(id)) } }
    #expect(try await callers[0].value?.id == 1)
    for caller in callers.dropFirst() {
      await #expect(throws: KinshipError.self) { try await caller.value }
    }
    #expect(cache.statistics.absences == 0)
    try await verifyAtRest(cache)
  }

  @Test func `a wrong partial answer is rejected`() async throws {
    let wrong: [@Sendable () throws -> [Node]] = [
      { throw PartialAnswer([Node(id: 1)], failures: [.init(7, cause: Illegible())]) },
      { throw PartialAnswer([Node(id: 1)], failures: [.init(1, cause: Illegible())]) },
      { throw PartialAnswer([Node(id: 7)], failures: [.init(1, cause: Illegible())]) },
    ]
    for answer in wrong {
      let cache = try GraphCache(for: Node.self, store: Answering(answer: answer))
      let error = await failure { _ = try await cache.find(Ref<Node>(1)) }
      guard case KinshipError.unexpectedRecord? = error else {
        Issue.record("\(error as Any)")
        continue
      }
      #expect(cache.count == 0)
      try await verifyAtRest(cache)
    }
    // It says nothing about these records if it is about another type.
    let cache = try GraphCache(
      for: Node.self,
      store: Answering { throw PartialAnswer<TestPlace>([], failures: []) })
    let error = await failure { _ = try await cache.find(Ref<Node>(1)) }
    guard case KinshipError.fetchFailed(_, _, let cause)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(cause is PartialAnswer<TestPlace>)
    #expect(cache.statistics.absences == 0)
  }

  // MARK: Graphs

  /// A partial graph has the records that can be reached without the unreadable ones, and names
  /// those.
  @Test func `a partial graph names its unreadable records`() async throws {
    for seed in try Effort().seeds(300) {
      var generator = SplitMix64(seed: seed)
      let world = DirectedGraph.random(using: &generator)
      let unreadable = Set((0..<world.nodeCount).dropFirst().filter { _ in generator.chance(0.2) })
      let generations = Int.random(in: 0...5, using: &generator)
      let capacity = [0, 2, .max].randomElement(using: &generator) ?? .max
      let (cache, store) = try cache(
        world.records(), unreadable: unreadable, capacity: capacity,
        batchSize: [1, 3, .max].randomElement(using: &generator) ?? .max)
      // In the expected search, an unreadable record has no refs.
      let visible = DirectedGraph(
        successors: world.successors.map { $0.map { unreadable.contains($0) ? -1 : $0 } })
      var failed: Set<Int> = []
      let search = BoundedSearch(
        DirectedGraph(successors: visible.successors.map { $0.filter { $0 >= 0 } }), from: 0,
        generations: generations)
      for node in search.order where search.generations[node] ?? 0 < generations {
        failed.formUnion(world.successors[node].filter(unreadable.contains))
      }
      let graph = try await cache.find(Ref<Node>(0).graph(.generations(generations)), .partial)
      try verifyEqual(
        Set(graph.records(of: Node.self).map(\.id)), Set(search.order), "the nodes, seed \(seed)")
      try verifyEqual(
        Set(graph.failures.keys), Set(failed.map { AnyRef(Ref<Node>($0)) }),
        "what is lacking, seed \(seed)")
      try verify(
        Set(graph.horizon).isSuperset(of: graph.failures.keys), "the horizon, seed \(seed)")
      for (ref, error) in graph.failures {
        guard case .fetchFailed(_, [ref], let cause) = error, cause is UnreadableRecord else {
          throw error
        }
        try verifyEqual(store.calls.count { $0.refs.contains(ref) }, 1, "requests, seed \(seed)")
      }
      try await verifyAtRest(cache)
      let error = await failure {
        _ = try await cache.graph(of: Ref<Node>(0), .generations(generations))
      }
      try verifyEqual(error == nil, failed.isEmpty, "a whole graph, seed \(seed)")
      if let error {
        guard case KinshipError.fetchFailed(_, let refs, _) = error, refs.count == 1,
          graph.failures[refs[0]] != nil
        else { throw error }
      }
      // The first failure ends the walk, while other batches may still be in flight.
      try await wait { cache.statistics.batchesInFlight == 0 }
      try await verifyAtRest(cache)
    }
  }

  /// 0 leads to 1 and 2, those to 3 and 4.
  private static let diamond = [
    Node(id: 0, links: [1, 2]), Node(id: 1, links: [3]), Node(id: 2, links: [4]), Node(id: 3),
    Node(id: 4),
  ]

  @Test func `a partial graph tolerates a failing store`() async throws {
    let store = ScriptedStore(
      over: MemoryStore(Self.diamond),
      script: .plain.onCall(2, StoreBehavior(failure: ScriptedFailure(call: 2))))
    let cache = try GraphCache(for: Node.self, store: store)
    let graph = try await cache.find(Ref<Node>(0).graph(.generations(3)), .partial)
    #expect(graph.records(of: Node.self).map(\.id) == [0, 1, 2])
    #expect(Set(graph.failures.keys) == Set(store.calls[2].refs))
    for error in graph.failures.values {
      guard case .fetchFailed(_, _, let cause) = error else { throw error }
      #expect(cause is ScriptedFailure)
    }
    try await verifyAtRest(cache)
  }

  @Test func `an unreadable root is an error`() async throws {
    let (cache, _) = try cache(Self.diamond, unreadable: [0])
    expect(await failure { _ = try await cache.find(Ref<Node>(0).graph(), .partial) }, names: 0)
    try await verifyAtRest(cache)
  }

  @Test func `a partial graph may grow into another`() async throws {
    let (cache, _) = try cache(Self.diamond, unreadable: [1, 4])
    let small = try await cache.find(Ref<Node>(0).graph(.generations(1)), .partial)
    #expect(Array(small.failures.keys) == [AnyRef(Ref<Node>(1))])
    let large = try await cache.expand(small, from: Ref<Node>(2), .generations(1))
    #expect(Set(large.failures.keys) == [AnyRef(Ref<Node>(1)), AnyRef(Ref<Node>(4))])
    #expect(large.root.links.unloaded == [1])
    // From an unreadable record, the graph stays as it was.
    let same = try await cache.expand(small, from: Ref<Node>(1), .generations(1))
    #expect(same.count == 2)
    let whole = try await cache.graph(of: Ref<Node>(2), .generations(0))
    expect(
      await failure { _ = try await cache.expand(whole, from: Ref<Node>(2), .generations(1)) },
      names: 4)
    try await verifyAtRest(cache)
  }

  // MARK: Queries

  @Test func `a query fails on an unreadable record unless it may be partial`() async throws {
    let nodes = (0..<600).map { Node(id: $0, value: $0) }
    let (cache, _) = try cache(nodes, unreadable: [7])
    let query = RecordQuery<Node>().sorted(by: \.id)
    expect(await failure { _ = try await cache.find(query) }, names: 7)
    #expect(cache.count == 0)
    let unread = Unread()
    let answer = try await cache.find(query, unread.noting)
    #expect(answer.map(\.id) == Array(0..<7) + Array(8..<600))
    #expect(unread.take() == [7])
    #expect(cache.count == 599)
    #expect(try await cache.find(query.limited(to: 3), unread.noting).count == 3)
    #expect(unread.take().isEmpty)
    #expect(try await cache.find(query.first, unread.noting)?.id == 0)
    #expect(try await cache.find(query.sections(by: \.value), unread.noting).count == 599)
    #expect(unread.take() == [7])
    try await verifyAtRest(cache)
  }

  /// Then the records are loaded by their ids, and records that are unreadable by now are named
  /// too.
  @Test func `a late partial answer is loaded again by ids`() async throws {
    let memory = MemoryStore((0..<10).map { Node(id: $0, value: $0) })
    let gate = Gate()
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        switch call.kind {
        case .query:
          StoreBehavior(pause: .gate(gate), unreadable: [AnyRef(Ref<Node>(1))])
        case .fetch: StoreBehavior(unreadable: [AnyRef(Ref<Node>(2)), AnyRef(Ref<Node>(5))])
        default: StoreBehavior()
        }
      })
    let cache = try GraphCache(for: Node.self, store: store)
    let unread = Unread()
    let asking = Task {
      try await cache.find(RecordQuery<Node>().sorted(by: \.id), unread.noting)
    }
    try await store.waitForCalls(1)
    try await cache.put(Node(id: 3, value: -3))
    gate.open()
    let answer = try await asking.value
    #expect(answer.map(\.value) == [0, -3, 4, 6, 7, 8, 9])
    #expect(unread.take() == [1, 2, 5])
    try await verifyAtRest(cache)
  }

  // MARK: Several refs, and views

  @Test func `a partial read of refs lacks only the unreadable records`() async throws {
    let (cache, _) = try cache(Self.diamond, unreadable: [1, 4])
    let unread = Unread()
    let refs = [0, 1, 4, 9, 3, 1].map { Ref<Node>($0) }
    #expect(try await cache.find(refs, unread.noting).map { $0?.id } == [0, nil, nil, nil, 3, nil])
    #expect(unread.take() == [1, 4])
    let linked = try await cache.find(Ref<Node>(0).related(\.links), unread.noting)
    #expect(linked.map(\.id) == [2])
    #expect(unread.take() == [1])
    try await verifyAtRest(cache)
  }

  @Test func `partial graphs of several roots lack only the unreadable ones`() async throws {
    let (cache, _) = try cache(Self.diamond, unreadable: [1, 4])
    let unread = Unread()
    let refs = [0, 1, 2, 9].map { Ref<Node>($0) }
    let graphs = try await cache.find(refs.graphs(.generations(2)), unread.noting)
    #expect(graphs.map { $0?.count } == [2, nil, 1, nil])
    #expect(unread.take() == [1, 4])
    let found = try await cache.find(
      RecordQuery<Node>().sorted(by: \.id).graphs(.generations(2)), unread.noting)
    #expect(found.map(\.count) == [2, 1, 1])
    #expect(unread.take() == [1, 4])
    try await verifyAtRest(cache)
  }

  @Test(arguments: [false, true])
  func `a partial view reads unreadable records as absent`(isOfQuery: Bool) async throws {
    let (cache, _) = try cache(Self.diamond, unreadable: [1, 4])
    let unread = Unread()
    @Sendable func text(_ node: Kinship.Node<Node>) -> String {
      "\(node.id)(\(node.links.map(text).joined(separator: " ")))"
    }
    for _ in 0..<2 {
      if isOfQuery {
        let view = RecordQuery<Node>().sorted(by: \.id).view(text)
        #expect(try await cache.find(view, unread.noting) == ["0(2())", "2()", "3()"])
      } else {
        let view = [0, 1, 3, 9].map { Ref<Node>($0) }.view(text)
        #expect(try await cache.find(view, unread.noting) == ["0(2())", nil, "3()", nil])
      }
      #expect(unread.take() == [1, 4])
    }
    await #expect(throws: KinshipError.self) { try await cache.find(Ref<Node>(0).view(text)) }
    #expect(try await cache.find(Ref<Node>(1).view(text), unread.noting) == nil)
    #expect(unread.take() == [1])
    try await verifyAtRest(cache)
  }

  // MARK: Referrers

  /// A record that memory knows need not be read to find its refs.
  @Test func `an unreadable referrer that memory knows is no failure`() async throws {
    let (cache, store) = try cache(Self.diamond, unreadable: [])
    let lease = cache.lease([0, 1] as [Ref<Node>])
    _ = try await cache.resolve([0, 1] as [Ref<Node>])
    store.follow(.always(StoreBehavior(unreadable: [AnyRef(Ref<Node>(1))])))
    try await cache.write { tx in try tx.delete(Ref<Node>(3)) }
    #expect(cache.peek(Ref<Node>(1))?.links == [])
    lease.end()
    await cache.trim(to: 0)
    store.follow(.always(StoreBehavior(unreadable: [AnyRef(Ref<Node>(2))])))
    expect(
      await failure { try await cache.write { tx in try tx.delete(Ref<Node>(4)) } }, names: 2)
    store.follow(.plain)
    #expect(try await cache.resolve(Ref<Node>(2)).links == [4])
    try await verifyAtRest(cache)
  }
}
