import Kinship
import Testing

@testable import family_tree

struct SampleGenealogyTests {
  @Test func `the village is a genealogy with repetition`() throws {
    let genealogy = SampleGenealogy.make()
    #expect(genealogy.persons == SampleGenealogy.make().persons)
    let lineage = Lineage(genealogy.persons)
    let first = try #require(genealogy.persons.first)
    let figures = lineage.figures(of: first.ref)
    #expect(genealogy.persons.count == 160)
    #expect(genealogy.families.count == 70)
    #expect(lineage.circles == [])
    #expect(figures.generations == 7)
    #expect(figures.paths > UInt64(figures.ancestors))
    #expect(Set(genealogy.persons.map(\.id)).count == genealogy.persons.count)
    #expect(Set(genealogy.families.map(\.id)).count == genealogy.families.count)
    #expect(Set(genealogy.places.map(\.id)).count == genealogy.places.count)
    for family in genealogy.families {
      let parents = family.partners.compactMap { genealogy.person($0.id)?.familyOfBirth }
      #expect(Set(parents).count == parents.count, "siblings in \(family.id)")
    }
  }

  @Test func `parents have a plausible age`() {
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
