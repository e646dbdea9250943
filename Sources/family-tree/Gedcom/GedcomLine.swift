import KinshipProgram

/// One line of a GEDCOM file: `level [@xref@] TAG [value]`.
struct GedcomLine: Equatable {
  /// Why a line is none.
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
  let xref: String?
  let tag: String
  /// What follows the tag, as it stands: pointers and doubled at signs included.
  var value: String
  /// Whether every byte had a meaning in the file's encoding.
  let isIntact: Bool

  init(_ bytes: ArraySlice<UInt8>, in encoding: TextEncoding) throws(Damage) {
    var scanner = Scanner(rest: bytes)
    scanner.skipBlanks()
    level = try scanner.level()
    scanner.skipBlanks()

    var isIntact = true
    func decode(_ bytes: ArraySlice<UInt8>) -> String {
      let decoded = encoding.decode(bytes)
      isIntact = isIntact && decoded.isIntact
      return decoded.text
    }
    xref = scanner.xref().map { decode($0).readable }
    scanner.skipBlanks()
    guard let tag = scanner.tag() else { throw .noTag }
    self.tag = String(decoding: tag, as: UTF8.self)
    value = decode(scanner.value())
    self.isIntact = isIntact
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

    mutating func tag() -> ArraySlice<UInt8>? {
      let tag = rest.prefix(while: Self.isTagCharacter)
      guard !tag.isEmpty else { return nil }
      rest = rest[tag.endIndex...]
      return tag
    }

    /// Everything after the one blank that ends the tag: further blanks belong to the value, for
    /// a text may be cut into lines between any two characters.
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
