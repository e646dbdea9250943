import Testing

@testable import family_tree

struct GedcomLineTests {
  private func line(_ text: String) throws -> GedcomLine {
    try GedcomLine(Array(text.utf8)[...])
  }

  private func text(_ bytes: ArraySlice<UInt8>?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func levelXrefTagAndValue() throws {
    let line = try line("0 @I1@ INDI")
    #expect(line.level == 0)
    #expect(text(line.xref) == "@I1@")
    #expect(line.tag == "INDI")
    #expect(text(line.value) == "")
  }

  @Test func whiteSpaceBeforeTheLevelIsTolerated() throws {
    let line = try line(" \t 2  DATE 1 JAN 1900")
    #expect(line.level == 2)
    #expect(line.tag == "DATE")
    #expect(text(line.value) == "1 JAN 1900")
  }

  @Test func aValueKeepsItsBlanksBeyondTheFirst() throws {
    #expect(text(try line("2 CONC  and then ").value) == " and then ")
  }

  @Test func aPointerAfterTheTagIsAValue() throws {
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
  func damagedLines(text: String, damage: GedcomLine.Damage) {
    #expect(throws: damage) { try line(text) }
  }

  @Test func leadingZerosOfALevelCountForNothing() throws {
    #expect(try line("0002 DATE").level == 2)
    #expect(try line("99 DATE").level == 99)
  }
}
