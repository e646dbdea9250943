import Kinship
import KinshipMemoryPressure
import KinshipTestSupport
import Synchronization
import Testing

extension DocumentationExamples {
  struct Photo: GraphRecord {
    let id: Int
    var pixels: [UInt8]

    var cacheCost: Int { pixels.count }
  }

  @Test func `a cache limits its count and cost, and trims on demand`() async throws {
    let cache = try GraphCache(for: Photo.self, capacity: 10_000, costLimit: 64 << 20)

    try await cache.put(contentsOf: (1...9).map { Photo(id: $0, pixels: [0, 0]) })
    #expect(cache.statistics.cost == 18)

    let screen = cache.lease([1, 2, 3] as [Ref<Photo>])
    await cache.trim(to: 0)
    screen.end()

    #expect(cache.count == 3)

    await cache.trim(to: cache.count / 4)

    #expect(cache.count == 0)

    let trimming = Task { await cache.trim(under: MemoryPressure()) }
    trimming.cancel()
    await trimming.value
  }

  @Test func `a named lease keeps its records in memory`() async throws {
    let cache = try GraphCache(for: Photo.self, capacity: 2)
    try await cache.put(contentsOf: (1...3).map { Photo(id: $0, pixels: [0, 0]) })

    let refs: [Ref<Photo>] = [1, 2, 3]
    let home = cache.lease(refs, named: "home")

    await cache.trim(to: 0)
    #expect(cache.count == 2)
    home.end()
  }

  @Test func `an old record is invalidated by its age`() async throws {
    let clock = ManualClock()
    let cache = try GraphCache(for: Photo.self, clock: clock)
    let ref: Ref<Photo> = 1
    try await cache.put(Photo(id: 1, pixels: []))
    clock.advance(by: .seconds(60 * 60 + 1))

    if let age = cache.age(of: ref), age > .seconds(60 * 60) { await cache.invalidate(ref) }

    #expect(cache.age(of: ref) == nil)
  }

  @Test func `a subscriber and a sequence see each removal`() async throws {
    let logged = Mutex<[String]>([])
    let log = { @Sendable (text: String) in logged.withLock { $0.append(text) } }
    let cache = try GraphCache(for: Photo.self, capacity: 3)

    let subscription = cache.onRemoval { removal in
      if removal.reason == .evicted { log("evicted \(removal.ref)") }
    }
    let next = await cache.coldest(3)
    let hitRate = cache.statistics.hitRate

    try await cache.put(contentsOf: (1...5).map { Photo(id: $0, pixels: []) })
    subscription.cancel()
    #expect(next == [])
    #expect(logged.withLock { $0 } == ["evicted Photo(1)", "evicted Photo(2)"])
    #expect(hitRate == 0)
  }
}
