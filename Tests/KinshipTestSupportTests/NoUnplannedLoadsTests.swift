import Kinship
import KinshipTestSupport
import KinshipTesting
import Testing

/// The trait fails a test for loads of single records, and no other.
struct NoUnplannedLoadsTests {
  private static func line() -> MemoryStore {
    MemoryStore(
      (0..<6).map { TestPerson(id: $0, name: "\($0)", father: $0 < 5 ? Ref($0 + 1) : nil) })
  }

  /// Runs a body as a test with a trait.
  private func run(
    _ trait: NoUnplannedLoads = .noUnplannedLoads,
    _ body: @Sendable (GraphCache) async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    try await trait.provideScope(for: test, testCase: nil) {
      try await body(
        GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: Self.line()))
    }
  }

  @Test func `loads of one record after another are reported at their line, with a plan`()
    async throws
  {
    let loads = Lock<[UnplannedLoad]>([])
    let line = #line + 5
    try await run(NoUnplannedLoads { load in loads.withLock { $0.append(load) } }) { cache in
      var next: Ref<TestPerson>? = 0
      while let ref = next {
        // Each of these calls the store.
        next = try await cache.resolve(ref).father
      }
    }
    let reported = loads.withLock { $0 }
    #expect(!reported.isEmpty)
    for load in reported { #expect(Int(load.caller.line) == line && "\(load)".contains("Plan<")) }
  }

  @Test func `a plan passes`() async throws {
    try await run { cache in
      let plan = Plan<TestPerson>.following(\.father, generations: 5)
      let family = try await cache.graph(of: Ref<TestPerson>(0), plan)
      #expect(family.count == 6)
    }
  }

  @Test func `a cache with a strictness of its own keeps it`() async throws {
    try await run { _ in
      let cache = try GraphCache(
        for: TestPerson.self, TestEvent.self, TestPlace.self, store: Self.line(), strictness: .off)
      for id in 0..<5 { _ = try await cache.resolve(Ref<TestPerson>(id)) }
      #expect(await cache.unplannedLoads.isEmpty)
    }
  }

  @Test func `the error of the test is thrown`() async throws {
    await #expect(throws: ScriptedFailure.self) { try await run { _ in throw ScriptedFailure() } }
  }
}
