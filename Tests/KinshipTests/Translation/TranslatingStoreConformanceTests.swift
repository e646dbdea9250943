import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTranslation
import Testing

struct TranslatingStoreConformanceTests {
  @Test(arguments: StoreConformance.Check.allCases)
  func `a translating store conforms`(to check: StoreConformance.Check) async throws {
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

  @Test func `an unreadable model affects no other record`() async throws {
    try await StoreConformance.verifyUnreadable(findsByColumn: true) { contents in
      try await FamilySession.storeWithAnUnreadablePerson(of: contents)
    }
  }

  /// A model layer that sorts, limits and finds referrers by itself.
  @Test(arguments: StoreConformance.Check.allCases)
  func `a store over models that answer queries conforms`(to check: StoreConformance.Check)
    async throws
  {
    let sessions = SessionLog()
    try await StoreConformance { contents in
      let session = FamilySession()
      sessions.add(session.log)
      let store = try FamilySession.store(of: QueryingSession(base: session))
      try await store.apply(contents.insertions)
      return store
    }.run(check)
    #expect(sessions.strays == 0)
    #expect(sessions.scans == 0)
  }
}
