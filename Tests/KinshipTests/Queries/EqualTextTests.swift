import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
// The test uses the version of Unicode that compares texts, because Foundation's may be older.
@_spi(_Unicode) import Swift
import Testing

/// An ordered index finds texts that have several forms in Unicode: all that `==` calls equal.
@Suite(.tags(.lawQ1))
struct EqualTextTests {
  private struct Entry: GraphRecord, Equatable {
    let id: Int
    var text: String

    static let indexes: RecordIndexes<Entry> = [.ordered(\.text)]
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Other forms of a text: decomposed, composed, and with only its beginning composed.
  private static func forms(of text: String) -> [String] {
    let decomposed = Array(text._nfd)
    let beginnings = (0...decomposed.count).map { end in
      Array(Self.text(decomposed[..<end])._nfc) + decomposed[end...]
    }
    return beginnings.map { Self.text($0) }
  }

  @Test func `at most one of the texts that equal a scalar is canonical`() {
    // The scalars that begin a canonical text, and those that compose with a scalar before them.
    var (beginnings, rests) = (Set<Unicode.Scalar>(), Set<Unicode.Scalar>())
    for value in UInt32(0x80)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      switch scalar.properties.generalCategory {
      case .unassigned, .privateUse, .surrogate: continue
      default: break
      }
      let text = String(scalar)
      let decomposed = text._nfd
      rests.formUnion(decomposed.dropFirst())
      if text.hasOnePosition { beginnings.formUnion(decomposed.prefix(1)) }
      let forms = Self.forms(of: text).filter { !$0.utf8.elementsEqual(text.utf8) }
      if forms.isEmpty { continue }
      let canonical = Set(
        ([text] + forms).filter(\.hasOnePosition).map { Array($0.utf8) })
      #expect(forms.allSatisfy { $0 == text } && canonical.count <= 1, "\(value)")
    }
    #expect(beginnings.isDisjoint(with: rests))
  }

  @Test func `an index finds the texts that a full search finds`() async throws {
    let parts: [Unicode.Scalar] = [
      "a", "e", "A", "K", ";", "\u{212A}", "\u{212B}", "\u{37E}", "\u{E9}", "\u{300}", "\u{301}",
      "\u{323}", "\u{327}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{AC00}", "\u{AC01}", "\u{9C7}",
      "\u{9BE}", "\u{9CB}", "\u{958}", "\u{2126}", "\u{F900}", "\u{8C48}", "\u{16D63}",
      "\u{16D67}", "\u{16D68}", "\u{16D69}", "\u{16D6A}", "\u{113C5}", "\u{113C2}", "\u{1D15E}",
    ]
    for seed in try Effort().seeds(600) {
      var generator = SplitMix64(seed: seed)
      var texts: [String] = []
      for _ in 0..<8 {
        let count = Int.random(in: 1...4, using: &generator)
        let scalars = (0..<count).compactMap { _ in parts.randomElement(using: &generator) }
        texts.append(Self.text(scalars))
        texts += Self.forms(of: Self.text(scalars))
        texts.append(Self.text(scalars.shuffled(using: &generator)))
      }
      let entries = texts.enumerated().map { Entry(id: $0, text: $1) }
      let cache = try GraphCache(for: Entry.self)
      try await cache.put(contentsOf: entries)
      for text in texts {
        let found = try await cache.find(RecordQuery<Entry>(#Predicate { $0.text == text }))
        try verifyEqual(
          Set(found.map(\.id)), Set(entries.filter { $0.text == text }.map(\.id)),
          "the texts that equal \(text.unicodeScalars.map { String($0.value, radix: 16) })")
      }
    }
  }
}
