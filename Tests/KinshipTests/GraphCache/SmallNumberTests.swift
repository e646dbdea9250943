import Kinship
import KinshipTiers
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// A meaningless count, size or limit is a programming error.
@Suite(.dedicatedThreads)
struct SmallNumberTests {
  enum Call: String, CaseIterable, Codable {
    case capacity, costLimit, generations, planGenerations, followedGenerations, planLimit
    case queryLimit, offset, pageSize, lastPageSize, windowSize, windowCapacity, readAhead
    case batchSize, concurrentBatches, tierCount, tierBytes, tierCountLater, undoLimit, copyBatch
    case trim, coldest, hottest, retries

    /// Makes the call with the smallest valid number, or with one less.
    func make(less by: Int) async throws {
      let cache = try GraphCache(for: TestNode<Int>.self)
      let query = RecordQuery<TestNode<Int>>()
      switch self {
      case .capacity: _ = try GraphCache(for: TestNode<Int>.self, capacity: 0 - by)
      case .costLimit: _ = try GraphCache(for: TestNode<Int>.self, costLimit: 0 - by)
      case .generations: _ = try GraphCache(for: TestNode<Int>.self, generations: 0 - by)
      case .planGenerations: _ = Plan<TestPerson>.generations(0 - by)
      case .followedGenerations: _ = Plan<TestPerson>.following(\.father, generations: 0 - by)
      case .planLimit: _ = Plan<TestPerson>.generations(1).limited(to: 1 - by)
      case .queryLimit: _ = query.limited(to: 0 - by)
      case .offset: _ = query.skipping(0 - by)
      case .pageSize: _ = try await cache.page(query, size: 1 - by)
      case .lastPageSize: _ = try await cache.page(query, size: 1 - by, before: nil)
      case .windowSize: _ = try await cache.results(query, windowSize: 1 - by)
      case .windowCapacity: _ = try await cache.results(query, windowCapacity: 2 - by)
      case .readAhead: _ = try await cache.results(query, readAhead: 0 - by)
      case .batchSize: _ = FetchLimits(batchSize: 1 - by)
      case .concurrentBatches: _ = FetchLimits(concurrentBatches: 1 - by)
      case .tierCount: _ = TierPolicy(count: 0 - by)
      case .tierBytes: _ = TierPolicy(bytes: 0 - by)
      case .tierCountLater:
        var policy = TierPolicy()
        policy.count = 0 - by
      case .undoLimit: _ = UndoStack(cache, limit: 0 - by)
      case .copyBatch: _ = try await MemoryStore().copy([], to: MemoryStore(), batchSize: 1 - by)
      case .trim: await cache.trim(to: 0 - by)
      case .coldest: _ = await cache.coldest(0 - by)
      case .hottest: _ = await cache.hottest(0 - by)
      case .retries: _ = try await cache.write(retries: 0 - by) { _ in }
      }
    }
  }

  @Test(arguments: Call.allCases)
  func `a number below the minimum ends the program with a message`(call: Call) async throws {
    try await call.make(less: 0)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [call = call as Call] in
      try await call.make(less: 1)
    }
    // An optimised program ends without a message.
    #if DEBUG
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains(" must be at least "), "\(message)")
    #endif
  }
}
