import Kinship
import Testing

@testable import family_tree

struct SampleGenealogyTests {
  @Test func theSameSeedGivesTheSamePeople() {
    #expect(SampleGenealogy.make(seed: 7).persons == SampleGenealogy.make(seed: 7).persons)
    #expect(SampleGenealogy.make(seed: 7).persons != SampleGenealogy.make(seed: 8).persons)
  }

  @Test(arguments: 1...20)
  func itIsAGenealogyWithRepetition(seed: UInt64) throws {
    let genealogy = SampleGenealogy.make(seed: seed)
    let lineage = Lineage(genealogy.persons)
    let first = try #require(genealogy.persons.first)
    let figures = lineage.figures(of: first.ref)
    #expect((200...1_000).contains(genealogy.persons.count))
    #expect(lineage.circles == [])
    #expect(figures.paths > UInt64(figures.ancestors))
    #expect(Set(genealogy.persons.map(\.id)).count == genealogy.persons.count)
    #expect(Set(genealogy.places.map(\.id)).count == genealogy.places.count)
  }

  @Test func nobodyHasChildrenBeforeTheirTime() {
    let genealogy = SampleGenealogy.make()
    func year(_ ref: Ref<Person>, _ kind: Event.Kind) -> Int? {
      let events = genealogy.person(ref.id)?.events ?? []
      return events.map { genealogy.events[$0.id] }.first { $0.kind == kind }?.date?.year
    }
    for person in genealogy.persons {
      for parent in person.parents {
        let age = (year(person.ref, .birth) ?? 0) - (year(parent, .birth) ?? 0)
        #expect((20...60).contains(age), "\(parent) and \(person.ref)")
      }
    }
  }
}
