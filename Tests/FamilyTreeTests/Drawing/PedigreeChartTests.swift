import Foundation
import Kinship
import Testing

@testable import family_tree

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct PedigreeChartTests {
  /// The boxes and texts of a chart, as a renderer meets them.
  private final class Reader: NSObject, XMLParserDelegate {
    struct Box { var left, top, right, bottom: Double }

    var boxes: [Box] = []
    var names: [(text: String, x: Double)] = []
    private var name: (text: String, x: Double)?

    init(_ svg: String) throws {
      super.init()
      let parser = XMLParser(data: Data(svg.utf8))
      parser.delegate = self
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      func number(_ key: String) -> Double { attributes[key].flatMap(Double.init) ?? .nan }
      if element == "rect", attributes["class"]?.hasPrefix("box") == true {
        let (x, y) = (number("x"), number("y"))
        boxes.append(
          Box(left: x, top: y, right: x + number("width"), bottom: y + number("height")))
      }
      if element == "text", attributes["class"] == "name" { name = ("", number("x")) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { name?.text += text }

    func parser(
      _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      if element == "text", let name { names.append(name) }
      if element == "text" { name = nil }
    }
  }

  private func chart(
    _ genealogy: Genealogy, _ person: Ref<Person>, generations: Int
  ) async throws -> Reader {
    let archive = try Archive(genealogy)
    let tree = try await archive.pedigree(of: person, generations: generations)
    return try Reader(PedigreeChart(tree).svg(title: "Ancestors"))
  }

  private func check(_ chart: Reader) {
    #expect(chart.names.count == chart.boxes.count)
    for (index, box) in chart.boxes.enumerated() {
      for other in chart.boxes[(index + 1)...] {
        let isApart =
          box.right < other.left || other.right < box.left || box.bottom < other.top
          || other.bottom < box.top
        #expect(isApart)
      }
      let name = chart.names[index]
      let measure = TextMeasure(size: 13, isBold: true)
      #expect(name.x > box.left)
      #expect(name.x + measure.width(name.text) < box.right)
    }
  }

  @Test(arguments: [0, 1, 4, 8])
  func boxesOfTheSampleNeverOverlap(generations: Int) async throws {
    let genealogy = SampleGenealogy.make()
    let chart = try await chart(genealogy, genealogy.persons[0].ref, generations: generations)
    #expect(chart.boxes.count > generations)
    check(chart)
  }

  @Test(.needsRoyalFile, arguments: ["@I609@", "@I115@", "@I879@"] as [Ref<Person>])
  func boxesOfTheRoyalFamiliesNeverOverlap(person: Ref<Person>) async throws {
    let genealogy = try GenealogyReader.read(RoyalFile.bytes()).genealogy
    check(try await chart(genealogy, person, generations: 12))
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
    check(chart)
  }
}
