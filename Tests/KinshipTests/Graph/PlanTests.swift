import Kinship
import KinshipTestSupport
import Testing

struct PlanTests {
  private typealias Node = TestNode<Int>

  private let cache: GraphCache
  private let family: TestFamily

  init() throws {
    var generator = SplitMix64(seed: 5)
    let pedigree = Pedigree.random(generations: 4, using: &generator)
    family = TestFamily(pedigree, eventsPerPerson: 1...2, using: &generator)
    cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: family.store(), generations: 2)
  }

  private func error<Root: GraphRecord>(_ root: Ref<Root>, _ plan: Plan<Root>) async -> String? {
    do {
      _ = try await cache.graph(of: root, plan)
      return nil
    } catch {
      return (error as? KinshipError)?.description
    }
  }

  private func unknown(_ type: any GraphRecord.Type) -> String {
    KinshipError.invalidSchema(.unknownType(type.recordName)).description
  }

  @Test func `a plan that does not match the schema is a typed error`() async {
    let root = Ref<TestPerson>(0)
    #expect(
      await error(Ref<Node>(0), .generations(1))
        == unknown(Node.self))
    #expect(
      await error(root, .generations(1).following(\Node.links, generations: 1))
        == unknown(Node.self))
    let foreign = Ref<Lodging>(1)
    #expect(
      await error(foreign, .following(\.place)) == unknown(Lodging.self))
    #expect(cache.statistics.batches == 0)
    #expect(cache.statistics.traversals == 0)
  }

  private struct Lodging: GraphRecord {
    let id: Int
    var place: Ref<TestPlace>?
    var other: Ref<TestPlace>?
    static let relationships: Relationships<Lodging> = [
      .toOne(\.place), .ignored(\.other),
    ]
  }

  @Test func `a property that is not a relationship is a typed error`() async throws {
    let cache = try GraphCache(for: Lodging.self, TestPlace.self)
    let error = await #expect(throws: KinshipError.self) {
      try await cache.graph(of: Ref<Lodging>(1), .following(\.other))
    }
    guard case .invalidSchema(.unknownRelationship("Lodging", let property)) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(property.contains("other"))
  }

  @Test func `the default plan uses the cache's number of generations`() async throws {
    let graph = try await cache.graph(of: Ref<TestPerson>(0))
    #expect(graph.generationCount == 3)
    #expect(graph.refs == FamilySearch(family, from: 0) { _ in 2 }.order)
  }

  @Test func `a plan of zero generations has the root, and the lowest limit wins`() async throws {
    let root = Ref<TestPerson>(0)
    #expect(try await cache.graph(of: root, .generations(0)).count == 1)
    #expect(try await cache.graph(of: root, .generations(2).limited(to: 1)).count == 1)
    #expect(
      try await cache.graph(of: root, .following(\.father, generations: 0)).count == 1)
    #expect(
      try await cache.graph(of: root, .generations(3).limited(to: 4).limited(to: 9)).count == 4)
  }

  @Test func `a plan with the greatest numbers terminates`() async throws {
    let root = Ref<TestPerson>(0)
    let all = try await cache.graph(of: root, .generations(.max).limited(to: .max))
    #expect(all.count == FamilySearch(family, from: 0) { _ in .max }.order.count)
    #expect(all.horizon.isEmpty)
    let fathers = try await cache.graph(of: root, .following(\.father))
    #expect(fathers.generationCount == 5)
  }

  /// Lists longer than what a small budget looks up, with refs that come again and refs to records
  /// that do not exist.
  @Test func `a limited graph of long lists has the first records, in memory or not`() async throws
  {
    for seed in try Effort().seeds(60) {
      var generator = SplitMix64(seed: seed)
      let limit = Int.random(in: 1...40, using: &generator)
      let count = Int.random(in: limit...200, using: &generator)
      let nodes = (0..<count).map { id in
        let links = id == 0 || id.isMultiple(of: 7) ? Int.random(in: 0...300, using: &generator) : 2
        return Node(
          id: id,
          links: (0..<links).map { _ in Ref(Int.random(in: 0..<count * 5 / 4, using: &generator)) })
      }
      var (found, next) = ([0], 0)
      while next < found.count {
        for link in nodes[found[next]].links.map(\.id)
        where link < count && !found.contains(link) && found.count < limit {
          found.append(link)
        }
        next += 1
      }
      let warm = try GraphCache(for: Node.self)
      try await warm.put(contentsOf: nodes)
      let (cold, loaded) = (
        try GraphCache(for: Node.self, store: MemoryStore(nodes)),
        try GraphCache(for: Node.self, store: MemoryStore(nodes))
      )
      _ = try await loaded.find(RecordQuery<Node>())
      for cache in [warm, cold, loaded] {
        let graph = try await cache.graph(of: Ref<Node>(0), .generations(.max).limited(to: limit))
        #expect(graph.refs == found.map { AnyRef(Ref<Node>($0)) }, "seed \(seed)")
        for id in found {
          guard case .loaded(let node) = graph[Ref<Node>(id)] else {
            Issue.record("seed \(seed): \(id) is not in the graph")
            continue
          }
          let links = nodes[id].links.map(\.id)
          #expect(node.links.map(\.id) == links.filter(found.contains), "seed \(seed)")
        }
      }
    }
  }
}
