import Kinship
import KinshipTestSupport
import Testing

struct SchemaTests {
  private struct Homonym: GraphRecord {
    let id: Int
    static var recordName: String { "TestPlace" }
  }

  private struct Doubled: GraphRecord {
    let id: Int
    var place: Ref<TestPlace>?
    static let relationships: Relationships<Doubled> = [.toOne(\.place), .toOne(\.place)]
  }

  private struct Lost: GraphRecord {
    let id: Int
    var place: Ref<TestPlace>?
    static let relationships: Relationships<Lost> = [.toOne(\.place)]
  }

  private func error(_ types: [any GraphRecord.Type]) -> KinshipError? {
    do throws(KinshipError) {
      _ = try GraphSchema(types: types)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a schema keeps its types in order`() throws {
    let schema = try GraphSchema(TestPerson.self, TestEvent.self, TestPlace.self)
    #expect(schema.types.map { $0.recordName } == ["TestPerson", "TestEvent", "TestPlace"])
    #expect(schema.types.map { "\($0)" } == ["TestPerson", "TestEvent", "TestPlace"])
    #expect(schema.contains(TestPlace.self))
    #expect(!schema.contains(Homonym.self))
    #expect(error([]) == nil)
  }

  @Test func `two types with one name are rejected`() throws {
    let homonyms = try #require(error([TestPlace.self, Homonym.self]))
    guard case .invalidSchema(.duplicateType("TestPlace", let first, let second)) = homonyms else {
      Issue.record("another error: \(homonyms)")
      return
    }
    #expect(first == "KinshipTesting.TestPlace")
    #expect(second.hasSuffix("Homonym"))
    #expect(error([TestPlace.self, TestPlace.self]) != nil)
  }

  @Test func `a relationship to a type outside the schema is rejected`() throws {
    let lost = try #require(error([Lost.self]))
    guard case .invalidSchema(.unknownTarget("Lost", "place", "TestPlace")) = lost else {
      Issue.record("another error: \(lost)")
      return
    }
    #expect(throws: KinshipError.self) { try GraphCache(for: Lost.self) }
  }

  @Test func `a property declared twice is rejected`() throws {
    let doubled = try #require(error([Doubled.self, TestPlace.self]))
    guard case .invalidSchema(.duplicateRelationship("Doubled", "place")) = doubled else {
      Issue.record("another error: \(doubled)")
      return
    }
  }

  /// A list that is not `Relationships` declares nothing.
  private struct Misdeclared: GraphRecord {
    let id: Int
    var place: Ref<TestPlace>?
    static let relationships: [RelationshipDeclaration<Misdeclared>] = [.toOne(\.place)]
  }

  private struct Label: Hashable {
    var text = ""
    var places: [Ref<TestPlace>?] = []
  }

  /// Refs in properties of every kind, none of them a relationship.
  private struct Holder<Value: Sendable>: GraphRecord {
    let id: Int
    private var number = 0
    private var held: Value?
    static var recordName: String { "Holder" }
  }

  private struct Nested: GraphRecord {
    struct Origin: Hashable {
      var note = ""
      var place: Ref<TestPlace>?
      var region: Ref<TestPlace>?
    }
    let id: Int
    var origin = Origin()
    static let relationships: Relationships<Nested> = [.toOne(\.origin.place)]
  }

  private struct Permitted: GraphRecord {
    let id: Int
    var place: Ref<TestPlace>?
    var origin = Nested.Origin()
    var seen: Set<Ref<TestPlace>> = []
    var watched: Ref<TestPlace>? { didSet {} }
    private var stored: [Ref<TestPlace>] = []
    var computed: [Ref<TestPlace>] {
      get { stored }
      set { stored = newValue }
    }
    var kin: [Permitted] = []
    var name: String?
    static let relationships: Relationships<Permitted> = [
      .toOne(\.place), .toOne(\.watched), .toMany(\.computed), .ignored(\.origin), .ignored(\.seen),
      .ignored(\.kin),
    ]
  }

  #if !canImport(Darwin)
    @Test func `a property that holds refs must be declared`() throws {
      for (type, property) in [
        (Misdeclared.self, "place"), (Holder<Ref<TestPlace>>.self, "held"),
        (Holder<[Ref<TestPlace>]>.self, "held"), (Holder<Set<Ref<TestPlace>>>.self, "held"),
        (Holder<[String: [Ref<TestPlace>]]>.self, "held"),
        (Holder<[Ref<TestPlace>: Int]>.self, "held"),
        (Holder<Label>.self, "held"), (Holder<[Label]>.self, "held"),
        (Holder<(Int, Ref<TestPlace>)>.self, "held"), (Nested.self, "origin.region"),
      ] as [(any GraphRecord.Type, String)] {
        let undeclared = try #require(error([type, TestPlace.self]), "\(type)")
        guard case .invalidSchema(.undeclaredRelationship(type.recordName, property)) = undeclared
        else {
          Issue.record("another error: \(undeclared)")
          continue
        }
      }
      let described = try #require(error([Misdeclared.self, TestPlace.self])).description
      #expect(
        described == """
          Misdeclared.place holds refs and is not declared. Add .toOne, .toMany or \
          .ignored(\\.place) to `static let relationships: Relationships<Misdeclared>`.
          """)
    }
  #endif

  @Test func `declared properties and properties without refs are accepted`() {
    #expect(error([Permitted.self, TestPlace.self]) == nil)
    #expect(error([Holder<[Int]>.self]) == nil)
    #expect(error([Holder<[String: Double?]>.self]) == nil)
  }

  @Test func `a relationship knows its name, arity and target`() {
    let name = RecordRelationship<TestPerson>(\.father)
    #expect(name.name == "father")
    #expect(name.arity == .toOne)
    #expect(ObjectIdentifier(name.target) == ObjectIdentifier(TestPerson.self))
    let events = RecordRelationship<TestPerson>(\.events)
    #expect(events.name == "events")
    #expect(events.arity == .toMany)
    #expect(ObjectIdentifier(events.target) == ObjectIdentifier(TestEvent.self))
    #expect(RecordRelationship<TestEvent>(\.person).name == "person")
  }
}
