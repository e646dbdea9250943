import Testing

@testable import family_tree

struct GedcomLineTests {
  private func line(_ text: String) throws -> GedcomLine {
    try GedcomLine(Array(text.utf8)[...])
  }

  private func text(_ bytes: ArraySlice<UInt8>?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a line has a level, an xref, a tag and a value`() throws {
    let line = try line("0 @I1@ INDI")
    #expect(line.level == 0)
    #expect(text(line.xref) == "@I1@")
    #expect(line.tag == "INDI")
    #expect(text(line.value) == "")
  }

  @Test func `white space before the level is accepted`() throws {
    let line = try line(" \t 2  DATE 1 JAN 1900")
    #expect(line.level == 2)
    #expect(line.tag == "DATE")
    #expect(text(line.value) == "1 JAN 1900")
  }

  @Test func `a value keeps its blanks after the first`() throws {
    #expect(text(try line("2 CONC  and then ").value) == " and then ")
  }

  @Test func `a pointer after the tag is a value`() throws {
    let line = try line("1 FAMC @F1@")
    #expect(line.xref == nil)
    #expect(text(line.value) == "@F1@")
  }

  @Test(
    arguments: [
      ("", .noLevel), ("INDI", .noLevel), ("100 INDI", .levelTooDeep),
      ("99999999999999999999999 INDI", .levelTooDeep), ("0", .noTag), ("0 @I1@", .noTag),
      ("0 @I1 INDI", .noTag), ("1 @@ INDI", .noTag), ("1 !", .noTag),
    ] as [(String, GedcomLine.Damage)])
  func `a damaged line is an error`(text: String, damage: GedcomLine.Damage) {
    #expect(throws: damage) { try line(text) }
  }

  @Test func `leading zeros of a level are ignored`() throws {
    #expect(try line("0002 DATE").level == 2)
    #expect(try line("99 DATE").level == 99)
  }
}
