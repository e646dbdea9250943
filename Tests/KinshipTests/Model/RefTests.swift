import Foundation
import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

struct RefTests {
  private struct Station: GraphRecord, Hashable, Codable {
    let id: String
    var next: Ref<Station>?
    var lines: [Ref<TestPlace>] = []
  }

  private struct Entry: GraphRecord, Hashable, Codable {
    let id: CompositeID
    var parent: Ref<Entry>?
  }

  @Test func `literals are refs`() {
    let number: Ref<TestPlace> = 7
    #expect(number.id == 7)
    let text: Ref<Station> = "Windsor"
    #expect(text == Ref("Windsor"))
    let letter: Ref<Station> = "W"
    #expect(letter.id == "W")
    let numbers: [Ref<TestPlace>] = [1, 2, 1]
    #expect(Set(numbers).count == 2)
  }

  @Test func `a ref is encoded as its bare id`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let station = Station(id: "Windsor", next: "Slough", lines: [1, 2])
    let json = try encoder.encode(station)
    #expect(
      String(decoding: json, as: UTF8.self) == #"{"id":"Windsor","lines":[1,2],"next":"Slough"}"#)
    #expect(try JSONDecoder().decode(Station.self, from: json) == station)
    let id = CompositeID(parish: "north", entry: 3)
    let entry = Entry(id: id, parent: Ref(id))
    let coded = try encoder.encode(entry)
    #expect(
      String(decoding: coded, as: UTF8.self)
        == #"{"id":{"entry":3,"parish":"north"},"parent":{"entry":3,"parish":"north"}}"#)
    #expect(try JSONDecoder().decode(Entry.self, from: coded) == entry)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Ref<TestPlace>].self, from: Data("[\"one\"]".utf8))
    }
  }

  @Test func `a ref's description names its type and id`() {
    #expect("\(Ref<TestPlace>(7))" == "TestPlace(7)")
    #expect("\(Ref<Entry>(CompositeID(parish: "north", entry: 3)))" == "Entry(north/3)")
    #expect(TestPlace(id: 7, name: "").ref == 7)
  }

  @Test func `erased refs are equal by type and id`() {
    let place = AnyRef(Ref<TestPlace>(1))
    #expect(place == AnyRef(Ref<TestPlace>(1)))
    #expect(place != AnyRef(Ref<TestPlace>(2)))
    // The same id of another type is another ref.
    #expect(place != AnyRef(Ref<TestEvent>(1)))
    #expect(Set([place, AnyRef(Ref<TestPlace>(1)), AnyRef(Ref<TestEvent>(1))]).count == 2)
    #expect(place.as(TestPlace.self) == 1)
    #expect(place.as(TestEvent.self) == nil)
    #expect(place.typeName == "TestPlace")
    #expect(ObjectIdentifier(place.type) == ObjectIdentifier(TestPlace.self))
    #expect(place.id as? Int == 1)
    #expect("\(place)" == "TestPlace(1)")
    let text = AnyRef(Ref<Station>("Windsor"))
    #expect(text.as(Station.self) == "Windsor")
    #expect("\(text)" == "Station(Windsor)")
  }

  @Test func `refs with ids of every kind survive type erasure`() {
    func verify<ID: TestID>(_ type: ID.Type) {
      let refs = (0..<50).map { Ref<TestNode<ID>>(.numbered($0)) }
      #expect(refs.map { AnyRef($0).as(TestNode<ID>.self) } == refs)
      #expect(Set(refs.map { AnyRef($0) }).count == 50)
    }
    verify(Int.self)
    verify(String.self)
    verify(UUID.self)
    verify(CompositeID.self)
    verify(CollidingID.self)
  }
}
