import KinshipTestSupport
import Testing

@testable import Kinship

/// What a trimmed cache gives back: as much as an emptied one.
@Suite(.timeLimit(.minutes(5)))
struct TrimmingTests {
  private typealias Node = TestNode<Int>

  /// How many pages, links, buckets and marks a cache has memory for.
  private struct Footprint: Equatable {
    let pages: Int
    let vacant: Int
    let links: Int
    let buckets: Int
    let marks: Int

    init(_ cache: GraphCache) {
      (pages, vacant, links, buckets, marks) = cache.state.withLock { state in
        (
          state.map.pages.bases.capacity, state.map.pages.vacant.count,
          state.map.recency.links.capacity,
          state.map.table(Node.self)?.pointee.index.buckets.count ?? 0, state.marks.pieces.count
        )
      }
    }
  }

  private func filledCache() async throws -> GraphCache {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (0..<20_000).map { Node(id: $0) })
    _ = try await cache.graph(of: Ref<Node>(0), .generations(1))
    return cache
  }

  @Test func nothingLeft() async throws {
    let (trimmed, emptied) = (try await filledCache(), try await filledCache())
    await trimmed.trim(to: 0)
    await emptied.removeAll()
    #expect(Footprint(trimmed) == Footprint(emptied))
    #expect(await trimmed.audit() == [])
    try await trimmed.put(contentsOf: (0..<1_000).map { Node(id: $0) })
    #expect(trimmed.count == 1_000)
    #expect(await trimmed.audit() == [])
  }

  /// What stays is found again, wherever it lies, and new records find room.
  @Test(arguments: [1, 64, 5_000]) func someLeft(count: Int) async throws {
    let cache = try await filledCache()
    for id in stride(from: 0, to: 20_000, by: 40_000 / count / 2) { _ = await cache[Ref<Node>(id)] }
    let lease = cache.lease(Ref<Node>(10_000))
    await cache.trim(to: count)
    #expect(cache.count == count)
    #expect(cache.contains(Ref<Node>(10_000)))
    #expect(await cache.audit() == [])
    try await cache.put(contentsOf: (0..<20_000).map { Node(id: $0) })
    #expect(cache.count == 20_000)
    lease.end()
    #expect(await cache.audit() == [])
  }

  /// A capture keeps what it needs.
  @Test func duringACapture() async throws {
    let cache = try await filledCache()
    var reader = await cache.beginCapture()
    try reader.takeOrder()
    await cache.trim(to: 0)
    var count = 0
    while let runs = reader.next(limit: 1_000) { count += runs.reduce(0) { $0 + $1.count } }
    cache.endCapture()
    #expect(count == 20_000)
    #expect(await cache.audit() == [])
  }
}
