import Foundation
import KinshipProgram

/// The encodings from which a value can be decoded on its own.
enum TextEncoding: Sendable {
  case utf8
  case ansel
  /// The "ANSI" and "Latin-1" of most software: ISO 8859-1 with letters in the place of its
  /// second set of control characters.
  case windows1252

  /// Finds out the encoding from the values themselves, else from what the header declares, which
  /// is often wrong.
  ///
  /// Accented text in an encoding of one byte a letter is hardly ever valid UTF-8 by chance, so a
  /// few damaged values do not count against many valid ones.
  init(
    declared: String?, in line: Int?, valid: Int, damaged: Int, _ diagnostics: inout Diagnostics
  ) {
    switch declared {
    case "UTF-8", "UTF8", "UNICODE": self = .utf8
    case nil where valid > 0: self = .utf8
    case let declared? where valid >= damaged:
      diagnostics.warn(
        line,
        "the header declares \(declared.quoted), but the text is UTF-8 and is read as such")
      self = .utf8
    case "ANSEL": self = .ansel
    case "ANSI", "WINDOWS-1252", "CP1252", "IBM WINDOWS", "LATIN1", "LATIN-1", "ISO-8859-1",
      "ISO8859-1":
      self = .windows1252
    default:
      let what = declared.map { "no \($0.quoted) that can be read here" } ?? "not UTF-8"
      diagnostics.warn(line, "the text is \(what); it is read as Latin-1")
      self = .windows1252
    }
  }

  /// The bytes of a file without a byte order mark, and whether they are certainly UTF-8 by now.
  static func unmarked(
    _ file: [UInt8], _ diagnostics: inout Diagnostics
  ) -> (text: ArraySlice<UInt8>, isMarked: Bool) {
    if let units = utf16Units(of: file) {
      if file.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) {
        return (Array(text.utf8)[...], true)
      }
      diagnostics.warn(nil, "the text is not valid UTF-16; what cannot be read shows as \u{FFFD}")
      return (Array(String(decoding: units, as: UTF16.self).utf8)[...], true)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = file.starts(with: mark)
    return (file.dropFirst(isMarked ? mark.count : 0), isMarked)
  }

  /// The code units of a file of UTF-16, which begins with a byte order mark or with the `0` of a
  /// GEDCOM file; a last odd byte is half of U+FFFD.
  private static func utf16Units(of file: [UInt8]) -> [UInt16]? {
    let zero = UInt8(ascii: "0")
    let isLittleEndian: Bool
    switch file.prefix(2) {
    case [0xFF, 0xFE], [zero, 0]: isLittleEndian = true
    case [0xFE, 0xFF], [0, zero]: isLittleEndian = false
    default: return nil
    }
    var units = stride(from: 0, to: file.count - 1, by: 2).map { offset in
      let (first, second) = (UInt16(file[offset]), UInt16(file[offset + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    if units.first == 0xFEFF { units.removeFirst() }
    if !file.count.isMultiple(of: 2) { units.append(0xFFFD) }
    return units
  }

  /// Returns the text, and whether every byte of it has a meaning.
  ///
  /// A line of a text that is not the UTF-8 it should be reads as Latin-1; the others do not.
  func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isIntact: Bool) {
    if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), true) }
    switch self {
    case .utf8:
      if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let texts = lines.map { String(validating: $0, as: UTF8.self) ?? Self.windows1252($0) }
      return (texts.joined(separator: "\n"), false)
    case .ansel: return Ansel.decode(bytes)
    case .windows1252: return (Self.windows1252(bytes), true)
    }
  }

  private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
    let scalars = bytes.map { byte in
      (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The bytes 0x80…0x9F, in which Windows 1252 differs from ISO 8859-1.
  ///
  /// The five bytes without a meaning stay the control characters that they are there.
  private static let upperControls: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
    "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
  ]
}

/// ANSEL (ANSI Z39.47) with the additions of GEDCOM 5.5.
///
/// ANSEL writes an accent before its letter, Unicode after it. The text comes out composed (NFC),
/// so that it looks and sorts like text that was Unicode all along.
enum Ansel {
  /// The text, and whether every byte of it had a meaning.
  static func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isIntact: Bool) {
    var scalars = String.UnicodeScalarView()
    var pending: [Unicode.Scalar] = []
    var isIntact = true
    for byte in bytes {
      if byte >= 0xE0, let mark = marks[Int(byte) - 0xE0] {
        pending.append(mark)
        continue
      }
      let letter = byte < 0x80 ? Unicode.Scalar(byte) : letters[byte]
      isIntact = isIntact && letter != nil
      scalars.append(letter ?? "\u{FFFD}")
      scalars.append(contentsOf: pending)
      pending.removeAll(keepingCapacity: true)
    }
    if !pending.isEmpty {
      // Accents at the very end have no letter; a no-break space lets them be seen.
      isIntact = false
      scalars.append("\u{A0}")
      scalars.append(contentsOf: pending)
    }
    return (String(scalars).precomposedStringWithCanonicalMapping, isIntact)
  }

  private static let letters: [UInt8: Unicode.Scalar] = [
    0xA1: "Ł", 0xA2: "Ø", 0xA3: "Đ", 0xA4: "Þ", 0xA5: "Æ", 0xA6: "Œ", 0xA7: "ʹ", 0xA8: "·",
    0xA9: "♭", 0xAA: "®", 0xAB: "±", 0xAC: "Ơ", 0xAD: "Ư", 0xAE: "ʼ", 0xB0: "ʻ", 0xB1: "ł",
    0xB2: "ø", 0xB3: "đ", 0xB4: "þ", 0xB5: "æ", 0xB6: "œ", 0xB7: "ʺ", 0xB8: "ı", 0xB9: "£",
    0xBA: "ð", 0xBC: "ơ", 0xBD: "ư", 0xBE: "□", 0xBF: "■", 0xC0: "°", 0xC1: "ℓ", 0xC2: "℗",
    0xC3: "©", 0xC4: "♯", 0xC5: "¿", 0xC6: "¡", 0xC7: "ß", 0xC8: "€", 0xCD: "e", 0xCE: "o",
    0xCF: "ß",
  ]

  /// The accents from 0xE0 on: hook above, grave, acute, circumflex, tilde, macron, breve, dot
  /// above; diaeresis, caron, ring above, ligature in two halves, comma above right, double acute,
  /// candrabindu; cedilla, ogonek, dot below, two dots below, ring below, double low line, low
  /// line, comma below; half ring below, breve below, double tilde in two halves, solidus, comma
  /// above.
  private static let marks: [Unicode.Scalar?] = [
    "\u{309}", "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}",
    "\u{308}", "\u{30C}", "\u{30A}", "\u{FE20}", "\u{FE21}", "\u{315}", "\u{30B}", "\u{310}",
    "\u{327}", "\u{328}", "\u{323}", "\u{324}", "\u{325}", "\u{333}", "\u{332}", "\u{326}",
    "\u{31C}", "\u{32E}", "\u{FE22}", "\u{FE23}", "\u{338}", nil, "\u{313}", nil,
  ]
}
