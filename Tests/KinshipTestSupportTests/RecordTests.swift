import Foundation
import Kinship
import KinshipTestSupport
import Testing

struct RecordTests {
  private func expectDistinct<ID: TestID>(_ type: ID.Type) {
    #expect(Set((0..<1_000).map { ID.numbered($0) }).count == 1_000)
  }

  @Test func `ids of every type are distinct`() {
    expectDistinct(Int.self)
    expectDistinct(String.self)
    expectDistinct(UUID.self)
    expectDistinct(CompositeID.self)
  }

  @Test func `graphs become records`() {
    let graph = DirectedGraph(successors: [[1, 1], [0, 9], []])
    let records = graph.records(CompositeID.self)
    #expect(records.map(\.id.description) == ["north/0", "south/0", "north/1"])
    #expect(records[1].links.map(\.id) == [records[0].id, .numbered(9)])
    #expect(records[0].links == [records[1].ref, records[1].ref])
  }

  @Test func `a family refers only to its own records`() throws {
    for seed in try Effort().seeds(50) {
      var generator = SplitMix64(seed: seed)
      let pedigree = Pedigree.random(generations: 5, collapse: 0.2, using: &generator)
      let family = TestFamily(pedigree, using: &generator)
      let people = Set(family.people.map(\.ref))
      let events = Set(family.events.map(\.ref))
      let places = Set(family.places.map(\.ref))
      #expect(family.people.count == pedigree.people.count)
      for person in family.people {
        let relatives = [person.father, person.mother].compactMap(\.self) + person.children
        #expect(people.isSuperset(of: relatives))
        #expect(events.isSuperset(of: person.events))
        for event in person.events { #expect(family.events[event.id].person == person.ref) }
      }
      #expect(places.isSuperset(of: family.events.compactMap(\.place)))
      #expect(family.places.allSatisfy { place in place.region.map { $0.id < place.id } ?? true })
      #expect(family.people.reduce(0) { $0 + $1.events.count } == family.events.count)
    }
  }

  @Test func `a store holds the family`() {
    var generator = SplitMix64(seed: 1)
    let pedigree = Pedigree.random(generations: 3, using: &generator)
    let family = TestFamily(pedigree, using: &generator)
    let store = family.store()
    #expect(store.count(of: TestPerson.self) == 15)
    #expect(store[Ref<TestPerson>(0)] == family.people[0])
    #expect(store.count(of: TestPlace.self) == 10)
  }
}
