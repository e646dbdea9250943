import Testing

@testable import family_tree

struct EncodingTests {
  /// The name of the only person in a file made of these parts.
  private func name(
    _ name: [UInt8], declaring characterSet: String?, mark: [UInt8] = [], version: String = "5.5.1"
  ) throws -> (text: String?, diagnostics: Diagnostics) {
    var head = "0 HEAD\n1 GEDC\n2 VERS \(version)\n"
    if let characterSet { head += "1 CHAR \(characterSet)\n" }
    let bytes =
      mark + Array("\(head)0 @I1@ INDI\n1 NAME ".utf8) + name + Array("\n0 TRLR\n".utf8)
    var diagnostics = Diagnostics()
    let document = try GedcomDocument(bytes, diagnostics: &diagnostics)
    return (document.records.first { $0.tag == "INDI" }?["NAME"]?.text, diagnostics)
  }

  @Test(arguments: ["UTF-8", "utf-8", "UNICODE", nil])
  func `UTF-8 is read with or without a mark`(characterSet: String?) throws {
    let plain = try name(Array("Zoë Łódź".utf8), declaring: characterSet)
    #expect(plain.text == "Zoë Łódź")
    #expect(plain.diagnostics.isEmpty)
    let marked = try name(
      Array("Zoë".utf8), declaring: characterSet, mark: [0xEF, 0xBB, 0xBF])
    #expect(marked.text == "Zoë")
    #expect(marked.diagnostics.isEmpty)
  }

  @Test(arguments: ["ASCII", "ANSEL", "ANSI", "UTF-8", "IBMPC", "MACINTOSH", nil])
  func `plain ASCII is read without a declaration`(characterSet: String?) throws {
    let read = try name(Array("John".utf8), declaring: characterSet)
    #expect(read.text == "John")
    #expect(read.diagnostics.isEmpty)
  }

  @Test func `declared ANSEL is read`() throws {
    let read = try name([0x5A, 0x6F, 0xE8, 0x65], declaring: "ANSEL")
    #expect(read.text == "Zoë")
    #expect(read.diagnostics.isEmpty)
  }

  @Test(arguments: ["ANSI", "LATIN1", "ISO-8859-1", "WINDOWS-1252"])
  func `declared Latin-1 is read`(characterSet: String) throws {
    let read = try name([0x5A, 0x6F, 0xEB, 0x20, 0x80, 0x9C], declaring: characterSet)
    #expect(read.text == "Zoë €œ")
    #expect(read.diagnostics.isEmpty)
  }

  @Test(arguments: ["IBMPC", "ASCII", nil])
  func `an unknown encoding falls back to Latin-1 with a warning`(characterSet: String?) throws {
    let read = try name([0x5A, 0x6F, 0xEB], declaring: characterSet)
    #expect(read.text == "Zoë")
    #expect(read.diagnostics.count == 1)
  }

  @Test func `damaged UTF-8 falls back to Latin-1 on its own line`() throws {
    let read = try name(Array("Zoë ".utf8) + [0xEB], declaring: "UTF-8")
    #expect(read.text == "ZoÃ« ë")
    #expect(read.diagnostics.inFileOrder.map(\.line) == [6])
  }

  /// The texts of the titles of a source, each made of parts, and the warnings.
  ///
  /// A part after the first stands on a line of its own.
  private func titles(
    _ titles: [[[UInt8]]], declaring characterSet: String?, tag: String = "CONC"
  ) throws -> (texts: [String?], warnings: [Int?]) {
    var bytes = Array("0 HEAD\n".utf8)
    if let characterSet { bytes += Array("1 CHAR \(characterSet)\n".utf8) }
    bytes += Array("0 @S1@ SOUR\n".utf8)
    for title in titles {
      bytes += Array("1 TITL ".utf8) + title.joined(separator: Array("\n2 \(tag) ".utf8)) + [10]
    }
    var diagnostics = Diagnostics()
    let document = try GedcomDocument(bytes + Array("0 TRLR".utf8), diagnostics: &diagnostics)
    let source = document.records.first { $0.tag == "SOUR" }
    return (source?.children.map(\.text) ?? [], diagnostics.inFileOrder.map(\.line))
  }

