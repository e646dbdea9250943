import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Concurrent operations on one record have an order that explains their answers.
@Suite(.tags(.lawI1))
struct CacheLinearizabilityTests {
  private static let key = Key(.author, 1)
  private static var ref: Ref<Author<Int>> { Author<Int>.ref(1) }

  // MARK: Without a store

  @Test func `every schedule of calls on a record is linearizable`() throws {
    try Schedule.explore(seeds: 400) { schedule in
      let cache = try GraphCache(
        for: Author<Int>.self, Work<Int>.self, executor: schedule.executor)
      try await Self.callRegister(cache, seed: schedule.seed)
    }
  }

  @Test func `calls on real threads are linearizable`() async throws {
    for seed in try Effort().seeds(300) {
      let cache = try GraphCache(for: Author<Int>.self, Work<Int>.self)
      try await Self.callRegister(cache, seed: seed)
    }
  }

  private static func callRegister(_ cache: GraphCache, seed: UInt64) async throws {
    let recorder = HistoryRecorder<RecordRegister.Operation, Int?>()
    try await withThrowingTaskGroup { group in
      for client in 0..<4 as Range<UInt64> {
        group.addTask {
          var generator = SplitMix64(seed: SplitMix64.subseed(client, of: seed))
          for _ in 0..<5 {
            let operation = RecordRegister.randomOperation(using: &generator)
            _ = try await recorder.record(operation) { try await perform(operation, on: cache) }
          }
        }
      }
      try await group.waitForAll()
    }
    try recorder.history.verifyLinearizable(from: RecordRegister())
  }

  private static func perform(
    _ operation: RecordRegister.Operation, on cache: GraphCache
  ) async throws -> Int? {
    switch operation {
    case .put(let value):
      try await cache.put(Author<Int>(1, Entry(value: value)))
      return nil
    case .update(let value): return try await cache.update(ref, \.value, to: value) ? 1 : 0
    case .remove: return await cache.remove(ref)?.value
    case .evict: return await cache.evict(ref) ? 1 : 0
    case .invalidate:
      await cache.invalidate(ref)
      return nil
    case .read: return await cache[ref]?.value
    case .peek: return cache.peek(ref)?.value
    case .contains: return cache.contains(ref) ? 1 : 0
    case .find: return try await cache.find(ref)?.value
    }
  }

  // MARK: With a store

  @Test func `every schedule of calls on a stored record is linearizable`() throws {
    try Schedule.explore(seeds: 600) { schedule in
      let versions = Versions([Self.key: Entry(value: 1_000)])
      let store = ScriptedStore(
        over: versions.memory, script: .random(), followsPlans: schedule.seed % 2 == 0,
        seed: schedule.seed)
      let cache = try GraphCache(
        for: Author<Int>.self, Work<Int>.self, store: store, executor: schedule.executor)
      try await Self.callStored(cache, versions, seed: schedule.seed)
    }
  }

  @Test func `calls on a stored record are linearizable on real threads`() async throws {
    for seed in try Effort().seeds(200) {
      let versions = Versions([Self.key: Entry(value: 1_000)])
      let store = ScriptedStore(over: versions.memory, script: .random(), seed: seed)
      let cache = try GraphCache(for: Author<Int>.self, Work<Int>.self, store: store)
      try await Self.callStored(cache, versions, seed: seed)
    }
  }

  private static func callStored(
    _ cache: GraphCache, _ versions: Versions, seed: UInt64
  ) async throws {
    let recorder = HistoryRecorder<StoredRecord.Operation, Int?>()
    try await withThrowingTaskGroup { group in
      for client in 0..<4 as Range<UInt64> {
        group.addTask {
          var generator = SplitMix64(seed: SplitMix64.subseed(client, of: seed))
          for _ in 0..<5 {
            let operation = StoredRecord.randomOperation(using: &generator)
            let way = Int.random(in: 0..<3, using: &generator)
            _ = try await recorder.record(operation) {
              try await perform(operation, way, on: cache, versions)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    var history = recorder.history
    history.entries.removeAll { entry in
      entry.operation == .peek && entry.returned?.response == nil
    }
    try history.verifyLinearizable(from: StoredRecord(value: 1_000))
  }

  private static func perform(
    _ operation: StoredRecord.Operation, _ way: Int, on cache: GraphCache, _ versions: Versions
  ) async throws -> Int? {
    switch operation {
    case .write(let value):
      try await cache.perform { try versions.commit([key: Entry(value: value)], to: $0) }
      return nil
    case .delete:
      try await cache.perform { try versions.commit([key: nil], to: $0) }
      return nil
    case .drop:
      switch way {
      case 0: await cache.evict(ref)
      case 1: await cache.invalidate(ref)
      default: await cache.removeAll()
      }
      return nil
    case .peek: return cache.peek(ref)?.value
    case .find: return try await cache.find(ref)?.value
    case .graph:
      do {
        return try await cache.graph(of: ref, .generations(0)).root.value
      } catch KinshipError.missing {
        return nil
      }
    }
  }
}
