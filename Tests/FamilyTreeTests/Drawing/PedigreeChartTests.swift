import Kinship
import KinshipProgram
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import family_tree

@Suite(.dedicatedThreads)
struct PedigreeChartTests {
  private func chart(
    _ genealogy: Genealogy, _ person: Ref<Person>, generations: Int
  ) async throws -> DrawnChart {
    let archive = try Archive(genealogy)
    let tree = try await archive.pedigree(of: person, generations: generations)
    return try DrawnChart(PedigreeChart(tree).svg(title: "Ancestors"))
  }

  private func check(_ chart: DrawnChart) throws {
    try chart.verifyBoxes { TextMeasure(size: 13, isBold: true).width($0) }
  }

  @Test(arguments: [0, 1, 4, 8])
  func boxesOfTheSampleNeverOverlap(generations: Int) async throws {
    let genealogy = SampleGenealogy.make()
    let chart = try await chart(genealogy, genealogy.persons[0].ref, generations: generations)
    #expect(chart.boxes.count > generations)
    try check(chart)
  }

  @Test(.needsRoyalFile, arguments: ["@I609@", "@I115@", "@I879@"] as [Ref<Person>])
  func boxesOfTheRoyalFamiliesNeverOverlap(person: Ref<Person>) async throws {
    let genealogy = try GenealogyReader.read(RoyalFile.bytes()).genealogy
    try check(await chart(genealogy, person, generations: 12))
  }

  @Test func namesThatAreMarkupOrEndlessStayInTheirBoxes() async throws {
    let names = [
      "<b>&amp;\"' \u{301}<\u{301}/b>]]>", String(repeating: "Wilhelmina ", count: 200), "", "漢字 👑",
    ]
    let persons = names.enumerated().map { index, name in
      var person = Person(id: "@I\(index)@", name: PersonName(full: name))
      if index + 1 < names.count { person.father = Ref("@I\(index + 1)@") }
      return person
    }
    let chart = try await chart(Genealogy(persons: persons), "@I0@", generations: 9)
    #expect(chart.names.map(\.text)[0] == names[0])
    #expect(chart.names.map(\.text)[1].hasSuffix("…"))
    #expect(chart.names.map(\.text)[2...] == ["(no name)", "漢字 👑"])
    try check(chart)
  }
}
