import KinshipConformance
import KinshipTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MemoryStoreConformanceTests {
  @Test(arguments: StoreConformance.Check.allCases)
  func aMemoryStoreConforms(to check: StoreConformance.Check) async throws {
    try await StoreConformance { $0.memoryStore() }.run(check)
  }
}
