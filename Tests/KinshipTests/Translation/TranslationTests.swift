import Kinship
import KinshipTranslation
import KinshipTestSupport
import Testing

/// A cache over class instances that refer to each other.
struct TranslationTests {
  static let types: [any GraphRecord.Type] = StoreContents.recordTypes

  /// Albert with his parents, who share a place with him: cycles and shared models.
  static func family() async throws -> FamilySession {
    let session = FamilySession()
    try await session.write { context in
      let place = context.insert(PlaceModel.self) { ($0.id, $0.name) = (1, "Rosenau") }
      let people = (1...5).map { id in
        context.insert(PersonModel.self) { ($0.id, $0.name) = (id, "Person \(id)") }
      }
      let events = (1...5).map { id in
        context.insert(EventModel.self) { event in
          (event.id, event.title, event.place) = (id, "Event \(id)", place)
          event.person = people[id - 1]
        }
      }
      for (person, event) in zip(people, events) { person.events = [event] }
      for (child, parent) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
        people[child].father = people[parent]
        people[parent].children = [people[child]]
      }
      place.region = place
    }
    return session
  }

  static func cache(
    _ session: FamilySession, _ counts: TranslationCounts = TranslationCounts()
  ) throws -> GraphCache {
    let store = try TranslatingStore(
      session, CountingTranslator(PersonModel.mapping, counts),
      CountingTranslator(EventModel.mapping, counts),
      CountingTranslator(PlaceModel.mapping, counts),
      CountingTranslator(SourceModel.mapping, counts),
      CountingTranslator(CitationModel.mapping, counts))
    return try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, TestSource.self, TestCitation.self,
      store: store)
  }

  @Test func `each model is translated once however many paths lead to it`() async throws {
    let (session, counts) = (try await Self.family(), TranslationCounts())
    let cache = try Self.cache(session, counts)
    let graph = try await cache.graph(of: Ref<TestPerson>(1), .generations(20))
    #expect(graph.count == 11)
    #expect(counts.all.count == 11)
    #expect(counts.all.values.allSatisfy { $0 == 1 })
    // From memory, nothing is translated or found.
    session.log.reset()
    _ = try await cache.graph(of: Ref<TestPerson>(1), .generations(20))
    _ = try await cache.resolve(Ref<TestPlace>(1))
    #expect(counts.all.values.allSatisfy { $0 == 1 })
    #expect(session.log.counts.finds.isEmpty)
    #expect(session.log.counts.strays == 0)
  }

  @Test func `generations limit the models translated`() async throws {
    let (session, counts) = (try await Self.family(), TranslationCounts())
    let cache = try Self.cache(session, counts)
    _ = try await cache.graph(of: Ref<TestPerson>(1), .generations(0))
    #expect(Set(counts.all.keys) == [AnyRef(Ref<TestPerson>(1))])
    _ = try await cache.graph(of: Ref<TestPerson>(1), .following(\.father, generations: 2))
    #expect(Set(counts.all.keys) == Set([1, 2, 3].map { AnyRef(Ref<TestPerson>($0)) }))
    #expect(counts.all.values.allSatisfy { $0 == 1 })
    // One find for each generation.
    #expect(session.log.counts.finds == ["PersonModel": 3])
  }

  @Test func `writes reach the models`() async throws {
    let session = try await Self.family()
    let cache = try Self.cache(session)
    try await cache.write { tx in
      try tx.insert(TestPerson(id: 6, name: "Victoria", father: 7, children: [1], events: [6]))
      try tx.insert(TestPerson(id: 7, name: "Edward", children: [6]))
      try tx.insert(TestEvent(id: 6, title: "Wedding", person: 6, place: 1))
      try tx.update(Ref<TestPerson>(1), \.mother, to: 6)
      try tx.delete(Ref<TestEvent>(5))
      try tx.delete(Ref<TestPerson>(5))
    }
    try await session.read { context in
      let people = try context.models(for: Array(1...9), by: PersonModel.mapping)
      let byID = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
      #expect(byID.keys.sorted() == [1, 2, 3, 4, 6, 7])
      #expect(byID[1]?.mother === byID[6])
      #expect(byID[1]?.father === byID[2])
      #expect(byID[6]?.father === byID[7])
      #expect(byID[7]?.children.first === byID[6])
      #expect(byID[6]?.events.first?.person === byID[6])
      #expect(byID[6]?.events.first?.place === byID[1]?.events.first?.place)
      #expect(byID[4]?.father == nil)
    }
    let family = try await Self.cache(session).graph(of: Ref<TestPerson>(1), .generations(3))
    #expect(family.root.mother?.father?.name == "Edward")
    #expect(session.log.counts.strays == 0)
  }

  @Test func `a write finds the models of a type together`() async throws {
    let session = try await Self.family()
    let store = try session.store()
    session.log.reset()
    let people = (10..<60).map {
      TestPerson(
        id: $0, name: "\($0)", father: Ref($0 % 5 + 1), mother: Ref(10 + $0 % 50),
        events: [Ref($0 % 5 + 1)])
    }
    try await store.apply(ChangeSet(inserting: people))
    // The models that may exist, those that are referred to, and the events.
    #expect(session.log.counts.finds == ["PersonModel": 2, "EventModel": 1])
    #expect(session.log.counts.commits == 1)
  }

  @Test func `a translation error names type, id, field and cause`() async throws {
    let session = try await Self.family()
    try await session.write { context in
      let events = try context.models(for: [2], by: EventModel.mapping)
      events.first?.person = nil
      let people = try context.models(for: [1], by: PersonModel.mapping)
      people.first?.name = nil
    }
    let cache = try Self.cache(session)
    do {
      _ = try await cache.resolve(Ref<TestEvent>(2))
      Issue.record("an event without a person was translated")
    } catch KinshipError.fetchFailed(_, _, let cause) {
      #expect("\(cause)" == "TestEvent(2).person cannot be translated: there is no value.")
    }
    do {
      _ = try await session.store().fetch(RecordQuery<TestPerson>())
      Issue.record("a person without a name was translated")
    } catch let partial as PartialAnswer<TestPerson> {
      #expect(partial.records.count == 4)
      #expect(partial.failures.map(\.ref) == [1])
      guard
        case KinshipError.untranslatable(let type, let id, let field, let cause)? =
          partial.failures.first?.cause
      else { throw partial }
      #expect(type == "TestPerson" && id as? Int == 1 && field == "name")
      #expect(cause is UntranslatableField.NoValue)
    }
    // The others are not affected, and a later read asks again.
    #expect(try await cache.resolve(Ref<TestEvent>(1)).title == "Event 1")
    try await session.write { context in
      try context.models(for: [1], by: PersonModel.mapping).first?.name = "Albert"
    }
    #expect(try await cache.resolve(Ref<TestPerson>(1)).name == "Albert")
  }

  @Test func `a ref to a missing record is rejected with its field`() async throws {
    let session = try await Self.family()
    let store = try session.store()
    session.log.reset()
    do {
      try await store.apply(
        ChangeSet(inserting: [TestPlace(id: 2, name: "B")]).merging(
          ChangeSet(inserting: [TestPerson(id: 6, name: "A", events: [1, 99])])))
      Issue.record("a model refers to nothing")
    } catch KinshipError.untranslatable(let type, let id, let field, let cause) {
      #expect(type == "TestPerson" && id as? Int == 6 && field == "events")
      guard case KinshipError.missing(AnyRef(Ref<TestEvent>(99))) = cause else { throw cause }
    }
    #expect(session.log.counts.rollbacks == 1)
    #expect(try await store.fetch(TestPlace.self, ids: [2]).isEmpty)
    #expect(try await store.fetch(TestPerson.self, ids: [6]).isEmpty)
  }

  @Test func `a ref to a deleted record is rejected`() async throws {
    let session = try await Self.family()
    let store = try session.store()
    let event = TestEvent(id: 1, title: "Baptism", person: 1, place: 1)
    let update = UpdatedRecord(event.ref, old: nil, new: event, properties: nil)
    await #expect {
      try await store.apply(
        ChangeSet(updating: [update]).merging(
          ChangeSet(deleting: [TestPlace(id: 1, name: "Rosenau")])))
    } throws: {
      "\($0)".hasPrefix("TestEvent(1).place cannot be translated: TestPlace(1) does not exist. ")
    }
    #expect(try await store.fetch(TestPlace.self, ids: [1]).count == 1)
    #expect(try await store.fetch(TestEvent.self, ids: [1]).first?.title == "Event 1")
  }

  @Test func `a failed commit leaves everything as it was`() async throws {
    struct DiskFull: Error {}
    let session = try await Self.family()
    let cache = try Self.cache(session)
    let before = try await session.store().fetch(RecordQuery<TestPerson>())
    await session.failCommits(with: DiskFull())
    do {
      try await cache.write { tx in
        try tx.insert(TestPerson(id: 6, name: "Victoria", father: 1))
        try tx.update(Ref<TestPerson>(1), \.mother, to: 6)
        try tx.delete(Ref<TestEvent>(5))
        try tx.delete(Ref<TestPerson>(5))
      }
      Issue.record("the commit has not failed")
    } catch KinshipError.commitFailed(let cause) {
      #expect(cause is DiskFull)
    }
    await session.failCommits(with: nil)
    #expect(
      Set(try await session.store().fetch(RecordQuery<TestPerson>())) == Set(before))
    #expect(try await cache.resolve(Ref<TestPerson>(1)).mother == nil)
  }

  @Test(arguments: [0, 1, 3, 6])
  func `a failing translator leaves everything as it was`(after count: Int) async throws {
    let session = try await Self.family()
    let before = try await session.store().fetch(RecordQuery<TestPerson>())
    let store = try TranslatingStore(
      session, FailingTranslator(PersonModel.mapping, after: count), EventModel.mapping,
      PlaceModel.mapping)
    let people = (1...5).map { id in
      UpdatedRecord(
        Ref<TestPerson>(id), old: nil, new: TestPerson(id: id, name: "New"),
        properties: nil)
    }
    let changes = ChangeSet(
      inserting: [TestPerson(id: 6, name: "A", father: 7), TestPerson(id: 7, name: "B")],
      updating: people
    ).merging(ChangeSet(inserting: [TestPlace(id: 2, name: "C")]))
    do {
      try await store.apply(changes)
      Issue.record("the translator has not failed")
    } catch KinshipError.untranslatable(let type, let id, let field, let cause) {
      #expect(type == "TestPerson" && id is Int && field == "name")
      #expect(cause is ScriptedFailure)
    }
    let after = try session.store()
    #expect(Set(try await after.fetch(RecordQuery<TestPerson>())) == Set(before))
    #expect(try await after.fetch(TestPlace.self, ids: [2]).isEmpty)
    #expect(session.log.counts.strays == 0)
  }

  @Test func `each type has exactly one translator`() async throws {
    let session = FamilySession()
    #expect {
      try TranslatingStore(session, PersonModel.mapping, PlaceModel.mapping, PersonModel.mapping)
    } throws: {
      "\($0)" == "The store has two translators for TestPerson. Pass one of them only."
    }
    let store = try TranslatingStore(session, translators: [PersonModel.mapping])
    let place = TestPlace(id: 1, name: "A")
    for body: @Sendable () async throws -> Void in [
      { _ = try await store.fetch(TestPlace.self, ids: [1]) },
      { _ = try await store.fetch(RecordQuery<TestPlace>()) },
      {
        _ = try await store.referrers(
          to: [1] as [Ref<TestPlace>], by: RecordRelationship<TestPlace>(\.region))
      },
      {
        try await store.apply(
          ChangeSet(inserting: [TestPerson(id: 1, name: "")]).merging(ChangeSet(inserting: [place]))
        )
      },
    ] {
      await #expect { try await body() } throws: {
        "\($0)" == "The store has no translator for TestPlace. Pass one when you create the store."
      }
    }
    #expect(try await store.fetch(TestPerson.self, ids: [1]).isEmpty)
  }
}
