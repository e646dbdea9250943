import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTranslation
import Testing

struct ClosureStoreTests {
  /// Closures that call another store.
  static func closures(
    over base: any BackingStore, byID: Bool = true, all: Bool = true
  ) -> ClosureStore {
    func adding<R: GraphRecord>(_ type: R.Type, to store: ClosureStore) -> ClosureStore {
      let first =
        byID ? store.fetching(type) { ids in try await base.fetch(type, ids: ids) } : store
      return all ? first.fetchingAll(type) { try await base.fetch(RecordQuery<R>()) } : first
    }
    return StoreContents.recordTypes.reduce(ClosureStore()) { adding($1, to: $0) }
      .applying { changes in try await base.apply(changes) }
  }

  @Test(arguments: StoreConformance.Check.allCases, [true, false])
  func `a closure store conforms`(to check: StoreConformance.Check, byID: Bool) async throws {
    try await StoreConformance { Self.closures(over: $0.memoryStore(), byID: byID) }.run(check)
  }

  @Test(arguments: [true, false])
  func `an unreadable model affects no other record`(byID: Bool) async throws {
    try await StoreConformance.verifyUnreadable(findsByColumn: false) { contents in
      let store = try await FamilySession.storeWithAnUnreadablePerson(of: contents)
      return Self.closures(over: store, byID: byID)
    }
  }

  // MARK: Missing closures

  @Test func `an operation without a closure is named`() async throws {
    let store = ClosureStore().fetching(TestPerson.self) { _ in [TestPerson(id: 1, name: "A")] }
    func verify(_ operation: String, _ body: () async throws -> Void) async {
      do {
        try await body()
        Issue.record("\(operation) was done")
      } catch {
        #expect("\(error)".hasPrefix("ClosureStore does not support \(operation). "))
      }
    }
    await verify("fetching TestPlace") { _ = try await store.fetch(TestPlace.self, ids: [1]) }
    await verify("a query for TestPerson") { _ = try await store.fetch(RecordQuery<TestPerson>()) }
    await verify("a search for records that refer by TestPerson.father") {
      _ = try await store.referrers(
        to: [1] as [Ref<TestPerson>], by: RecordRelationship(\TestPerson.father))
    }
    await verify("new ids of TestPerson") {
      _ = try await store.reserveIDs(TestPerson.self, count: 1)
    }
    await #expect(throws: KinshipError.self) { try await store.apply(ChangeSet()) }
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    #expect(try await cache.resolve(Ref<TestPerson>(1)).name == "A")
    await #expect(throws: KinshipError.self) { try await cache.resolve(Ref<TestPlace>(1)) }
  }

  @Test func `the last closure given wins`() async throws {
    func named(_ name: String, _ store: ClosureStore) -> ClosureStore {
      store.fetching(TestPlace.self) { ids in ids.map { TestPlace(id: $0, name: name) } }
    }
    let first = named("A", ClosureStore().fetchingAll(TestPlace.self) { [] })
    let second = named("B", first)
    #expect(try await first.fetch(TestPlace.self, ids: [1]).map(\.name) == ["A"])
    #expect(try await second.fetch(TestPlace.self, ids: [1]).map(\.name) == ["B"])
    // Only the repeated closure changes.
    #expect(try await second.fetch(RecordQuery<TestPlace>()).isEmpty)
  }

  /// A store that fetches everything also finds records by ids.
  ///
  /// A duplicate is an error as usual.
  @Test func `a store that fetches all records also finds them by ids`() async throws {
    let store = ClosureStore().fetchingAll(TestPlace.self) {
      [3, 1, 2, 2].map { TestPlace(id: $0, name: "\($0)") }
    }
    #expect(try await store.fetch(TestPlace.self, ids: [1, 9]).map(\.id) == [1])
    let cache = try GraphCache(for: TestPlace.self, store: store)
    #expect(try await cache.find([3, 9] as [Ref<TestPlace>]).map { $0?.name } == ["3", nil])
    await #expect(throws: KinshipError.self) { try await cache.find(Ref<TestPlace>(2)) }
  }

  // MARK: Changes

  private struct Refusal: Error {}
  private struct ConnectionLost: Error {}

  /// After a rejection, memory stays as it is.
  ///
  /// After any other error, the record is read again.
  @Test(
    arguments: [
      (Refusal(), 1), (KinshipError.missing(AnyRef(Ref<TestPlace>(1))), 1), (ConnectionLost(), 2),
      (KinshipError.commitFailed(cause: Refusal()), 1),
      (KinshipError.commitFailed(cause: ConnectionLost()), 2),
    ] as [(any Error, Int)])
  func `a record is read again unless the error is a rejection`(error: any Error, requests: Int)
    async throws
  {
    let log = ScriptedStore(over: MemoryStore([TestPlace(id: 1, name: "A")]))
    let ref = Ref<TestPlace>(1)
    let store = ClosureStore()
      .fetching(TestPlace.self) { ids in try await log.fetch(TestPlace.self, ids: ids) }
      .applying(isRefusal: { $0 is Refusal }) { _ in throw error }
    let cache = try GraphCache(for: TestPlace.self, store: store)
    #expect(try await cache.resolve(ref).name == "A")
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.update(ref, \.name, to: "B") }
    }
    #expect(try await cache.resolve(ref).name == "A")
    #expect(log.requests(for: ref) == requests)
  }
}
