import Kinship
import KinshipTesting
import Testing

/// The trait fails a test for loads of single records, and no other.
struct NoUnplannedLoadsTests {
  private static func line() -> MemoryStore {
    MemoryStore(
      (0..<6).map { TestPerson(id: $0, name: "\($0)", father: $0 < 5 ? Ref($0 + 1) : nil) })
  }

  /// Runs a body as a test with the trait.
  private func run(_ body: @Sendable (GraphCache) async throws -> Void) async throws {
    let (test, trait) = (try #require(Test.current), NoUnplannedLoads.noUnplannedLoads)
    try await trait.provideScope(for: test, testCase: nil) {
      try await body(
        GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: Self.line()))
    }
  }

  @Test func `records that are loaded one after another fail a test at the line of the load`()
    async throws
  {
    let line = #line + 6
    try await withKnownIssue {
      try await run { cache in
        var next: Ref<TestPerson>? = 0
        while let ref = next {
          // Each of these calls the store.
          next = try await cache.resolve(ref).father
        }
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.contains { $0.rawValue.contains("Plan<") }
    }
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
