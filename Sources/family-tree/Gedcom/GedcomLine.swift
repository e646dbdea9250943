/// One line of a GEDCOM file: `level [@xref@] TAG [value]`.
///
/// Its bytes are not decoded yet: a text can go on in the next line in the middle of a character.
struct GedcomLine: Equatable {
  /// Why a line cannot be read.
  enum Damage: Error, Equatable {
    case noLevel
    case levelTooDeep
    case noTag

    var message: String {
      switch self {
      case .noLevel: "the line does not begin with a level; it is left out"
      case .levelTooDeep: "the level is above \(GedcomLine.deepestLevel); the line is left out"
      case .noTag: "the line has no tag; it is left out"
      }
    }
  }

  /// The standard knows levels of up to two digits, which also bounds how deep a file can nest.
  static let deepestLevel = 99

  let level: Int
  let xref: ArraySlice<UInt8>?
  let tag: String
  /// The bytes after the tag as they stand: pointers and doubled at signs included.
  var value: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) throws(Damage) {
    var scanner = Scanner(rest: bytes)
    scanner.skipBlanks()
    level = try scanner.level()
    scanner.skipBlanks()
    xref = scanner.xref()
    scanner.skipBlanks()
    tag = try scanner.tag()
    value = scanner.value()
  }
}

extension GedcomLine {
  /// Takes a line apart from left to right.
  private struct Scanner {
    private static let space = UInt8(ascii: " ")
    private static let at = UInt8(ascii: "@")

    var rest: ArraySlice<UInt8>

    mutating func skipBlanks() {
      rest = rest.drop { $0 == Self.space || $0 == UInt8(ascii: "\t") }
    }

    mutating func level() throws(Damage) -> Int {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty else { throw .noLevel }
      let significant = digits.drop { $0 == UInt8(ascii: "0") }
      guard significant.count <= 2 else { throw .levelTooDeep }
      rest = rest[digits.endIndex...]
      return significant.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// `@I1@`, which the tag must follow after a blank.
    mutating func xref() -> ArraySlice<UInt8>? {
      guard rest.first == Self.at else { return nil }
      let name = rest.dropFirst().prefix { $0 != Self.at && $0 >= Self.space }
      let end = name.endIndex
      guard !name.isEmpty, end < rest.endIndex, rest[end] == Self.at else { return nil }
      defer { rest = rest[(end + 1)...] }
      return rest[...end]
    }

    mutating func tag() throws(Damage) -> String {
      let tag = rest.prefix(while: Self.isTagCharacter)
      guard !tag.isEmpty else { throw .noTag }
      rest = rest[tag.endIndex...]
      return String(decoding: tag, as: UTF8.self)
    }

    /// Returns everything after the one blank that ends the tag: further blanks belong to the
    /// value, because a text may be cut into lines anywhere.
    func value() -> ArraySlice<UInt8> {
      rest.first == Self.space ? rest.dropFirst() : rest
    }

    private static func isTagCharacter(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
