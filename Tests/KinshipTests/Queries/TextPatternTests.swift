import KinshipTesting
import KinshipTestTraits
import Testing

@testable import Kinship

/// A search in bytes gives the same result as one in characters.
@Suite(.tags(.lawQ4)) struct TextPatternTests {
  /// All texts up to a number of pieces.
  ///
  /// Some pieces join to one character, and some equal others.
  static func texts(upTo length: Int) -> [String] {
    let pieces = ["a", "e", "\u{301}", "\r", "\n", "K", "\u{212A}", "\0"]
    var texts = [""]
    var longest = texts
    for _ in 0..<length {
      longest = longest.flatMap { text in pieces.map { text + $0 } }
      texts += longest
    }
    return texts
  }

  @Test func `a search of every short text is correct`() throws {
    for text in Self.texts(upTo: 2) {
      let pattern = TextPattern(text)
      for other in Self.texts(upTo: 3) {
        try verifyEqual(
          pattern.isContained(in: other), other.contains(text),
          "whether \(other.debugDescription) contains \(text.debugDescription)")
        try verifyEqual(
          pattern.isPrefix(of: other), other.starts(with: text),
          "whether \(other.debugDescription) starts with \(text.debugDescription)")
      }
    }
  }
}
