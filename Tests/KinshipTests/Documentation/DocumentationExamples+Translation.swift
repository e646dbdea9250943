import Kinship
import KinshipTesting
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

    static let mapping: Mapping<PersonModel, Person> = Mapping(
      id: \.id, Person.init,
      .map(\.name, \.name),
      .map(\.father, \.father, by: PersonModel.mapping),
      .map(\.events, \.events, by: EventModel.mapping))
  }

  final class EventModel: FamilyObject {
    var year = 0
    var place: PlaceModel?

    static let mapping: Mapping<EventModel, Event> = Mapping(
      id: \.id, Event.init,
      .map(\.year, \.year),
      .map(\.place, \.place, by: PlaceTranslator()))
  }

  final class PatientModel: FamilyObject {
    var title = ""
    var sex = "female"
    var address = AddressModel()

    static let mapping: Mapping<PatientModel, Patient> = Mapping(
      id: \.id, Patient.init,
      .map(\.name, \.title),
      .map(\.sex, \.sex, reading: Sex.init(rawValue:), writing: \.rawValue),
      .map(\.home, \.address, by: AddressModel.mapping))
  }

  struct AddressModel {
    var line1 = ""
    var city = ""

    static let mapping = NestedMapping<AddressModel, Address>(
      Address.init, .map(\.street, \.line1), .map(\.town, \.city))
  }

  struct Patient: GraphRecord {
    let id: Int
    var name: String
    var sex: Sex
    var home: Address
  }

  struct Address: Equatable {
    var street: String
    var town: String
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

  struct Place: GraphRecord {
    let id: Int
    var name: String
  }

  struct PlaceTranslator: Translator {
    func record(from model: PlaceModel) throws -> Place {
      Place(id: model.id, name: try required(model.name, "name"))
    }

    func update(_ model: inout PlaceModel, from place: Place, in models: ModelMap) throws {
      model.name = place.name
    }
  }

  struct EventTranslator: Translator {
    func record(from model: EventModel) throws -> Event {
      Event(id: model.id, year: model.year, place: try PlaceTranslator().ref(to: model.place))
    }

    func update(_ model: inout EventModel, from event: Event, in models: ModelMap) throws {
      model.year = event.year
      model.place = try models.model(for: event.place, by: PlaceTranslator())
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
      session, PersonModel.mapping, EventModel.mapping, PlaceTranslator())
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)

    try await cache.write { tx in
      try tx.insert(Person(id: 42, name: "Albert", father: 7, events: [1]))
      try tx.insert(Person(id: 7, name: "Ernst"))
      try tx.insert(Event(id: 1, year: 1819))
    }
    #expect(try await store.fetch(Person.self, ids: [42]).first?.father == 7)
    let translated = try TranslatingStore(
      session, PersonTranslator(), EventTranslator(), PlaceTranslator())
    #expect(try await translated.fetch(Person.self, ids: [42]).first?.events == [1])
  }

  @Test func `a round trip covers conversions and nested values`() async throws {
    let store = try TranslatingStore(FamilyModels(), PatientModel.mapping)
    try await StoreConformance.verifyRoundTrip(
      of: [
        Patient(id: 1, name: "A", sex: .female, home: Address(street: "S", town: "T")),
        Patient(id: 1, name: "B", sex: .male, home: Address(street: "U", town: "V")),
      ], in: store)
  }

  @Test func `a round trip finds nothing that is lost`() async throws {
    let store = try TranslatingStore(
      FamilyModels(), PersonModel.mapping, EventModel.mapping, PlaceTranslator())
    try await store.apply(
      ChangeSet(inserting: [Person(id: 2, name: "")]).merging(
        ChangeSet(inserting: [Event(id: 10, year: 1819)])))
    try await StoreConformance.verifyRoundTrip(
      of: [
        Person(id: 1, name: "Albert", father: 2, events: [10]),
        Person(id: 1, name: "Ernst"),
      ], in: store)
  }

  @Test func `a validation error names the object and the property`() {
    func validate(_ model: PersonModel) throws {
      do {
        if model.name == nil { throw ValidationFailed() }
      } catch {
        throw InvalidModel("Person", id: model.id, property: "name", cause: error)
      }
    }
    let error = #expect(throws: InvalidModel.self) { try validate(PersonModel(id: 7)) }
    #expect(error?.property == "name")
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

  nonisolated func classify(_ error: any Error) -> ModelErrorClass {
    switch error {
    case is ValidationFailed: .refusal
    case is ConnectionLost: .outage
    default: .defect
    }
  }
}

extension TranslationExamples.EventTranslator {
  typealias EventModel = TranslationExamples.EventModel
  typealias Event = TranslationExamples.Event
  typealias PlaceTranslator = TranslationExamples.PlaceTranslator

  func refs(
    from model: EventModel, by relationship: RecordRelationship<Event>
  ) throws -> [AnyRef]? {
    guard relationship.name == "place" else { return nil }
    return try PlaceTranslator().ref(to: model.place).map { [AnyRef($0)] } ?? []
  }
}
