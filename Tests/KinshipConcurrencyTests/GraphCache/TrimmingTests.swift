import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
import KinshipMemoryPressure

/// A trimmed cache releases as much memory as an emptied one.
struct TrimmingTests {
  private typealias Node = TestNode<Int>

  /// The pages, links, buckets and marks that a cache has memory for.
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

  @Test func `a cache trimmed to nothing equals an emptied one`() async throws {
    let (trimmed, emptied) = (try await filledCache(), try await filledCache())
    await trimmed.trim(to: 0)
    await emptied.removeAll()
    #expect(Footprint(trimmed) == Footprint(emptied))
    #expect(await trimmed.audit() == [])
    try await trimmed.put(contentsOf: (0..<1_000).map { Node(id: $0) })
    #expect(trimmed.count == 1_000)
    #expect(await trimmed.audit() == [])
  }

  /// Records that stay are found again, wherever they are stored, and new records find room.
  @Test(arguments: [1, 64, 5_000])
  func `a trimmed cache keeps the rest and accepts new records`(count: Int) async throws {
    let cache = try await filledCache()
    for id in stride(from: 0, to: 20_000, by: 40_000 / count / 2) { _ = await cache[Ref<Node>(id)] }
    let lease = cache.lease([Ref<Node>(10_000)])
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
  @Test func `a trim during a capture keeps the captured records`() async throws {
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

/// Tests of which records a cache evicts under memory pressure.
@Suite(.tags(.lawE4))
struct TrimmingUnderPressureTests {
  private typealias Node = TestNode<Int>

  private struct Heavy: GraphRecord {
    let id: Int
    var cacheCost: Int { id }
  }

  @Test func `a pressure warning leaves half of the cost`() async throws {
    let cache = try GraphCache(for: Heavy.self)
    try await cache.put(contentsOf: (1...10).map { Heavy(id: $0) })
    // The total is 55. Records 1 to 7, which were put first, cost 28 and are evicted.
    await cache.trim(under: PressureLevels(.warning))
    #expect(await cache.coldest(.max) == [8, 9, 10].map { AnyRef(Ref<Heavy>($0)) })
    #expect(cache.statistics.evictions.byTrim == 7)
    await cache.trim(under: PressureLevels(.warning, .warning))
    #expect(await cache.coldest(.max) == [])
  }

  @Test func `leased records stay under memory pressure`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (0..<1_000).map { Node(id: $0) })
    let lease = cache.lease((0..<10).map { Ref<Node>($0) })
    await cache.trim(under: PressureLevels(.critical))
    #expect(cache.count == 10)
    #expect(await cache.audit() == [])
    lease.end()
    await cache.trim(under: PressureLevels(.critical))
    #expect(cache.count == 0)
  }

  /// Trimming ends with the levels, with their error, or with the task.
  @Test func `trimming under pressure ends with its levels, an error or its task`() async throws {
    struct Deaf: Error {}
    let cache = try GraphCache(for: Node.self)
    let levels = AsyncThrowingStream<MemoryPressure.Level, any Error> {
      $0.finish(throwing: Deaf())
    }
    await #expect(throws: Deaf.self) { try await cache.trim(under: levels) }
    let trimming = Task { await cache.trim(under: MemoryPressure()) }
    trimming.cancel()
    await trimming.value
    let (endless, told) = AsyncStream.makeStream(of: MemoryPressure.Level.self)
    let other = Task { await cache.trim(under: endless) }
    other.cancel()
    await other.value
    told.finish()
  }
}
