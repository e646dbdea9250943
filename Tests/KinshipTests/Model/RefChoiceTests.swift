import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import Testing

/// Refs to records of one of several types, in a schema, a coder and a cache.
struct RefChoiceTests {
  struct Person: GraphRecord, Codable, Equatable {
    let id: Int
    var name = ""
  }

  struct Company: GraphRecord, Codable, Equatable {
    let id: String
    var director: Ref<Person>?

    static let relationships: Relationships<Company> = [.toOne(\.director)]
    static let accounts = Inverse<Company, Account>(\.owner, \.signatories)
  }

  struct Account: GraphRecord, Codable, Equatable {
    let id: Int
    var owner: OneOf<Person, Company>?
    var signatories: [OneOf<Person, Company>] = []

    static let relationships: Relationships<Account> = [
      .toOneOf(\.owner), .toManyOf(\.signatories),
    ]
  }

  private static let ann = Ref<Person>(1)
  private static let acme = Ref<Company>("Acme")

  private static func cache(_ accounts: Account...) throws -> (GraphCache, MemoryStore) {
    let store = MemoryStore()
    store.insert([Person(id: 1, name: "Ann"), Person(id: 2, name: "Ben")])
    store.insert([Company(id: "Acme", director: 2)])
    store.insert(accounts)
    return (
      try GraphCache(for: Person.self, Company.self, Account.self, store: store), store
    )
  }

  // MARK: The value

  @Test func `a choice holds one ref`() {
    let person = OneOf<Person, Company>(Self.ann)
    let company = OneOf<Person, Company>(Self.acme)
    #expect(person == .first(1) && company == .second("Acme") && person != company)
    #expect(person.as(Person.self) == 1 && person.as(Company.self) == nil)
    #expect(company.ref == AnyRef(Self.acme))
    #expect(OneOf(AnyRef(Self.acme)) == company)
    #expect(OneOf<Person, Company>(AnyRef(Ref<Account>(1))) == nil)
    #expect("\(company)" == "Company(Acme)")
  }

