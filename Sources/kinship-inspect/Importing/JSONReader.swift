import Foundation
import Kinship

/// Reads strict JSON, and reports the place of a fault.
struct JSONReader {
  struct Member {
    let name: String
    /// The place at which its value begins.
    let place: Int
    let value: FieldValue
  }

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text that is one object; returns its members.
  mutating func object() throws(TextFault) -> [Member] {
    skipSpace()
    guard peek == "{" else { throw fault("there should be an object in braces") }
    // A value in the object may lie as deep as in a file.
    depth = -1
    let members = try members()
    try expectEnd()
    return members
  }

  mutating func value() throws(TextFault) -> FieldValue {
    let value = try next()
    try expectEnd()
    return value
  }

  private func fault(_ cause: String) -> TextFault { TextFault(place: place, cause: cause) }

  private var peek: Unicode.Scalar? {
    place < bytes.count ? Unicode.Scalar(bytes[place]) : nil
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func expectEnd() throws(TextFault) {
    skipSpace()
    if place < bytes.count { throw fault("nothing should follow here") }
  }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    place += 1
    return true
  }

  private mutating func next() throws(TextFault) -> FieldValue {
    skipSpace()
    switch peek {
    case "{":
      var fields = RecordFields()
      for member in try members() { fields[member.name] = member.value }
      return .fields(fields)
    case "[": return .list(try list())
    case "\"": return .text(try text())
    case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": return try number()
    default:
      for (word, value) in Self.words where bytes[place...].starts(with: word.utf8) {
        place += word.utf8.count
        return value
      }
      throw fault("there should be a value")
    }
  }

  private static let words: [(String, FieldValue)] = [
    ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
  ]

  private mutating func open() throws(TextFault) {
    depth += 1
    guard depth <= Self.deepest else { throw fault("values lie more than \(Self.deepest) deep") }
    place += 1
    skipSpace()
  }

  /// The largest depth of nested values that the coders allow.
  private static let deepest = 64

  private mutating func members() throws(TextFault) -> [Member] {
    try open()
    defer { depth -= 1 }
    var (members, names): ([Member], Set<String>) = ([], [])
    if consume("}") { return [] }
    repeat {
      skipSpace()
      let start = place
      guard peek == "\"" else { throw fault("there should be a name in quotation marks") }
      let name = try text()
      guard names.insert(name).inserted else {
        throw TextFault(place: start, cause: "an object has the same name twice")
      }
      skipSpace()
      guard consume(":") else { throw fault("there should be a colon") }
      skipSpace()
      members.append(Member(name: name, place: place, value: try next()))
      skipSpace()
    } while consume(",")
    guard consume("}") else { throw fault("there should be a comma or a closing brace") }
    return members
  }

  private mutating func list() throws(TextFault) -> [FieldValue] {
    try open()
    defer { depth -= 1 }
    var values: [FieldValue] = []
    if consume("]") { return [] }
    repeat {
      values.append(try next())
      skipSpace()
    } while consume(",")
    guard consume("]") else { throw fault("there should be a comma or a closing bracket") }
    return values
  }

  private mutating func text() throws(TextFault) -> String {
    let start = place
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else {
          throw TextFault(place: start, cause: "the text is not in UTF-8")
        }
        place += 1
        return text
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      case ..<0x20: throw fault("a control character has to be written with a backslash")
      default:
        text.append(byte)
        place += 1
      }
    }
    throw TextFault(place: start, cause: "the text that begins here has no end")
  }

  private mutating func escape() throws(TextFault) -> Unicode.Scalar {
    let start = place
    place += 1
    guard let letter = peek else { throw fault("there should be more") }
    place += 1
    switch letter {
    case "\"", "\\", "/": return letter
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      var units = [try hexadecimal(start)]
      if UTF16.isLeadSurrogate(units[0]), consume("\\"), consume("u") {
        units.append(try hexadecimal(start))
      }
      let text = String(validating: units, as: UTF16.self)
      if let scalar = text?.unicodeScalars.first { return scalar }
      throw TextFault(
        place: start, cause: "the escape is one half of a character, and the other half is missing")
    default:
      throw TextFault(place: start, cause: "a backslash must not stand before this character")
    }
  }

  private mutating func hexadecimal(_ start: Int) throws(TextFault) -> UInt16 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw TextFault(place: start, cause: "there should be four hexadecimal digits") }
    place += 4
    return unit
  }

  private mutating func number() throws(TextFault) -> FieldValue {
    let start = place
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func digits() throws(TextFault) {
      guard place < bytes.count, isDigit(bytes[place]) else {
        throw fault("there should be a digit")
      }
      while place < bytes.count, isDigit(bytes[place]) { place += 1 }
    }
    _ = consume("-")
    if !consume("0") { try digits() }
    var isWhole = true
    if consume(".") {
      isWhole = false
      try digits()
    }
    if consume("e") || consume("E") {
      isWhole = false
      if !consume("+") { _ = consume("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    guard let value = FieldValue(number: text, isWhole: isWhole) else {
      throw TextFault(place: start, cause: "the number is too large")
    }
    return value
  }
}

extension FieldValue {
  /// The most exact form of a number; `nil` if there is none.
  init?(number text: String, isWhole: Bool) {
    if isWhole, let integer = Int128(text) {
      self = .integer(integer)
      return
    }
    guard let number = Double(text), number.isFinite else { return nil }
    let decimal = Decimal(string: text)
    let isExact = decimal == nil || decimal == Decimal(string: "\(number)")
    self = isExact ? .number(number) : .decimal(decimal ?? 0)
  }
}
