import KinshipSync
import KinshipTesting
import KinshipTestSupport
import KinshipTranslation
import KinshipTrials
import Testing

@testable import Kinship
import KinshipTiers

struct RoutedStoreTests {
  // MARK: Conformance

  @Test(arguments: StoreConformance.Check.allCases)
  func `a routed store without routes conforms`(to check: StoreConformance.Check) async throws {
    try await StoreConformance { RoutedStore(default: $0.memoryStore()) }.run(check)
  }

  @Test(arguments: StoreConformance.Check.allCases)
  func `a routed store with many routes conforms`(to check: StoreConformance.Check) async throws {
    try await StoreConformance { contents in
      let memory = contents.memoryStore()
      return RoutedStore().routing(TestPerson.self, TestEvent.self, to: memory)
        .routing(TestPlace.self, TestSource.self, to: memory)
        .routing(TestCitation.self, to: memory)
    }.run(check)
  }

  private typealias Check = StoreConformance.Check

  /// Changes that all stores or none must refuse are tried at random below.
  ///
  /// Here some stores commit before another refuses.
  @Test(arguments: Check.fetching + Check.querying + Check.referring + Check.writing)
  func `a routed store with several stores conforms`(to check: StoreConformance.Check) async throws
  {
    try await StoreConformance { contents in
      let store = RoutedStore(leading: MemoryStore())
        .routing(TestEvent.self, TestSource.self, to: MemoryStore())
        .routing(TestPlace.self, to: ClosureStoreTests.closures(over: MemoryStore()))
      try await store.apply(contents.insertions)
      return store
    }.run(check)
  }

  @Test func `an unreadable model affects no other record`() async throws {
    try await StoreConformance.verifyUnreadable(findsByColumn: true) { contents in
      let session = FamilySession()
      let models = try session.store()
      let store = RoutedStore(leading: models)
        .routing(TestSource.self, TestCitation.self, to: MemoryStore())
      try await store.apply(contents.insertions)
      try await session.write { context in
        try context.models(for: [2], by: PersonModel.mapping).first?.name = nil
      }
      return store
    }
  }

  // MARK: Several stores

  /// Conditions on related records of types in two stores, one of which has no filters.
  @Test(arguments: [true, false])
  func `related records are found across stores`(knowsFilters: Bool) async throws {
    try await RelatedTrials.check(seeds: 8) { clubModel in
      let clubs = MemoryStore()
      let store = RoutedStore(leading: MemoryStore())
        .routing(Club.self, to: knowsFilters ? clubs : QuestionTests.PlainStore(base: clubs))
      try await store.apply(clubModel.insertions)
      return store
    }
  }

