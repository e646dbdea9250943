import Kinship
import KinshipTesting
import KinshipTestTraits
import Testing

@testable import family_tree

@Suite(.dedicatedThreads)
struct LineageTests {
  private func person(_ id: String, _ father: String? = nil, _ mother: String? = nil) -> Person {
    var person = Person(id: id, name: PersonName(full: id))
    person.father = father.map { Ref($0) }
    person.mother = mother.map { Ref($0) }
    return person
  }

  private func ancestorCounts(_ lineage: Lineage) -> [Int] {
    lineage.persons.map { lineage.ancestors(of: $0).count }
  }

  @Test func `parents who are cousins share ancestors`() {
    // a's parents b and c are siblings' children; d and e are the shared couple.
    let lineage = Lineage([
      person("a", "b", "c"), person("b", "f"), person("c", nil, "g"), person("f", "d", "e"),
      person("g", "d", "e"), person("d"), person("e"),
    ])
    #expect(lineage.circles == [])
    #expect(lineage.ancestors(of: "a").map(\.id) == ["b", "c", "f", "g", "d", "e"])
    #expect(lineage.ancestors(of: "a", within: 2).map(\.id) == ["b", "c", "f", "g"])
    #expect(lineage.ancestors(of: "a", within: 0) == [])
    #expect(ancestorCounts(lineage) == [6, 3, 3, 2, 2, 0, 0])
    #expect(lineage.pathCounts() == [8, 3, 3, 2, 2, 0, 0])
    #expect(lineage.depths() == [3, 2, 2, 1, 1, 0, 0])
  }

  @Test func `circles are reported and left out`() {
    let lineage = Lineage([
      person("child", "x", "m"), person("x", "y"), person("y", "x", "top"), person("top"),
      person("m"), person("self", "self", "m"),
    ])
    #expect(lineage.circles == [["x", "y"], ["self"]])
    #expect(ancestorCounts(lineage) == [2, 0, 1, 0, 0, 1])
    #expect(lineage.pathCounts() == [2, 0, 1, 0, 0, 1])
  }

  @Test func `unknown persons have no ancestors`() {
    let lineage = Lineage([person("a", "missing")])
    #expect(ancestorCounts(lineage) == [0])
    #expect(lineage.ancestors(of: "nobody") == [])
    #expect(Lineage([]).pathCounts() == [])
    #expect(Lineage([]).personWithMostAncestors() == nil)
  }

  @Test func `counts of paths saturate`() {
    // Both parents of a generation are the same two persons: paths double with each.
    let generations = 100
    let couples = (0..<generations).flatMap { generation in
      ["m", "f"].map { person("\($0)\(generation)", "m\(generation + 1)", "f\(generation + 1)") }
    }
    let lineage = Lineage(couples)
    #expect(lineage.pathCounts()[0] == .max)
    #expect(lineage.ancestors(of: "m0").count == 2 * (generations - 1))
  }

  @Test func `a line may be as deep as a file is long`() {
    let depth = 50_000
    let line = (0..<depth).map { person("\($0)", "\($0 + 1)") }
    let lineage = Lineage(line)
    #expect(lineage.depths()[0] == depth - 1)
    #expect(lineage.ancestors(of: "0").count == depth - 1)
  }

  @Test(arguments: 0..<200)
  func `counts equal those of counting one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let persons = (0..<12).map { index in
      // A parent of a higher index: no circles, much collapse.
      let parent: () -> String? = {
        Bool.random(using: &random) ? "\(Int.random(in: (index + 1)...13, using: &random))" : nil
      }
      return person("\(index)", parent(), parent())
    }
    func paths(_ id: String) -> [[String]] {
      guard let person = persons.first(where: { $0.id == id }) else { return [] }
      return person.parents.map(\.id).filter { parent in persons.contains { $0.id == parent } }
        .flatMap { parent in [[parent]] + paths(parent).map { [parent] + $0 } }
    }

    let lineage = Lineage(persons)
    let all = persons.map { paths($0.id) }
    #expect(lineage.pathCounts() == all.map { UInt64($0.count) })
    #expect(lineage.depths() == all.map { $0.map(\.count).max() ?? 0 })
    let counts = all.map { Set($0.compactMap(\.last)).count }
    #expect(ancestorCounts(lineage) == counts)
    let most = try #require(counts.firstIndex { $0 == counts.max() })
    #expect(lineage.personWithMostAncestors() == persons[most].ref)
    for (person, paths) in zip(persons, all) {
      let near = Set(paths.filter { $0.count <= 2 }.compactMap(\.last))
      #expect(Set(lineage.ancestors(of: person.ref, within: 2).map(\.id)) == near)
    }
  }

  @Test(.needsRoyalFile) func `the royal families have known ancestors and depths`() throws {
    let genealogy = try GenealogyReader.read(RoyalFile.bytes()).genealogy
    let lineage = Lineage(genealogy.persons)
    let depths = lineage.depths()
    #expect(lineage.circles == [])
    #expect(lineage.ancestors(of: "@I609@").count == 490)
    #expect(lineage.ancestors(of: "@I609@", within: 10).count == 144)
    #expect(lineage.pathCounts()[try #require(lineage.persons.firstIndex(of: "@I609@"))] == 74_467)
    #expect(lineage.personWithMostAncestors() == "@I115@")
    #expect(lineage.ancestors(of: "@I115@").count == 598)
    #expect(depths.max() == 79)
    #expect(lineage.persons[try #require(depths.firstIndex(of: 79))] == "@I879@")
  }
}
