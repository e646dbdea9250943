import Foundation
import KinshipTesting
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship

/// Texts are folded by Foundation's decompositions, and searched as Swift's strings are.
@Suite(.tags(.lawQ4)) struct TextFoldingTests {
  static let foldings: [TextFolding] = [[], .case, .diacritics, [.case, .diacritics]]

  @Test(arguments: foldings)
  func `every character is folded as Unicode specifies`(folding: TextFolding) throws {
    for value in try Effort().some(of: UInt32(0)...0x10_FFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = folding.folded(String(scalar))
      try verifyEqual(folded, TextCondition.folded(String(scalar), folding), "\(scalar) folded")
      try verifyEqual(folding.folded(folded), folded, "\(scalar) folded again")
    }
  }

  /// All texts of up to a number of pieces.
  private static func texts(upTo length: Int) -> [String] {
    let pieces = [
      "a", "A", "é", "e\u{301}", "\u{301}", "s", "ſ", "ß", "\u{212A}", "İ", "ς", "\r", "\n", "が",
    ]
    var texts = [""]
    var longest = texts
    for _ in 0..<length {
      longest = longest.flatMap { text in pieces.map { text + $0 } }
      texts += longest
    }
    return texts
  }

  @Test(arguments: foldings)
  func `a folded search of every short text is correct`(folding: TextFolding) throws {
    let others = Self.texts(upTo: 2).map { ($0, TextCondition.folded($0, folding)) }
    for text in Self.texts(upTo: 2) {
      let (pattern, folded) = (
        TextPattern(text, ignoring: folding), TextCondition.folded(text, folding)
      )
      for (other, foldedOther) in others {
        try verifyEqual(
          pattern.isContained(in: other),
          TextCondition.holds(folded, in: foldedOther, isPrefix: false),
          "whether \(other.debugDescription) contains \(text.debugDescription)")
        try verifyEqual(
          pattern.isPrefix(of: other),
          TextCondition.holds(folded, in: foldedOther, isPrefix: true),
          "whether \(other.debugDescription) starts with \(text.debugDescription)")
      }
    }
  }

  @Test func `a folded search finds text as people write it`() {
    func isFound(_ text: String, in other: String) -> Bool {
      TextPattern(text, ignoring: [.case, .diacritics]).isContained(in: other)
    }
    #expect(isFound("vic", in: "Queen VÍCTORIA"))
    #expect(isFound("STRASSE", in: "Hohe Straße"))
    #expect(isFound("οδος", in: "ΟΔΌΣ"))
    #expect(!isFound("o", in: "ø"))
    #expect(!TextPattern("e", ignoring: .case).isContained(in: "É"))
  }
}
