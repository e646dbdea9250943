import KinshipTestSupport
import Testing

struct PedigreeTests {
  @Test(arguments: 0...6) func `a complete pedigree doubles every generation`(generations: Int) {
    var generator = SplitMix64(seed: 1)
    let pedigree = Pedigree.random(generations: generations, using: &generator)
    #expect(pedigree.people.count == 1 << (generations + 1) - 1)
    for generation in 0...generations {
      #expect(pedigree.people.count { $0.generation == generation } == 1 << generation)
    }
  }

  @Test func `parents and children agree`() throws {
    for seed in try Effort().seeds(100) {
      var generator = SplitMix64(seed: seed)
      let people = Pedigree.random(
        generations: 6, width: 20, collapse: 0.3, unknown: 0.1, using: &generator
      ).people
      for person in people {
        #expect(people[person.id] == person)
        for parent in [person.father, person.mother].compactMap(\.self) {
          #expect(people[parent].children.contains(person.id))
          #expect(people[parent].generation == person.generation + 1)
        }
        for child in person.children {
          let isParent = people[child].father == person.id || people[child].mother == person.id
          #expect(isParent)
        }
        #expect(person.father == nil || person.father != person.mother)
      }
      for generation in 0...6 {
        #expect(people.count { $0.generation == generation } <= 20, "seed \(seed)")
      }
    }
  }

  @Test func `pedigree collapse shares ancestors`() {
    var generator = SplitMix64(seed: 1)
    let pedigree = Pedigree.random(generations: 8, collapse: 0.5, using: &generator)
    #expect(pedigree.people.contains { $0.children.count > 1 })
    #expect(pedigree.people.count < 200)
    let full = Pedigree.random(generations: 4, collapse: 1, using: &generator)
    #expect(full.people.count == 9)
  }

  @Test func `unknown parents end their lines`() {
    var generator = SplitMix64(seed: 1)
    let pedigree = Pedigree.random(generations: 8, unknown: 0.3, using: &generator)
    #expect(pedigree.people.contains { $0.father == nil && $0.mother != nil })
    #expect(Pedigree.random(generations: 8, unknown: 1, using: &generator).people.count == 1)
  }
}
