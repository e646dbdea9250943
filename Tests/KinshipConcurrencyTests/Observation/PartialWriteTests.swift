import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Observers on other threads see all or nothing of one call's writes.
@Suite(.dedicatedThreads, .boundedWaits, .serialized, .tags(.lawO1))
struct PartialWriteTests {
  private typealias Node = TestNode<Int>

  /// Enough rounds for an observer to look often in the middle of a call.
  private static let rounds = rounds(120, atLeast: 20)
  private let cache: GraphCache

  init() async throws {
    cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: Self.nodes(of: 0))
  }

  private static func nodes(of round: Int) -> [Node] {
    (0..<600).map { Node(id: $0, value: round) }
  }

  /// Writes rounds until the observer has seen the last one.
  private func check<Changes: AsyncSequence>(
    _ changes: Changes, _ values: (Changes.Element) -> [Int],
    _ write: @escaping @Sendable (GraphCache, [Node]) async throws -> Void
  ) async throws {
    let cache = cache
    let writer = Task {
      for round in 1...Self.rounds { try await write(cache, Self.nodes(of: round)) }
    }
    for try await change in changes {
      let seen = Set(values(change))
      #expect(seen.count == 1)
      if seen == [Self.rounds] || seen.count != 1 { break }
    }
    writer.cancel()
    _ = try? await writer.value
  }

  @Test func `an observer never sees a part of an exclusive section`() async throws {
    try await check(cache.observe([Ref<Node>(0), Ref(599)])) {
      $0.value.map(\.value)
    } _: { cache, nodes in
      try await cache.perform { cache in
        for node in nodes { try cache.put(node) }
      }
    }
  }

  @Test func `an observer never sees a part of a list that is put`() async throws {
    try await check(cache.observe(RecordQuery<Node>(#Predicate { $0.value >= 0 }))) {
      $0.value.map(\.value)
    } _: { cache, nodes in
      try await cache.put(contentsOf: nodes)
    }
  }

  // MARK: Readers without a turn

  /// Reads the first and the last of many records, one before the other, both ways round, while
  /// rounds are written.
  ///
  /// A reader that has seen a round at one end sees it at the other.
  private func checkReaders(
    ofLast last: Int, _ read: @escaping @Sendable (Ref<Node>) async throws -> Int,
    _ write: (Int) async throws -> Void
  ) async throws {
    let isOver = Gate()
    let turns = Lock(0)
    let reader = Task {
      var seen = 0
      for turn in 0... {
        // A read after the last round shows that round.
        let isLast = isOver.isOpen
        let ends = turn.isMultiple(of: 2) ? [0, last] : [last, 0]
        let early = try await read(Ref(ends[0]))
        let late = try await read(Ref(ends[1]))
        #expect(seen <= early && early <= late)
        seen = late
        turns.withLock { $0 += 1 }
        if isLast || early > late { break }
        await Task.yield()
      }
      return seen
    }
    defer { isOver.open() }
    // It reads in the middle of a write only if it runs before.
    try await wait { turns.withLock { $0 } > 0 }
    for round in 1...Self.bigRounds { try await write(round) }
    isOver.open()
    #expect(try await reader.value == Self.bigRounds)
  }

  private static let bigRounds = rounds(10, atLeast: 3)

  private static func rounds(_ most: Int, atLeast least: Int) -> Int {
    max(least, min(most, (try? Effort().operations(4 * most)) ?? most))
  }

  private static let last = 1_499

  private func update(_ tx: inout GraphCache.Transaction, _ round: Int) throws {
    for id in 0...Self.last {
      if round == 1 {
        try tx.put(Node(id: id, value: round))
      } else {
        try tx.update(Ref<Node>(id), \.value, to: round)
      }
    }
  }

  @Test func `a peek never sees a part of a transaction`() async throws {
    let cache = cache
    try await checkReaders(ofLast: Self.last) {
      cache.peek($0)?.value ?? 0
    } _: { round in
      try await cache.write { try update(&$0, round) }
    }
    #expect(await cache.audit() == [])
  }

  @Test func `a resolve never sees a part of a transaction`() async throws {
    let cache = cache
    try await checkReaders(ofLast: Self.last) {
      try await cache.find($0)?.value ?? 0
    } _: { round in
      try await cache.write { try update(&$0, round) }
    }
  }

  @Test func `a test for existence never sees a part of a transaction`() async throws {
    let cache = try GraphCache(for: Node.self)
    let count = 1_500
    let looked = Lock(0)
    let reader = Task {
      for block in 0..<Self.bigRounds {
        looked.withLock { $0 = block }
        let ends = [Ref<Node>(block * count), Ref(block * count + count - 1)]
        let (one, other) = block.isMultiple(of: 2) ? (ends[0], ends[1]) : (ends[1], ends[0])
        while !cache.contains(one), !Task.isCancelled { await Task.yield() }
        #expect(cache.contains(other))
      }
    }
    defer { reader.cancel() }
    for block in 0..<Self.bigRounds {
      try await wait { looked.withLock { $0 } == block }
      try await cache.write { tx in
        for id in block * count..<(block + 1) * count { try tx.insert(Node(id: id, value: 0)) }
      }
    }
    await reader.value
    #expect(cache.count == Self.bigRounds * count)
  }

  @Test func `a peek never sees a part of an optimistic write`() async throws {
    let store = MemoryStore((0...Self.last).map { Node(id: $0, value: 0) })
    let cache = try GraphCache(for: Node.self, store: store)
    try await checkReaders(ofLast: Self.last) {
      cache.peek($0)?.value ?? 0
    } _: { round in
      try await cache.writeOptimistically { try update(&$0, round) }.outcome()
    }
    #expect(await cache.audit() == [])
  }

  /// Reads one end of many records, then the other, then the first again, and the other way round,
  /// while each round shows and rolls back a write.
  ///
  /// A reader that sees one round at one end before and after sees it at the other end.
  private func checkRefusals(
    _ cache: GraphCache, _ show: (Int) async throws -> GraphCache.PendingWrite
  ) async throws {
    let isOver = Gate()
    let turns = Lock(0)
    let reader = Task {
      for turn in 0... {
        let ends = (turn.isMultiple(of: 2) ? [0, Self.last] : [Self.last, 0]).map { Ref<Node>($0) }
        let early = cache.peek(ends[0])?.value
        let other = cache.peek(ends[1])?.value
        if early != 0, cache.peek(ends[0])?.value == early { #expect(other == early) }
        turns.withLock { $0 += 1 }
        if isOver.isOpen { break }
        await Task.yield()
      }
    }
    defer { isOver.open() }
    try await wait { turns.withLock { $0 } > 0 }
    for round in 1...Self.bigRounds {
      let write = try await show(round)
      await #expect(throws: KinshipError.self) { try await write.outcome() }
    }
    isOver.open()
    await reader.value
    #expect(cache.peek(Ref<Node>(0))?.value == 0)
    #expect(cache.peek(Ref<Node>(Self.last))?.value == 0)
    #expect(await cache.audit() == [])
  }

  /// A cache of many records, all in memory, whose store refuses every second change.
  private func refusingCache() async throws -> GraphCache {
    let nodes = (0...Self.last).map { Node(id: $0, value: 0) }
    let calls = Lock(0)
    let store = ScriptedStore(
      over: MemoryStore(nodes),
      script: StoreScript { call, _ in
        guard call.kind == .apply else { return StoreBehavior() }
        let number = calls.withLock { calls in
          calls += 1
          return calls
        }
        return number.isMultiple(of: 2)
          ? StoreBehavior() : StoreBehavior(failure: ScriptedFailure(call: number))
      })
    let cache = try GraphCache(for: Node.self, store: store)
    try await cache.put(contentsOf: nodes)
    return cache
  }

  /// After each refusal, another write is committed on the store's values.
  @Test func `a peek never sees a part of a rollback`() async throws {
    let cache = try await refusingCache()
    try await checkRefusals(cache) { round in
      let refused = try await cache.writeOptimistically { try update(&$0, round) }
      let other = try await cache.writeOptimistically { tx in
        for id in 0...Self.last { try tx.update(Ref<Node>(id), \.cost, to: round + 1) }
      }
      await #expect(throws: KinshipError.self) { try await refused.outcome() }
      try await other.outcome()
      #expect(cache.peek(Ref<Node>(Self.last))?.cost == round + 1)
      return refused
    }
  }

  /// Pending writes are re-run on top of a transaction that commits before them.
  @Test func `a peek never sees a part of a transaction below a pending write`() async throws {
    let gates = Lock<[Gate]>([])
    let nodes = (0...Self.last).map { Node(id: $0, value: 0) }
    let store = ScriptedStore(
      over: MemoryStore(nodes),
      script: StoreScript { call, _ in
        guard call.kind == .apply, let gate = gates.withLock({ $0.popLast() }) else {
          return StoreBehavior()
        }
        return StoreBehavior(pause: .gate(gate))
      })
    let cache = try GraphCache(for: Node.self, store: store)
    try await cache.put(contentsOf: nodes)
    try await checkReaders(ofLast: Self.last) {
      cache.peek($0)?.value ?? 0
    } _: { round in
      let gate = Gate()
      gates.withLock { $0 = [gate] }
      async let write = cache.write { try update(&$0, round) }
      try await wait { gates.withLock { $0.isEmpty } }
      let shown = try await cache.writeOptimistically { tx in
        for id in 0...Self.last { try tx.update(Ref<Node>(id), \.cost, to: round + 1) }
      }
      gate.open()
      _ = try await (write, shown.outcome())
      #expect(cache.peek(Ref<Node>(0)) == Node(id: 0, value: round, cost: round + 1))
    }
    #expect(await cache.audit() == [])
  }

  /// Reads graphs of two records while both are written in rounds: each graph shows one version.
  private func checkGraphs(
    _ write: @escaping @Sendable (GraphCache, [Node]) async throws -> Void
  ) async throws {
    let (cache, last) = (cache, Ref<Node>(Self.last))
    func nodes(_ round: Int) -> [Node] {
      (0...Self.last).map { Node(id: $0, value: round, links: $0 == 0 ? [last] : []) }
    }
    try await cache.put(contentsOf: nodes(0))
    let isOver = Gate()
    let graphs = Lock(0)
    let reader = Task {
      while !isOver.isOpen {
        let graph = try await cache.graph(of: Ref<Node>(0))
        #expect(graph.root.links.first?.value == graph.root.value)
        graphs.withLock { $0 += 1 }
        await Task.yield()
      }
      return graphs.withLock { $0 }
    }
    defer { isOver.open() }
    try await wait { graphs.withLock { $0 } > 0 }
    for round in 1...Self.bigRounds { try await write(cache, nodes(round)) }
    isOver.open()
    #expect(try await reader.value > 0)
  }

  @Test func `a graph never sees a part of a transaction`() async throws {
    try await checkGraphs { cache, nodes in
      try await cache.write { tx in for node in nodes { try tx.put(node) } }
    }
  }

  @Test func `a graph never sees a part of a list that is put`() async throws {
    try await checkGraphs { cache, nodes in try await cache.put(contentsOf: nodes) }
  }

  @Test func `a graph never sees a part of an exclusive section`() async throws {
    try await checkGraphs { cache, nodes in
      try await cache.perform { cache in for node in nodes { try cache.put(node) } }
    }
  }
}
