import Testing

@testable import family_tree

struct AnselTests {
  private func decode(_ bytes: [UInt8]) -> String { Ansel.decode(bytes[...]).text }

  @Test(
    arguments: [
      ([0xE2, 0x65], "é"),  // acute + e
      ([0xE8, 0x75], "ü"),  // diaeresis + u
      ([0xEA, 0x41], "Å"),  // ring + A
      ([0xF0, 0x63], "ç"),  // cedilla + c
      ([0xE9, 0x73], "š"),  // caron + s
      ([0xF1, 0x61], "ą"),  // ogonek + a
      ([0xEE, 0x6F], "ő"),  // double acute + o
      ([0xA1, 0xB1, 0xA2, 0xB2], "ŁłØø"),
      ([0xA5, 0xB5, 0xA4, 0xB4, 0xCF], "ÆæÞþß"),
    ] as [([UInt8], String)])
  func `ANSEL bytes decode to their characters`(bytes: [UInt8], text: String) {
    // Scalars are compared: to `String`, composed and decomposed text are equal.
    #expect(Array(decode(bytes).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test func `an ANSEL word decodes to composed letters`() {
    let dvorak: [UInt8] = [0x44, 0x76, 0x6F, 0xE9, 0x72, 0xE2, 0x61, 0x6B]
    #expect(Array(decode(dvorak).unicodeScalars) == Array("Dvořák".unicodeScalars))
  }

  @Test func `two marks on one letter decode to one character`() {
    let stacked: [UInt8] = [0xE3, 0xE2, 0x61]
    #expect(Array(decode(stacked).unicodeScalars) == Array("ấ".unicodeScalars))
  }

  @Test func `bytes without a meaning are reported`() {
    let unknown = Ansel.decode([0x41, 0xFF][...])
    #expect(unknown.text == "A\u{FFFD}")
    #expect(!unknown.isIntact)
    #expect(!Ansel.decode([0x41, 0xE2][...]).isIntact)
    #expect(Ansel.decode([0xE2, 0x41][...]).isIntact)
  }

  @Test func `every byte decodes to some text`() {
    for byte in UInt8.min...UInt8.max {
      #expect(!decode([byte, 0x61]).isEmpty)
    }
  }
}
