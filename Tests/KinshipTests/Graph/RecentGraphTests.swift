import KinshipTestSupport
import Testing

@testable import Kinship

/// A repeated request for a graph returns the same graph, as long as it is up to date.
struct RecentGraphTests {
  private struct Held: GraphRecord {
    let id: Int
    var payload: Tracked<Int>
    var next: Ref<Held>?
    static let relationships: Relationships<Held> = [.toOne(\.next)]
  }

  private static let count = 300
  private let tracker = LifetimeTracker()
  private let cache: GraphCache
  private let plan = Plan<Held>.following(\.next)
  private let root = Ref<Held>(0)

  init() async throws {
    cache = try GraphCache(for: Held.self, capacity: 2 * Self.count)
    // The last record refers to the first, because a graph with a dangling ref is not kept.
    try await cache.put(contentsOf: (0..<Self.count).map { held($0) })
  }

  private func held(_ id: Int) -> Held {
    Held(id: id, payload: tracker.track(id), next: Ref((id + 1) % Self.count))
  }

  private func isSame() async throws -> Bool {
    let graphs = (try await cache.graph(of: root, plan), try await cache.graph(of: root, plan))
    #expect(graphs.0.count == Self.count)
    return graphs.0.storage === graphs.1.storage
  }

  @Test func `a repeated request returns the same graph`() async throws {
    #expect(try await isSame())
    // Another plan and another root are other graphs.
    let graph = try await cache.graph(of: root, plan)
    #expect(try await cache.graph(of: root, .generations(100)).count == 101)
    #expect(try await cache.graph(of: Ref<Held>(1), plan).root.id == 1)
    #expect(try await cache.graph(of: root, plan.limited(to: 70)).count == 70)
    #expect(try await cache.graph(of: root, plan).storage === graph.storage)
    #expect(await cache.audit() == [])
  }

  @Test func `a repeated request counts as a use of its records`() async throws {
    _ = try await cache.graph(of: root, plan)
    try await cache.put(contentsOf: (Self.count..<2 * Self.count).map { held($0) })
    _ = try await cache.graph(of: root, plan)
    let hits = cache.statistics.hits
    for id in Self.count..<2 * Self.count { _ = await cache[Ref<Held>(id)] }
    _ = try await cache.graph(of: root, plan)
    #expect(cache.statistics.hits == hits + 2 * Self.count)
    let inOrder = (0..<Self.count).reversed().map { AnyRef(Ref<Held>($0)) }
    #expect(await cache.hottest(Self.count) == inOrder)
    #expect(await cache.audit() == [])
  }

  @Test(arguments: 0..<9)
  func `a write replaces the recent graph`(_ way: Int) async throws {
    let before = try await cache.graph(of: root, plan)
    let (other, cache) = (Ref<Held>(150), cache)
    let new = Held(id: 150, payload: tracker.track(-1), next: Ref(151))
    switch way {
    case 0: try await cache.put(new)
    case 1: try await cache.put(contentsOf: [new])
    case 2: try await cache.update(other) { $0.payload = new.payload }
    case 3: await cache.remove(other)
    case 4: await cache.invalidate(other)
    case 5: await cache.evict(other)
    case 6: await cache.trim(to: 10)
    case 7: await cache.removeAll()
    default: try await cache.write { try $0.put(new) }
    }
    let after = try? await cache.graph(of: root, plan)
    #expect(before.storage !== after?.storage)
    switch way {
    case 0, 1, 2, 8: #expect(after?[other].node?.payload.value == -1)
    case 6, 7: #expect(after == nil)
    default: #expect(after?.count == 150)
    }
    #expect(before.count == Self.count)
  }

  @Test(arguments: 0..<9)
  func `a recent graph keeps no old record alive`(_ way: Int) async throws {
    _ = try await cache.graph(of: root, plan)
    let ref = root
    switch way {
    case 0: try await cache.put(held(0))
    case 1: try await cache.put(contentsOf: [held(0)])
    case 2: try await cache.update(ref) { [tracker] in $0.payload = tracker.track(1) }
    case 3: await cache.remove(ref)
    case 4: await cache.invalidate(ref)
    case 5: await cache.evict(ref)
    case 6: await cache.trim(to: 10)
    case 7: await cache.removeAll()
    default:
      try await cache.write { [tracker] tx in
        try tx.update(ref) { $0.payload = tracker.track(1) }
      }
    }
    #expect(tracker.liveCount == cache.count)
  }

  @Test func `only a few recent graphs are kept`() async throws {
    for id in 0..<100 { _ = try await cache.graph(of: Ref<Held>(id), plan) }
    let graph = try await cache.graph(of: Ref<Held>(99), plan)
    #expect(try await cache.graph(of: Ref<Held>(99), plan).storage === graph.storage)
    let first = try await cache.graph(of: Ref<Held>(0), plan)
    #expect(first.storage !== graph.storage && first.root.id == 0)
    await cache.removeAll()
    // Two of them are ours.
    #expect(tracker.liveCount == Self.count)
    _ = (graph, first)
  }

  @Test func `a small graph does not keep the capacity of a larger one`() async throws {
    let nodes = (0..<3_000).map { id in
      TestNode<Int>(id: id, links: id < 1_499 ? [Ref(id * 2 + 1), Ref(id * 2 + 2)] : [])
    }
    let cache = try GraphCache(for: TestNode<Int>.self)
    try await cache.put(contentsOf: nodes)
    for id in 0..<3 {
      let large = try await cache.graph(of: Ref<TestNode<Int>>(0), .generations(.max))
      #expect(large.count == 2_999)
      let small = try await cache.graph(of: Ref<TestNode<Int>>(id), .generations(1))
      #expect(small.count == 3)
      let column = try #require(small.storage.columns[0] as? GraphColumn<TestNode<Int>>)
      let capacities = [
        small.storage.order.capacity, column.edges.capacity, column.lists.capacity,
        column.records.capacity,
      ]
      #expect(capacities.allSatisfy { $0 < 64 }, "\(capacities)")
    }
  }
}