  @Test(arguments: ["UTF-8", nil])
  func `a UTF-8 character that CONC cuts in two is read as one`(characterSet: String?) throws {
    let crown = Array("👑".utf8)
    let cut = [crown.prefix(1), crown[1..<3], crown.suffix(1)].map(Array.init)
    let read = try titles([cut, [Array("Łódź".utf8)]], declaring: characterSet)
    #expect(read.texts == ["👑", "Łódź"])
    #expect(read.warnings == [])
  }

  @Test func `an ANSEL accent is joined with its letter on the next line`() throws {
    let read = try titles([[[0x5A, 0x6F, 0xE8], [0x65]]], declaring: "ANSEL")
    #expect(read.texts == ["Zoë"])
    #expect(read.warnings == [])
  }

  @Test(arguments: [nil, "UTF-8", "ANSI", "ANSEL", "IBMPC"])
  func `a damaged value leaves the others as they are`(characterSet: String?) throws {
    let damaged: [[UInt8]] = [[0x61, 0xFC, 0x62, 0xFC, 0xFC]]
    let words = ["Łódź", "Plzeň", "Kraków"].map { [Array($0.utf8)] }
    let read = try titles([damaged] + words, declaring: characterSet)
    #expect(read.texts == ["aübüü", "Łódź", "Plzeň", "Kraków"])
    let line = characterSet == nil ? 3 : 4
    #expect(read.warnings.last == line)
    #expect(read.warnings.count == (characterSet == nil || characterSet == "UTF-8" ? 1 : 2))
  }

  @Test func `a damaged line of a text leaves its other lines as they are`() throws {
    let text = [Array("Łódź".utf8), [0x61, 0xFC], Array("Plzeň".utf8)]
    let read = try titles([text], declaring: "UTF-8", tag: "CONT")
    #expect(read.texts == ["Łódź aü Plzeň"])
    #expect(read.warnings == [4])
  }

  @Test func `Latin-1 without a declaration is reported once`() throws {
    let read = try titles([[[0x61, 0xFC]], [[0xE4, 0x62]]], declaring: nil)
    #expect(read.texts == ["aü", "äb"])
    #expect(read.warnings == [nil])
  }

  @Test func `UTF-8 under a false declaration is recognised`() throws {
    let read = try name(Array("Zoë".utf8), declaring: "ANSEL")
    #expect(read.text == "Zoë")
    #expect(read.diagnostics.inFileOrder.map(\.line) == [4])
  }

  @Test func `version 7 is UTF-8 whatever it declares`() throws {
    let read = try name(Array("Zoë".utf8), declaring: nil, version: "7.0.1")
    #expect(read.text == "Zoë")
    #expect(read.diagnostics.isEmpty)
  }

  @Test(arguments: [true, false], [true, false])
  func `UTF-16 is read in both byte orders`(isBigEndian: Bool, hasMark: Bool) throws {
    let text = "\(hasMark ? "\u{FEFF}" : "")0 HEAD\r\n0 @I1@ INDI\r\n1 NAME Zoë 👑\r\n0 TRLR\r\n"
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    var diagnostics = Diagnostics()
    let document = try GedcomDocument(bytes, diagnostics: &diagnostics)
    #expect(document.records.map(\.tag) == ["HEAD", "INDI", "TRLR"])
    #expect(document.records.first { $0.tag == "INDI" }?["NAME"]?.text == "Zoë 👑")
    #expect(diagnostics.isEmpty)

    let cut = try GedcomDocument(Array(bytes.dropLast(3)), diagnostics: &diagnostics)
    #expect(cut.records.map(\.tag) == ["HEAD", "INDI", "TRLR"])
    #expect(diagnostics.count == 1)
  }
}
