import Kinship
import KinshipTranslation
import Testing

/// The examples of translation: a family of class instances.
struct TranslationExamples {
  class FamilyObject: Identifiable {
    let id: Int

    required init(id: Int) { self.id = id }
  }

  final class PersonModel: FamilyObject {
    var name: String?
    var father: PersonModel?
    var events: [EventModel] = []
  }

  final class EventModel: FamilyObject {
    var year = 0
    var place: PlaceModel?
  }

  final class PlaceModel: FamilyObject {
    var name: String?
    var sex = "x"
  }

  struct Person: GraphRecord {
    let id: Int
    var name: String
    var father: Ref<Person>?
    var events: [Ref<Event>] = []

    static let relationships: Relationships<Person> = [.toOne(\.father), .toMany(\.events)]
  }

  struct Event: GraphRecord {
    let id: Int
    var year: Int
    var place: Ref<Place>?

    static let relationships: Relationships<Event> = [.toOne(\.place)]
  }

  struct Place: TranslatableRecord {
    let id: Int
    var name: String

    init(translating model: PlaceModel) throws {
      id = model.id
      name = try Self.required(model.name, "name")
    }

    func update(_ model: inout PlaceModel, in models: ModelMap) throws {
      model.name = name
    }
  }

  struct EventTranslator: Translator {
    func record(from model: EventModel) throws -> Event {
      Event(id: model.id, year: model.year, place: try Place.ref(to: model.place))
    }

    func update(_ model: inout EventModel, from event: Event, in models: ModelMap) throws {
      model.year = event.year
      model.place = try models.model(for: event.place)
    }
  }

  struct PersonTranslator: Translator {
    func record(from model: PersonModel) throws -> Person {
      Person(
        id: model.id, name: try required(model.name, "name"),
        father: try ref(to: model.father),
        events: try EventTranslator().refs(to: model.events))
    }

    func update(_ model: inout PersonModel, from person: Person, in models: ModelMap) throws {
      model.name = person.name
      model.father = try models.model(for: person.father, by: self)
      model.events = try models.models(for: person.events, by: EventTranslator())
    }
  }

  final class FamilyObjects: ObjectContext {
    private var objects: [FamilyObject] = []

    func objects<ID: Hashable & Sendable>(
      of type: FamilyObject.Type, ids: [ID]
    ) -> [FamilyObject] {
      allObjects(of: type).filter { object in ids.contains { $0 as? Int == object.id } }
    }

    func allObjects(of type: FamilyObject.Type) -> [FamilyObject] {
      objects.filter { Swift.type(of: $0) == type }
    }

    func insertObject<ID: Hashable & Sendable>(
      of type: FamilyObject.Type, id: ID
    ) throws -> FamilyObject {
      guard let id = id as? Int else { throw UnexpectedModel(expected: Int.self, found: ID.self) }
      let object = type.init(id: id)
      objects.append(object)
      return object
    }

    func deleteObject(_ object: FamilyObject) { objects.removeAll { $0 === object } }

    func save() throws {}

    func rollback() {}
  }

  actor FamilyModels: ModelSession {
    private let objects = FamilyObjects()

    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (FamilyObjects) throws -> Answer
    ) throws -> Answer {
      try body(objects)
    }

    func write<Answer: Sendable>(
      _ body: @escaping @Sendable (FamilyObjects) throws -> Answer
    ) throws -> Answer {
      do {
        let answer = try body(objects)
        try objects.save()
        return answer
      } catch {
        objects.rollback()
        throw error
      }
    }
  }

  struct UnknownSex: Error {
    init(_ name: String) {}
  }

  enum Sex: String { case female, male }

  @Test func `a session store translates its models to records`() async throws {
    let session = FamilyModels()

    let store = try TranslatingStore(
      session, PersonTranslator(), EventTranslator(), Place.translator)
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)

    try await cache.write { tx in
      try tx.insert(Person(id: 42, name: "Albert", father: 7, events: [1]))
      try tx.insert(Person(id: 7, name: "Ernst"))
      try tx.insert(Event(id: 1, year: 1819))
    }
    #expect(try await store.fetch(Person.self, ids: [42]).first?.father == 7)
  }

  @Test func `a translation error names the field`() throws {
    func sex(of model: PlaceModel) throws -> Sex {
      guard let sex = Sex(rawValue: model.sex) else {
        throw UntranslatableField("sex", cause: UnknownSex(model.sex))
      }
      return sex
    }
    #expect(throws: UntranslatableField.self) { try sex(of: PlaceModel(id: 1)) }
  }
}

extension TranslationExamples {
  struct ValidationFailed: Error {}
  struct ConnectionLost: Error {}
}

extension TranslationExamples.FamilyModels {
  typealias ValidationFailed = TranslationExamples.ValidationFailed
  typealias ConnectionLost = TranslationExamples.ConnectionLost

  nonisolated func isRefusal(_ error: any Error) -> Bool { error is ValidationFailed }

  nonisolated func isOutage(_ error: any Error) -> Bool { error is ConnectionLost }
}

extension TranslationExamples.EventTranslator {
  typealias EventModel = TranslationExamples.EventModel
  typealias Event = TranslationExamples.Event
  typealias Place = TranslationExamples.Place

  func refs(
    from model: EventModel, by relationship: RecordRelationship<Event>
  ) throws -> [AnyRef]? {
    relationship.name == "place" ? try Place.ref(to: model.place).map { [AnyRef($0)] } ?? [] : nil
  }
}
