import KinshipTestSupport
import Testing

@testable import family_tree

struct GedcomDocumentTests {
  private var diagnostics = Diagnostics()

  private mutating func document(_ text: String) throws -> GedcomDocument {
    try GedcomDocument(Array(text.utf8), diagnostics: &diagnostics)
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\n\r"])
  mutating func `a document may have any line ending`(end: String) throws {
    let lines = ["0 HEAD", "0 @I1@ INDI", "1 NAME A", "1 BIRT", "2 DATE 1900", "0 TRLR"]
    let document = try document(lines.joined(separator: end))
    #expect(document.records.map(\.tag) == ["HEAD", "INDI", "TRLR"])
    let person = try #require(document.records.first { $0.xref == "@I1@" })
    #expect(person.children.map(\.tag) == ["NAME", "BIRT"])
    #expect(person["BIRT"]?["DATE"]?.text == "1900")
    #expect(person["BIRT"]?["DATE"]?.lineNumber == 5)
    #expect(diagnostics.isEmpty)
  }

  @Test mutating func `continuations extend their line`() throws {
    let document = try document(
      """
      0 HEAD
      0 @N1@ NOTE A long
      1 CONC er note a@
      1 CONC @b
      1 CONT on two lines
      0 TRLR
      """)
    let note = try #require(document.records.first { $0.xref == "@N1@" })
    #expect(note.text == "A longer note a@b on two lines")
    #expect(note.children.map(\.tag) == [])
    #expect(diagnostics.isEmpty)
  }

  @Test mutating func `a doubled at sign begins a version 7 text with one`() throws {
    let document = try document(
      "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @N1@ SNOTE @@home\n1 CONT @@work@@\n1 CONT a@@b\n0 TRLR")
    #expect(document.records.first { $0.xref == "@N1@" }?.text == "@home @work@@ a@@b")
    #expect(diagnostics.isEmpty)
  }

  @Test mutating func `blank lines are ignored`() throws {
    let document = try document("\n0 HEAD\n\n  \t\n0 TRLR\n\n")
    #expect(document.records.map(\.tag) == ["HEAD", "TRLR"])
    #expect(diagnostics.isEmpty)
  }

  @Test mutating func `a line that jumps levels belongs to the line before`() throws {
    let document = try document("0 HEAD\n0 @I1@ INDI\n3 NAME A\n3 SEX F\n1 BIRT\n0 TRLR")
    let person = try #require(document.records.first { $0.xref == "@I1@" })
    #expect(person.children.map(\.tag) == ["NAME", "SEX", "BIRT"])
    #expect(diagnostics.inFileOrder.map(\.line) == [3, 4])
  }

  @Test mutating func `damaged lines are left out with a warning`() throws {
    let document = try document(
      "1 NAME lost\n0 HEAD\nrubbish\n0 @I1@ INDI\n1 !\n1 NAME A\n100 DEEP\n0 TRLR")
    #expect(document.records.map(\.tag) == ["HEAD", "INDI", "TRLR"])
    #expect(diagnostics.inFileOrder.map(\.line) == [1, 3, 5, 7])
  }

  @Test mutating func `a file without a header or a trailer is read`() throws {
    let document = try document("0 @I1@ INDI\n1 NAME A")
    #expect(document.records.map(\.tag) == ["INDI"])
    #expect(diagnostics.inFileOrder.map(\.line) == [nil, 1])
  }

  @Test mutating func `a void pointer in version 7 points nowhere`() throws {
    let document = try document(
      "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @F1@ FAM\n1 HUSB @VOID@\n1 WIFE @I2@\n0 TRLR")
    let family = try #require(document.records.first { $0.xref == "@F1@" })
    #expect(family["HUSB"]?.pointer == nil)
    #expect(family["HUSB"]?.pointsNowhere == true)
    #expect(family["WIFE"]?.pointer == "@I2@")
  }

  @Test mutating func `a file that is not GEDCOM is an error`() {
    #expect(throws: GedcomError.empty) { try document("") }
    for text in ["\n\n", "\u{0}\u{0}\u{0}", "hello\nworld", "0 things\n1 more", "<html>"] {
      #expect(throws: GedcomError.noRecords, "\(text.debugDescription)") { try document(text) }
    }
  }

  @Test mutating func `lines may nest to the deepest level`() throws {
    let text = (0...99).map { "\($0) \($0 == 0 ? "HEAD" : "DEEP")\n" }.joined()
    let document = try document(text)
    var structure = try #require(document.records.first { _ in true })
    for _ in 1...99 { structure = try #require(structure["DEEP"]) }
    #expect(structure.children.map(\.tag) == [])
  }

  @Test(arguments: ["1 CONC x\n", "99 X\n", "rubbish\n", "x", "0 @I1@ INDI\n"])
  mutating func `hostile input takes time in proportion to its length`(repeated: String) throws {
    let growth = try ProcessorTime.growth(from: 40_000 / repeated.utf8.count) { count in
      diagnostics = Diagnostics()
      _ = try document("0 HEAD\n" + String(repeating: repeated, count: count))
      #expect(diagnostics.inFileOrder.count <= Diagnostics.limit)
    }
    #expect(growth < 9)
  }
}
