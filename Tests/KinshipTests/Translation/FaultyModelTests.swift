import Kinship
import KinshipTranslation
import KinshipTestSupport
import Testing

/// Translators and contexts that break the rules.
struct FaultyModelTests {
  /// Gives models another id.
  struct RenumberingTranslator: Translator {
    func record(from model: PlaceModel) throws -> TestPlace {
      TestPlace(id: model.id, name: model.name)
    }

    func update(_ model: inout PlaceModel, from place: TestPlace, in models: ModelMap) throws {
      model.id = 0
    }
  }

  @Test func `a model must keep the id of its record`() async throws {
    let store = try TranslatingStore(FamilySession(), RenumberingTranslator())
    await #expect {
      try await store.apply(ChangeSet(inserting: [TestPlace(id: 7, name: "A")]))
    } throws: { error in
      guard case KinshipError.misuse(.identityChanged(let old, let new)) = error else {
        return false
      }
      return old == AnyRef(Ref<TestPlace>(7)) && new == AnyRef(Ref<TestPlace>(0))
    }
    #expect(try await store.fetch(RecordQuery<TestPlace>()).isEmpty)
  }

  /// Reads the parents of a model without translating it.
  struct ParentTranslator: Translator {
    func record(from model: PersonModel) throws -> TestPerson {
      let person = try PersonModel.mapping.record(from: model)
      if model.id == 8 { throw UntranslatableField("name", cause: ScriptedFailure(call: 0)) }
      return person
    }

    func update(_ model: inout PersonModel, from person: TestPerson, in models: ModelMap) throws {
      try PersonModel.mapping.update(&model, from: person, in: models)
    }

    func refs(
      from model: PersonModel, by relationship: RecordRelationship<TestPerson>
    ) throws -> [AnyRef]? {
      switch relationship.name {
      case "father": try ref(to: model.father).map { [AnyRef($0)] } ?? []
      case "mother": try ref(to: model.mother).map { [AnyRef($0)] } ?? []
      case "children": try refs(to: model.children).map { AnyRef($0) }
      default: nil
      }
    }
  }

  @Test func `a deletion reads only models that may refer to the record`() async throws {
    let session = FamilySession()
    let people = [
      TestPerson(id: 1, name: "A", father: 3), TestPerson(id: 3, name: "B"),
      TestPerson(id: 5, name: "C"), TestPerson(id: 8, name: "", father: 5),
    ]
    try await TranslatingStore(session, PersonModel.mapping, EventModel.mapping, PlaceModel.mapping)
      .apply(ChangeSet(inserting: people))
    let store = try TranslatingStore(
      session, ParentTranslator(), EventModel.mapping, PlaceModel.mapping)
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    await #expect(throws: KinshipError.self) { try await cache.find(Ref<TestPerson>(8)) }
    try await cache.write { tx in try tx.delete(Ref<TestPerson>(3)) }
    #expect(try await cache.resolve(Ref<TestPerson>(1)).father == nil)
    // It may lose its ref only if it can be translated.
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.delete(Ref<TestPerson>(5)) }
    }
    #expect(try await cache.find(Ref<TestPerson>(5)) != nil)
  }

  struct PlaceReader: Translator {
    func record(from model: PlaceModel) throws -> TestPlace {
      TestPlace(id: model.id, name: model.name)
    }
  }

  @Test func `a translator may be read-only`() async throws {
    let store = try TranslatingStore(FamilySession(), PlaceReader())
    await #expect {
      try await store.apply(ChangeSet(inserting: [TestPlace(id: 7, name: "A")]))
    } throws: {
      "\($0)".hasPrefix("PlaceReader does not support writing TestPlace. ")
    }
    #expect(try await store.fetch(RecordQuery<TestPlace>()).isEmpty)
  }

  class Thing { let id = 1 }
  final class Stone: Thing {}
  final class Star: Thing {}

  struct StoneRecord: GraphRecord { let id: Int }
  struct OtherRecord: GraphRecord { let id: Int }

  struct StoneTranslator: Translator {
    func id(of model: Stone) throws -> Int { model.id }
    func record(from model: Stone) throws -> StoneRecord { StoneRecord(id: model.id) }
    func update(_ model: inout Stone, from record: StoneRecord, in models: ModelMap) throws {}
  }

  /// A translator whose models are of a class that the context does not know.
  struct OtherTranslator: Translator {
    func id(of model: Int) throws -> Int { model }
    func record(from model: Int) throws -> OtherRecord { OtherRecord(id: model) }
  }

  /// Answers every request with stars.
  struct StarContext: ObjectContext {
    func objects<ID: Hashable & Sendable>(of type: Thing.Type, ids: [ID]) -> [Thing] { [Star()] }
    func allObjects(of type: Thing.Type) -> [Thing] { [Star()] }
    func insertObject<ID: Hashable & Sendable>(of type: Thing.Type, id: ID) -> Thing { Star() }
    func deleteObject(_ object: Thing) {}
  }

  actor StarSession: ModelSession {
    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (StarContext) throws -> Answer
    ) throws -> Answer { try body(StarContext()) }

    func write<Answer: Sendable>(
      _ body: @escaping @Sendable (StarContext) throws -> Answer
    ) throws -> Answer { try body(StarContext()) }
  }

  @Test func `models of another type are an error`() async throws {
    let store = try TranslatingStore(StarSession(), StoneTranslator(), OtherTranslator())
    @Sendable func isUnexpected(_ error: any Error) -> Bool {
      guard case KinshipError.untranslatable(_, nil, nil, let cause) = error else { return false }
      return cause is UnexpectedModel
    }
    await #expect { try await store.fetch(StoneRecord.self, ids: [1]) } throws: { isUnexpected($0) }
    await #expect { try await store.fetch(OtherRecord.self, ids: [1]) } throws: { isUnexpected($0) }
    await #expect { try await store.fetch(RecordQuery<StoneRecord>()) } throws: { isUnexpected($0) }
    await #expect {
      try await store.apply(ChangeSet(deleting: [StoneRecord(id: 1)]))
    } throws: { isUnexpected($0) }
  }

  /// Finds only by ids, and answers with models that were not requested.
  struct GenerousContext: TranslationContext {
    func models<T: Translator>(for ids: [T.Translated.ID], by translator: T) throws -> [T.Model] {
      [Stone()] as? [T.Model] ?? []
    }
  }

  struct GenerousSession: ModelSession {
    let isWritable: Bool

    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (GenerousContext) throws -> Answer
    ) async throws -> Answer { try body(GenerousContext()) }

    func write<Answer: Sendable>(
      _ body: @escaping @Sendable (GenerousContext) throws -> Answer
    ) async throws -> Answer {
      if !isWritable { throw KinshipError.misuse(.readOnlyStore("GenerousSession")) }
      return try body(GenerousContext())
    }
  }

  @Test func `a model that was not requested is rejected`() async throws {
    let store = try TranslatingStore(GenerousSession(isWritable: true), StoneTranslator())
    await #expect {
      try await store.apply(ChangeSet(inserting: [StoneRecord(id: 5)]))
    } throws: {
      guard case KinshipError.unexpectedRecord(let ref) = $0 else { return false }
      return ref == AnyRef(Ref<StoneRecord>(1))
    }
  }

  @Test func `a context may support only finding by id`() async throws {
    let store = try TranslatingStore(GenerousSession(isWritable: false), StoneTranslator())
    #expect(try await store.fetch(StoneRecord.self, ids: [1]).map(\.id) == [1])
    await #expect { try await store.fetch(RecordQuery<StoneRecord>()) } throws: {
      guard case KinshipError.misuse(.unsupported) = $0 else { return false }
      return true
    }
    await #expect { try await store.apply(ChangeSet(deleting: [StoneRecord(id: 1)])) } throws: {
      guard case KinshipError.misuse(.readOnlyStore) = $0 else { return false }
      return true
    }
  }
}
