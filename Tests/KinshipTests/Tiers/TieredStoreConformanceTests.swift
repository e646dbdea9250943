import KinshipTesting
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipTiers
@testable import KinshipFileStore

struct TieredStoreConformanceTests {
  /// Copies may be too old for an answer or not: no other program writes.
  private static let policies = [
    TierPolicy(freshness: .zero), TierPolicy(freshness: .seconds(3_600)),
    TierPolicy(freshness: .seconds(3_600), count: 2), TierPolicy(count: 0),
  ]

  private static func tiered(
    near: any BackingStore, _ contents: StoreContents, _ policy: TierPolicy
  ) async throws -> TieredStore {
    let store = TieredStore(
      near: near, far: MemoryStore(), schema: try GraphSchema(types: StoreContents.recordTypes),
      policy: policy)
    try await store.apply(contents.insertions)
    return store
  }

  @Test(arguments: StoreConformance.Check.allCases, policies)
  func `a tiered store conforms`(to check: StoreConformance.Check, policy: TierPolicy) async throws
  {
    try await StoreConformance {
      try await Self.tiered(near: MemoryStore(), $0, policy)
    }.run(check)
  }

  @Test(arguments: StoreConformance.Check.allCases)
  func `a tiered store over files conforms`(to check: StoreConformance.Check) async throws {
    let schema = try TieredStore.nearSchema(
      of: GraphSchema(types: StoreContents.recordTypes))
    try await StoreConformance { contents in
      let near = try await FileStore(
        in: SimulatedDisk(), at: "/store", schema: schema, durability: .system)
      return try await Self.tiered(near: near, contents, TierPolicy(freshness: .seconds(3_600)))
    }.run(check)
  }

  /// If each call of the near store fails, the far store alone answers.
  @Test(arguments: StoreConformance.Check.allCases)
  func `a tiered store whose near store fails conforms`(to check: StoreConformance.Check)
    async throws
  {
    try await StoreConformance { contents in
      let near = ScriptedStore(
        over: MemoryStore(), script: .always(StoreBehavior(failure: ScriptedFailure(call: 0))))
      return try await Self.tiered(near: near, contents, TierPolicy())
    }.run(check)
  }

  /// A near store that sometimes loses its connection, before or after a commit.
  @Test(arguments: StoreConformance.Check.allCases)
  func `a tiered store with a flaky near store conforms`(to check: StoreConformance.Check)
    async throws
  {
    try await StoreConformance { contents in
      let near = ScriptedStore(
        over: MemoryStore(),
        script: .random(StoreFaults(yields: 1, failure: 0.2, loss: 0.2)))
      return try await Self.tiered(near: near, contents, TierPolicy(freshness: .seconds(3_600)))
    }.run(check)
  }
}
