import Kinship
import KinshipTestSupport
import Testing

struct SchemaTests {
  private struct Homonym: Record {
    let id: Int
    static var recordName: String { "TestPlace" }
  }

  private struct Doubled: Record {
    let id: Int
    var place: Ref<TestPlace>?
    static let relationships: Relationships<Doubled> = [.toOne(\.place), .toOne(\.place)]
  }

  private struct Lost: Record {
    let id: Int
    var place: Ref<TestPlace>?
    static let relationships: Relationships<Lost> = [.toOne(\.place)]
  }

  private func error(_ types: [any Record.Type]) -> KinshipError? {
    do throws(KinshipError) {
      _ = try Schema(types: types)
      return nil
    } catch {
      return error
    }
  }

  @Test func aSchemaKnowsItsTypesInTheirOrder() throws {
    let schema = try Schema(TestPerson.self, TestEvent.self, TestPlace.self)
    #expect(schema.recordNames == ["TestPerson", "TestEvent", "TestPlace"])
    #expect(schema.types.map { "\($0)" } == ["TestPerson", "TestEvent", "TestPlace"])
    #expect(schema.contains(TestPlace.self))
    #expect(!schema.contains(Homonym.self))
    #expect(error([]) == nil)
  }

  @Test func twoTypesOfOneNameAreRefused() throws {
    let homonyms = try #require(error([TestPlace.self, Homonym.self]))
    guard case .duplicateType("TestPlace", let first, let second) = homonyms else {
      Issue.record("another error: \(homonyms)")
      return
    }
    #expect(first == "KinshipTestSupport.TestPlace")
    #expect(second.hasSuffix("Homonym"))
    #expect(
      homonyms.description
        == "The record types \(first) and \(second) have the same name, “TestPlace”.")
    let twice = try #require(error([TestPlace.self, TestPlace.self]))
    #expect(
      twice.description
        == "The record type KinshipTestSupport.TestPlace is listed twice in the schema.")
  }

  @Test func aRelationshipOutOfTheSchemaIsRefused() throws {
    let lost = try #require(error([Lost.self]))
    guard case .unknownTarget("Lost", "place", "TestPlace") = lost else {
      Issue.record("another error: \(lost)")
      return
    }
    #expect(lost.description == "Lost.place leads to TestPlace, which is not in the schema.")
    #expect(throws: KinshipError.self) { try GraphCache(for: Lost.self) }
  }

  @Test func aPropertyListedTwiceIsRefused() throws {
    let doubled = try #require(error([Doubled.self, TestPlace.self]))
    guard case .duplicateRelationship("Doubled", "place") = doubled else {
      Issue.record("another error: \(doubled)")
      return
    }
    #expect(
      doubled.description == "Doubled.place is listed twice among the relationships of Doubled.")
  }

  @Test func relationshipsSayWhatTheyAre() {
    let name = Relationship<TestPerson>.toOne(\.father)
    #expect(name.name == "father")
    #expect(name.arity == .toOne)
    #expect(ObjectIdentifier(name.target) == ObjectIdentifier(TestPerson.self))
    let events = Relationship<TestPerson>.toMany(\.events)
    #expect(events.name == "events")
    #expect(events.arity == .toMany)
    #expect(ObjectIdentifier(events.target) == ObjectIdentifier(TestEvent.self))
    #expect(Relationship<TestEvent>.toOne(\.person).name == "person")
  }
}
