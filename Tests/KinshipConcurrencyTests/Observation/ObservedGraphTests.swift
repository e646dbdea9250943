import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Graphs with more records than are entered one by one, observed during writes: each graph that is
/// shown equals the graph of a walk.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawO1, .lawO2))
struct ObservedGraphTests {
  private typealias Node = TestNode<Int>

  /// A change of one of the records.
  private enum Step: Command {
    case setValue(Int, Int)
    case setValues([Int], Int)
    case link(Int, to: [Int])
    case remove(Int)
    case doubt(Int)
    case dropAll

    static func random(using generator: inout SplitMix64) -> Step {
      func number() -> Int { Int.random(in: 0..<900, using: &generator) }
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<9: return .setValue(number(), number())
      case 9..<12: return .setValues((0..<100).map { _ in number() }, number())
      case 12..<16: return .link(number(), to: (0..<3).map { _ in number() })
      case 16, 17: return .remove(number())
      case 18: return .doubt(number())
      default: return .dropAll
      }
    }
  }

  @Test func `an observed graph equals a walk of the graph`() async throws {
    try await Property.check(seeds: 6, steps: 30, generate: Step.random) { steps, seed in
      var generator = SplitMix64(seed: seed)
      // Two in three are in the graph: a binary tree, and some records outside it.
      let nodes = (0..<900).map { number in
        Node(
          id: number,
          links: [2 * number + 1, 2 * number + 2].filter { number < 600 && $0 < 600 }
            .map { Ref($0) })
      }
      let store = MemoryStore(nodes)
      let hasStore = generator.chance(0.5)
      let cache =
        hasStore ? try GraphCache(for: Node.self, store: store) : try GraphCache(for: Node.self)
      if !hasStore { try await cache.put(contentsOf: nodes) }
      let root = Ref<Node>(0)
      var changes = cache.observe(root.graph(.generations(.max))).makeAsyncIterator()
      var shown: [AnyRef: any GraphRecord] = [:]
      var value: Graph<Node>?
      func follow(_ change: ObservedChange<Graph<Node>?, GraphDiff>?) throws {
        let change = try #require(change)
        shown = change.diff.applying(to: shown)
        value = change.value
      }
      repeat { try follow(try await changes.next()) } while value?.count != 600
      for step in steps {
        let before = try? await cache.graph(of: root, .generations(.max))
        if !hasStore, case .dropAll = step { continue }
        await perform(step, on: cache)
        let after = try? await cache.graph(of: root, .generations(.max))
        if before?.records(of: Node.self) != after?.records(of: Node.self) {
          try follow(try await changes.next())
        }
        try verifyEqual(value?.refs, after?.refs, "the refs after \(step)")
        try verifyEqual(
          value?.records(of: Node.self), after?.records(of: Node.self), "the records after \(step)")
        for ref in after?.refs ?? [] {
          guard let ref = ref.as(Node.self) else { continue }
          try verifyEqual(
            value?[ref].node?.record, after?[ref].node?.record, "\(ref) after \(step)")
          try verifyEqual(
            value?[ref].node?.links.map(\.record), after?[ref].node?.links.map(\.record),
            "the links of \(ref) after \(step)")
        }
        try verifyEqual(
          shown.count, after?.count ?? 0, "how many the differences have come to after \(step)")
        for record in after?.records(of: Node.self) ?? [] {
          try verifyEqual(shown[AnyRef(record.ref)] as? Node, record, "\(record.ref) after \(step)")
        }
        try verifyEqual(await cache.audit(), [], "the audit after \(step)")
      }
    }
  }

  @Test func `the records of an observed graph stay in memory without a store`() async throws {
    let cache = try GraphCache(for: Node.self, capacity: 4)
    try await cache.put(contentsOf: [Node(id: 0, links: [Ref(1)]), Node(id: 1)])
    var changes = cache.observe(Ref<Node>(0).graph(.generations(1))).makeAsyncIterator()
    _ = try await changes.next()
    try await cache.put(contentsOf: (2..<10).map { Node(id: $0) })
    #expect(cache.peek(Ref<Node>(0)) != nil && cache.peek(Ref<Node>(1)) != nil)
    // The lease follows the graph: a record that joins it stays in memory, and one that leaves it
    // can be evicted.
    try await cache.put(Node(id: 0, links: [Ref(9)]))
    _ = try await changes.next()
    try await cache.put(contentsOf: (10..<20).map { Node(id: $0) })
    #expect(cache.peek(Ref<Node>(9)) != nil && cache.peek(Ref<Node>(1)) == nil)
  }

  private func perform(_ step: Step, on cache: GraphCache) async {
    switch step {
    case .setValue(let number, let value):
      _ = try? await cache.write { try $0.update(Ref<Node>(number), \.value, to: value) }
    case .setValues(let numbers, let value):
      _ = try? await cache.write { tx in
        for number in numbers where tx.contains(Ref<Node>(number)) {
          try tx.update(Ref<Node>(number), \.value, to: value)
        }
      }
    case .link(let number, let links):
      _ = try? await cache.write { tx in
        try tx.update(Ref<Node>(number), \.links, to: links.map { Ref($0) })
      }
    case .remove(let number):
      // The root stays.
      _ = try? await cache.write { try $0.delete(Ref<Node>(max(1, number))) }
    case .doubt(let number): await cache.invalidate(Ref<Node>(number))
    case .dropAll: await cache.removeAll()
    }
  }
}
