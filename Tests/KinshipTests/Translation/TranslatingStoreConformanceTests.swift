import Kinship
import KinshipTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TranslatingStoreConformanceTests {
  @Test(arguments: StoreConformance.Check.allCases)
  func aTranslatingStoreConforms(to check: StoreConformance.Check) async throws {
    let sessions = SessionLog()
    try await StoreConformance { contents in
      let session = FamilySession()
      sessions.add(session.log)
      let store = try session.store()
      try await store.apply(contents.insertions)
      return store
    }.run(check)
    #expect(sessions.strays == 0)
  }
}