  @Test func `a choice is encoded by type and id`() throws {
    let account = Account(id: 1, owner: .second("Acme"), signatories: [.first(1), .second("")])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(account), as: UTF8.self)
    #expect(
      text == """
        {"id":1,"owner":{"id":"Acme","type":"Company"},\
        "signatories":[{"id":1,"type":"Person"},{"id":"","type":"Company"}]}
        """)
    #expect(try JSONDecoder().decode(Account.self, from: Data(text.utf8)) == account)
  }

  @Test(arguments: [
    #"{"id":1,"type":"Account"}"#, #"{"id":1,"type":"person"}"#, #"{"id":1,"type":""}"#,
  ])
  func `decoding an unknown type names it`(text: String) throws {
    #expect {
      try JSONDecoder().decode(OneOf<Person, Company>.self, from: Data(text.utf8))
    } throws: { error in
      if case KinshipError.invalidSchema(.unknownType(let name)) = error {
        text.contains("\"\(name)\"")
      } else {
        false
      }
    }
  }

  @Test(arguments: [
    #"{"id":"Acme","type":"Person"}"#, #"{"type":"Person"}"#, #"{"id":1}"#, "1", "null",
    #"{"id":null,"type":"Company"}"#, #"{"id":1,"type":1}"#,
  ])
  func `decoding rejects text that is not a choice`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(OneOf<Person, Company>.self, from: Data(text.utf8))
    }
  }

  /// In a file that names another type.
  @Test func `an unknown type in a file is an error of its record`() async throws {
    struct Dog: GraphRecord, Codable { let id: Int }
    struct FormerAccount: GraphRecord, Codable {
      static let recordName = "Account"
      let id: Int
      var owner: OneOf<Person, Dog>?
      var signatories: [OneOf<Person, Dog>] = []
      static let relationships: Relationships<FormerAccount> = [
        .toOneOf(\.owner), .toManyOf(\.signatories),
      ]
    }
    let directory = try TemporaryDirectory()
    let former = try await FileStore(
      at: directory.url, schema: GraphSchema(Person.self, Dog.self, FormerAccount.self))
    let cache = try GraphCache(
      for: Person.self, Dog.self, FormerAccount.self, store: former)
    try await cache.write { tx in
      try tx.insert(FormerAccount(id: 1, owner: .first(1)))
      try tx.insert(FormerAccount(id: 2, owner: .second(1)))
    }
    try await former.close()
    let store = try await FileStore(
      at: directory.url,
      schema: GraphSchema(Person.self, Company.self, Account.self))
    #expect(try await store.fetch(Account.self, ids: [1]) == [Account(id: 1, owner: .first(1))])
    await #expect {
      _ = try await store.fetch(Account.self, ids: [2])
    } throws: { error in
      guard case KinshipError.untranslatable("Account", let id, _, let cause) = error,
        case KinshipError.invalidSchema(.unknownType("Dog")) = cause
      else { return false }
      return id as? Int == 2
    }
    try await store.close()
  }

  // MARK: The schema

  @Test func `a choice of a type outside the schema is an error`() {
    #expect {
      try GraphSchema(Person.self, Account.self)
    } throws: { error in
      if case KinshipError.invalidSchema(.unknownTarget("Account", "owner", "Company")) = error {
        true
      } else {
        false
      }
    }
  }

  @Test func `a property may be declared only once`() {
    struct Twice: GraphRecord {
      let id: Int
      var owner: OneOf<Person, Company>?
      static let relationships: Relationships<Twice> = [.toOneOf(\.owner), .toOneOf(\.owner)]
    }
    struct Alike: GraphRecord {
      let id: Int
      var owner: OneOf<Person, Person>?
      static let relationships: Relationships<Alike> = [.toOneOf(\.owner)]
    }
    for type in [Twice.self, Alike.self] as [any GraphRecord.Type] {
      #expect {
        try GraphSchema(types: [Person.self, Company.self, type])
      } throws: { error in
        if case KinshipError.invalidSchema(.duplicateRelationship(_, "owner")) = error {
          true
        } else {
          false
        }
      }
    }
  }

  @Test func `a property that holds choices must be declared`() throws {
    struct Silent: GraphRecord {
      let id: Int
      var owners: [OneOf<Person, Company>]
    }
    struct Open: GraphRecord {
      let id: Int
      var owner: OneOf<Person, Company>?
      static let relationships: Relationships<Open> = [.ignored(\.owner)]
    }
    #if !canImport(Darwin)
      #expect {
        try GraphSchema(Person.self, Company.self, Silent.self)
      } throws: { error in
        if case KinshipError.invalidSchema(.undeclaredRelationship("Silent", "owners")) = error {
          true
        } else {
          false
        }
      }
    #endif
    _ = try GraphSchema(Person.self, Company.self, Open.self)
  }

  /// Two computed properties of one type are two stored ones, not one counted twice.
  @Test func `a computed choice stands for one stored property`() throws {
    struct Watched: GraphRecord {
      let id: Int
      var owner: OneOf<Person, Company>? { didSet {} }
      var other: OneOf<Person, Company>?
      static let relationships: Relationships<Watched> = [.toOneOf(\.owner)]
    }
    #if !canImport(Darwin)
      #expect {
        try GraphSchema(Person.self, Company.self, Watched.self)
      } throws: { error in
        if case KinshipError.invalidSchema(.undeclaredRelationship) = error { true } else { false }
      }
    #endif
  }

  @Test func `a required choice denies the deletion of its target`() async throws {
    struct Bill: GraphRecord {
      let id: Int
      var payer: OneOf<Person, Company>
      static let relationships: Relationships<Bill> = [.toOneOf(\.payer)]
    }
    struct Nullified: GraphRecord {
      let id: Int
      var payer: OneOf<Person, Company>
      static let relationships: Relationships<Nullified> = [
        .toOneOf(\.payer, onTargetDelete: .nullify)
      ]
    }
    #expect {
      try GraphSchema(Person.self, Company.self, Nullified.self)
    } throws: { error in
      if case KinshipError.invalidSchema(.cannotNullify("Nullified", "payer")) = error {
        true
      } else {
        false
      }
    }
    let cache = try GraphCache(for: Person.self, Company.self, Bill.self)
    try await cache.put(contentsOf: [Bill(id: 1, payer: .second("Acme"))])
    try await cache.put(contentsOf: [Company(id: "Acme")])
    await #expect {
      try await cache.write { tx in try tx.delete(Self.acme) }
    } throws: { error in
      if case KinshipError.deletionDenied(AnyRef(Self.acme), let by) = error {
        by == [AnyRef(Ref<Bill>(1))]
      } else {
        false
      }
    }
    let graph = try await cache.graph(of: Ref<Bill>(1), .generations(1))
    #expect(graph.root[\.payer, as: Company.self]?.ref == Self.acme)
    #expect(graph.root.lookup(\.payer, as: Person.self) == nil)
  }

  // MARK: The cache

  @Test func `a plan follows a choice to every type`() async throws {
    let (cache, _) = try Self.cache(
      Account(id: 1, owner: .second("Acme"), signatories: [.first(1), .second("Gone")]),
      Account(id: 2, owner: .first(1)))
    let plan = Plan<Account>.following(\.owner, \.signatories, generations: 1)
      .following(\Company.director)
    let graph = try await cache.graph(of: Ref<Account>(1), plan)
    #expect(graph.count == 4)
    #expect(graph.root[\.owner, as: Company.self]?.director?.name == "Ben")
    #expect(graph.root[\.owner, as: Person.self] == nil)
    #expect(graph.root[\.signatories, as: Person.self].map(\.name) == ["Ann"])
    #expect(graph.root[\.signatories, as: Company.self].isEmpty)
    #expect(
      graph.root.lookup(\.signatories, as: Company.self).map { "\($0)" }
        == ["\(Lookup<Company>.missing("Gone"))"])
    let other = try await cache.graph(of: Ref<Account>(2), plan)
    #expect(other.root[\.owner, as: Person.self]?.name == "Ann")
  }

  @Test func `a choice has an inverse on each type`() async throws {
    let (cache, _) = try Self.cache(
      Account(id: 1, owner: .second("Acme")), Account(id: 2, owner: .first(1)),
      Account(id: 3, signatories: [.first(1), .second("Acme")]))
    let accounts = try await cache.find(Self.acme.related(Company.accounts))
    #expect(accounts.map(\.id).sorted() == [1, 3])
    let plan = Plan<Company>.following(Company.accounts, generations: 2)
    let graph = try await cache.graph(of: Self.acme, plan)
    #expect(graph.root[Company.accounts].map(\.id).sorted() == [1, 3])
  }

  @Test func `observers see a deletion remove a choice`() async throws {
    let (cache, store) = try Self.cache(
      Account(id: 1, owner: .second("Acme"), signatories: [.second("Acme"), .first(1)]))
    let plan = Plan<Account>.following(\.owner, generations: 1)
    var changes = cache.observe(Ref<Account>(1).graph(plan)).makeAsyncIterator()
    while let change = try await changes.next(), change.isLoading {}
    try await cache.write { tx in try tx.delete(Self.acme) }
    let change = try #require(try await changes.next())
    #expect(change.value?.root.record == Account(id: 1, signatories: [.first(1)]))
    #expect(change.diff.removed.count == 1)
    #expect(store[Ref<Account>(1)] == Account(id: 1, signatories: [.first(1)]))
  }

  @Test func `a choice may be an enum of three types`() async throws {
    let cache = try GraphCache(for: Person.self, Company.self, Account.self, Note.self)
    try await cache.put(contentsOf: [Account(id: 7)])
    try await cache.put(contentsOf: [Note(id: 1, subject: .account(7)), Note(id: 2)])
    let graph = try await cache.graph(of: Ref<Note>(1), .generations(1))
    #expect(graph.root[\.subject, as: Account.self]?.id == 7)
    try await cache.write { tx in try tx.delete(Ref<Account>(7)) }
    #expect(cache.peek(Ref<Note>(1)) == Note(id: 1))
    let data = try JSONEncoder().encode(Subject.company("Acme"))
    #expect(try JSONDecoder().decode(Subject.self, from: data) == .company("Acme"))
  }

  enum Subject: RefChoice, Codable {
    case person(Ref<Person>)
    case company(Ref<Company>)
    case account(Ref<Account>)

    static let recordTypes: [any GraphRecord.Type] = [
      Person.self, Company.self, Account.self,
    ]

    init?(_ ref: AnyRef) {
      if let ref = ref.as(Person.self) {
        self = .person(ref)
      } else if let ref = ref.as(Company.self) {
        self = .company(ref)
      } else if let ref = ref.as(Account.self) {
        self = .account(ref)
      } else {
        return nil
      }
    }

    var ref: AnyRef {
      switch self {
      case .person(let ref): AnyRef(ref)
      case .company(let ref): AnyRef(ref)
      case .account(let ref): AnyRef(ref)
      }
    }
  }

  struct Note: GraphRecord, Codable, Equatable {
    let id: Int
    var subject: Subject?

    static let relationships: Relationships<Note> = [.toOneOf(\.subject)]
  }
}
