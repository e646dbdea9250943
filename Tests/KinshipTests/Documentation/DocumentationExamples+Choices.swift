import Kinship
import Testing

/// The examples of refs to records of one of several types.
struct ChoiceDocumentationExamples {
  typealias Person = DocumentationExamples.Person
  typealias Event = DocumentationExamples.Event
  typealias Place = DocumentationExamples.Place

  struct Company: GraphRecord {
    let id: String
    var motto: String
  }

  struct Account: GraphRecord, Codable {
    let id: Int
    var owner: OneOf<Person, Company>?

    static let relationships: Relationships<Account> = [.toOneOf(\.owner)]
  }

  enum Subject: RefChoice, Codable {
    case person(Ref<Person>)
    case event(Ref<Event>)
    case place(Ref<Place>)

    static let recordTypes: [any GraphRecord.Type] = [Person.self, Event.self, Place.self]

    init?(_ ref: AnyRef) {
      if let ref = ref.as(Person.self) {
        self = .person(ref)
      } else if let ref = ref.as(Event.self) {
        self = .event(ref)
      } else if let ref = ref.as(Place.self) {
        self = .place(ref)
      } else {
        return nil
      }
    }

    var ref: AnyRef {
      switch self {
      case .person(let ref): AnyRef(ref)
      case .event(let ref): AnyRef(ref)
      case .place(let ref): AnyRef(ref)
      }
    }
  }

  private static func cache(_ store: MemoryStore) throws -> GraphCache {
    store.insert([Company(id: "Acme", motto: "Quality")])
    store.insert([Account(id: 1, owner: .second("Acme")), Account(id: 2, owner: .first(42))])
    return try GraphCache(
      for: Person.self, Event.self, Place.self, Company.self, Account.self, store: store)
  }

  @Test func `a switch over the owner of an account covers each type`() async throws {
    let cache = try Self.cache(DocumentationExamples.family())
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    for id in [1, 2] {
      let account = try await cache.resolve(Ref<Account>(id))
      switch account.owner {
      case .first(let person): print(try await cache.resolve(person).name)
      case .second(let company): print(try await cache.resolve(company).motto)
      case nil: print("nobody")
      }
    }
    #expect(printed == ["Quality", "Albert"])
  }

  @Test func `a graph and a query follow an owner of either type`() async throws {
    let cache = try Self.cache(DocumentationExamples.family())
    let (ref, acme) = (Ref<Account>(1), Ref<Company>("Acme"))
    let plan = Plan<Account>.following(\.owner, generations: 1)
    let graph = try await cache.graph(of: ref, plan)
    let owner = graph.root[\.owner, as: Company.self]
    let accounts = try await cache.find(acme.related(Inverse<Company, Account>(\.owner)))
    #expect(owner?.motto == "Quality" && accounts.map(\.id) == [1])
  }

  @Test func `an owner resolves only as its own type`() async throws {
    let cache = try Self.cache(DocumentationExamples.family())
    let owner = OneOf<Person, Company>.second("Acme")
    let company = try await cache.resolve(owner.as(Company.self))
    #expect(company?.motto == "Quality")
    #expect(try await cache.resolve(owner.as(Person.self)) == nil)
    #expect(Subject(owner.ref) == nil && Subject(AnyRef(Ref<Person>(1))) == .person(1))
  }
}
