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
}