  /// A store gets the part of a plan that concerns its own types: it does not know others.
  @Test func `a plan is followed within each store`() async throws {
    let memory = MemoryStore()
    memory.insert([TestPerson(id: 1, name: "A", events: [10]), TestPerson(id: 2, name: "B")])
    memory.insert([TestEvent(id: 10, title: "Birth", person: 2, place: 20)])
    let people = ScriptedStore(
      over: RoutedStore().routing(TestPerson.self, TestEvent.self, to: memory), followsPlans: true)
    let places = ScriptedStore(
      over: MemoryStore([TestPlace(id: 20, name: "Rosenau", region: 21)]), followsPlans: true)
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self,
      store: RoutedStore(default: RoutedStore(default: people))
        .routing(TestPlace.self, to: places))
    let graph = try await cache.graph(of: Ref<TestPerson>(1), .generations(4))
    #expect(graph.records(of: TestPerson.self).map(\.id) == [1, 2])
    #expect(graph.records(of: TestPlace.self).map(\.id) == [20])
    #expect(graph.missing == [AnyRef(Ref<TestPlace>(21))])
    #expect(people.calls.map(\.refs) == [[AnyRef(Ref<TestPerson>(1))]])
    #expect(places.calls.allSatisfy { $0.type == TestPlace.self })
    #expect(people.followedPlans == 1)
  }

  @Test func `the store of a type reserves its ids`() async throws {
    let store = RoutedStore(default: MemoryStore([TestPerson(id: 7, name: "A")]))
      .routing(TestPlace.self, to: MemoryStore([TestPlace(id: 40, name: "B")]))
    #expect(try await store.reserveIDs(TestPlace.self, count: 2) == [41, 42])
    #expect(try await store.reserveIDs(TestPerson.self, count: 1) == [8])
  }

  /// Changes by others in a store behind the routes are followed.
  ///
  /// The records that the cache has written to it and to another one stay.
  @Test func `a cache follows a store behind the routes`() async throws {
    let log = LoggedStore(MemoryStore([TestPlace(id: 20, name: "A")]))
    let store = RoutedStore(leading: log).routing(TestSource.self, to: MemoryStore())
    let cache = try GraphCache(
      for: TestPlace.self, TestSource.self, store: store, clock: ManualClock())
    let following = cache.follow(log)
    let ref = Ref<TestPlace>(20)
    #expect(try await cache.resolve(ref).name == "A")
    log.put(TestPlace(id: 20, name: "B"))
    try await log.catchUp()
    #expect(try await cache.resolve(ref).name == "B")
    try await cache.write { tx in
      try tx.update(ref, \.name, to: "C")
      try tx.insert(TestSource(id: "s", title: "S"))
    }
    try await following.catchUp()
    #expect(cache.peek(ref)?.name == "C")
    #expect(cache.peek(Ref<TestSource>("s")) != nil)
    following.end()
  }

  // MARK: Changes

  @Test(arguments: [false, true])
  func `routed stores have the contents of their model`(leads: Bool) async throws {
    try await RoutedTrial.check(leads: leads, seeds: 40)
  }

  private static let changes = ChangeSet(inserting: [TestPlace(id: 1, name: "A")])
    .merging(ChangeSet(inserting: [TestSource(id: "s", title: "S")]))
    .merging(ChangeSet(inserting: [TestPerson(id: 1, name: "P")]))

  @Test func `an error names the types of each store`() async throws {
    let store = RoutedStore(default: MemoryStore()).routing(TestSource.self, to: MemoryStore())
    do {
      try await store.apply(Self.changes)
      Issue.record("two stores were changed")
    } catch KinshipError.misuse(.changesSeveralStores(let types)) {
      #expect(types == [["TestPlace", "TestPerson"], ["TestSource"]])
      #expect(store.isRefusal(KinshipError.misuse(.changesSeveralStores(types: types))))
    }
    #expect(try await store.fetch(RecordQuery<TestPlace>()).isEmpty)
  }

  /// A store that is an object counts once, however often it is named.
  ///
  /// A value counts each time.
  @Test func `a store that is an object counts once`() async throws {
    let memory = MemoryStore()
    let store = RoutedStore(default: memory).routing(TestSource.self, to: memory)
    try await store.apply(Self.changes)
    #expect(memory.count(of: TestSource.self) == 1)
    let closures = ClosureStoreTests.closures(over: MemoryStore())
    let values = RoutedStore(default: closures).routing(TestSource.self, to: closures)
    await #expect(throws: KinshipError.self) { try await values.apply(Self.changes) }
    // The last route counts, and the first store stays as it was.
    let again = RoutedStore(default: MemoryStore())
      .routing(TestSource.self, to: closures).routing(TestSource.self, to: memory)
    #expect(try await again.fetch(TestSource.self, ids: ["s"]).count == 1)
  }

  @Test func `a type without a store is named`() async throws {
    let store = RoutedStore().routing(TestPlace.self, to: MemoryStore())
    do {
      _ = try await store.fetch(TestSource.self, ids: ["s"])
      Issue.record("it was fetched")
    } catch {
      #expect("\(error)".hasPrefix("RoutedStore does not support records of TestSource. "))
    }
    // Nothing is changed in the known store either.
    await #expect(throws: KinshipError.self) { try await store.apply(Self.changes) }
    #expect(try await store.fetch(RecordQuery<TestPlace>()).isEmpty)
  }

  /// Cancels the task of a commit after the commit.
  private struct Cancelling: ForwardingStore {
    let base: any BackingStore

    func apply(_ changes: ChangeSet) async throws {
      try await base.apply(changes)
      withUnsafeCurrentTask { $0?.cancel() }
    }
  }

  @Test func `a cancellation after the first store's commit has no effect`() async throws {
    let (memory, other) = (MemoryStore(), MemoryStore())
    let store = RoutedStore(leading: Cancelling(base: memory)).routing(TestSource.self, to: other)
    try await Task { try await store.apply(Self.changes) }.value
    #expect(memory.count(of: TestPlace.self) == 1)
    #expect(other.count(of: TestSource.self) == 1)
  }

  /// One that cannot guarantee for any error that nothing was changed, and one that always does.
  @Test func `an error is a rejection if all stores say so`() {
    struct Outage: Error {}
    let (all, some) = (RoutedStore(default: MemoryStore()), ClosureStore())
    #expect(all.isRefusal(Outage()))
    #expect(!all.routing(TestSource.self, to: some).isRefusal(Outage()))
    let nested = RoutedStore(default: all)
    let part = KinshipError.committedInPart(committed: ["A"], failed: ["B"], cause: Outage())
    #expect(!nested.isRefusal(part))
    #expect(!some.isRefusal(part))
  }

  @Test func `an error is an outage if one store says so`() {
    struct Outage: Error {}
    let remote = ClosureStore().offline(when: { $0 is Outage })
    let local = RoutedStore(default: MemoryStore())
    #expect(!local.isOutage(Outage()))
    #expect(local.routing(TestSource.self, to: remote).isOutage(Outage()))
    let part = KinshipError.committedInPart(committed: ["A"], failed: ["B"], cause: Outage())
    #expect(!RoutedStore(default: remote.offline(when: { _ in true })).isOutage(part))
  }

  /// The store gets back its notes of a deletion.
  private final class Keeping: ForwardingStore {
    let base: any BackingStore
    let found = Lock<[String]>([])

    init(base: any BackingStore) { self.base = base }

    func apply(_ changes: ChangeSet) async throws {
      for place in changes.deleted(TestPlace.self) { changes.keep("kept", of: place.ref) }
      for place in changes.inserted(TestPlace.self) {
        guard let kept = changes.unmapped(of: place.ref) as? String else { continue }
        found.withLock { $0.append(kept) }
      }
      try await base.apply(changes)
    }
  }

  @Test func `an undone deletion returns what the store kept of it`() async throws {
    let place = TestPlace(id: 1, name: "A")
    let keeping = Keeping(base: MemoryStore([place]))
    let store = RoutedStore(leading: MemoryStore()).routing(TestPlace.self, to: keeping)
    let deletion = ChangeSet(deleting: [place])
      .merging(ChangeSet(inserting: [TestSource(id: "s", title: "S")]))
    try await store.apply(deletion)
    try await store.apply(deletion.inverted)
    #expect(keeping.found.withLock { $0 } == ["kept"])
  }
}
