import KinshipTesting
import KinshipTestSupport
import Testing

struct MemoryStoreConformanceTests {
  @Test(arguments: StoreConformance.Check.allCases)
  func `a memory store conforms`(to check: StoreConformance.Check) async throws {
    try await StoreConformance { $0.memoryStore() }.run(check)
  }
}
