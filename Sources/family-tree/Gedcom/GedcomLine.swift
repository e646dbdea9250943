/// One line of a GEDCOM file: `level [@xref@] TAG [value]`.
///
/// Its bytes are not decoded yet, because a text can be split within a character.
struct GedcomLine: Equatable {
  enum Damage: String, Error {
    case noLevel = "the line does not begin with a level; it is left out"
    /// The standard knows levels of up to two digits, which also bounds how deep a file can nest.
    case levelTooDeep = "the level is above 99; the line is left out"
    case noTag = "the line has no tag; it is left out"
  }

  let level: Int
  let xref: ArraySlice<UInt8>?
  let tag: String
  /// The bytes after the tag as they stand, with pointers and doubled at signs.
  var value: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) throws(Damage) {
    var rest = bytes.drop(while: Self.isBlank)
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if digits.isEmpty { throw .noLevel }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    if significant.count > 2 { throw .levelTooDeep }
    level = significant.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }

    rest = rest[digits.endIndex...].drop(while: Self.isBlank)
    xref = Self.xref(rest)
    rest = rest.dropFirst(xref?.count ?? 0).drop(while: Self.isBlank)
    let tag = rest.prefix(while: Self.isTagCharacter)
    if tag.isEmpty { throw .noTag }
    self.tag = String(decoding: tag, as: UTF8.self)
    // Further blanks belong to the value: a text may be cut into lines anywhere.
    rest = rest[tag.endIndex...]
    value = rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest
  }

  /// The xref in a form such as `@I1@`, if the line continues with one.
  private static func xref(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let at = UInt8(ascii: "@")
    guard rest.first == at else { return nil }
    let name = rest.dropFirst().prefix { $0 != at && $0 >= UInt8(ascii: " ") }
    guard !name.isEmpty, rest[name.endIndex...].first == at else { return nil }
    return rest[...name.endIndex]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isTagCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The lines of a text and their numbers, whatever ends them: LF, CRLF, CR or LFCR, mixed or not.
struct LineSplitter: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> (number: Int, bytes: ArraySlice<UInt8>)? {
    if rest.isEmpty { return nil }
    let line = rest.prefix { !Self.endsLine($0) }
    let end = rest[line.endIndex...].prefix(2)
    let isPair = end.count == 2 && end.first != end.last && end.allSatisfy(Self.endsLine)
    rest = rest[line.endIndex...].dropFirst(isPair ? 2 : 1)
    number += 1
    return (number, line)
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
