import Kinship
import KinshipProgram
import Testing

@testable import family_tree

struct TextTreeTests {
  private func line(of count: Int) async throws -> FamilyTree {
    let persons = (0..<count).map { index in
      var person = Person(id: "@I\(index)@", name: PersonName(full: "P\(index)"))
      person.sex = .female
      if index + 1 < count { person.mother = Ref("@I\(index + 1)@") }
      return person
    }
    return try await Archive(Genealogy(persons: persons))
      .pedigree(of: "@I0@", generations: count)
  }

  @Test func `each generation is indented`() async throws {
    let text = TextTree(width: 60).draw(try await line(of: 4))
    #expect(
      text == """
        P0 @I0@
        └─ mother P1 @I1@
           └─ mother P2 @I2@
              └─ mother P3 @I3@

        """)
  }

  @Test func `a deep line stays within the page`() async throws {
    let text = TextTree(width: 100).draw(try await line(of: 2_000))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(text.contains("P1999"))
  }

  @Test func `only terminals get colour`() async throws {
    let tree = try await line(of: 2)
    #expect(!TextTree().draw(tree).contains("\u{1B}"))
    #expect(TextTree(style: .ansi).draw(tree).contains("\u{1B}[1mP0\u{1B}[0m"))
  }

  @Test func `numbers are grouped and nouns take their plural`() {
    #expect(74_467.grouped == "74,467")
    #expect(100.grouped == "100")
    #expect((-1_234_567).grouped == "-1,234,567")
    #expect((-123).grouped == "-123")
    #expect(UInt64.max.grouped == "18,446,744,073,709,551,615")
    #expect(1.counted("event") == "1 event")
    #expect(0.counted("event") == "0 events")
  }
}
