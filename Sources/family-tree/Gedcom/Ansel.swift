import Foundation

/// ANSEL (ANSI Z39.47) with the additions of GEDCOM 5.5.
///
/// ANSEL writes an accent before its letter, Unicode after it. The text comes out composed (NFC),
/// so that it looks and sorts like text that was Unicode all along.
enum Ansel {
  /// The text, and whether every byte of it had a meaning.
  static func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isIntact: Bool) {
    var scalars = String.UnicodeScalarView()
    var marks: [Unicode.Scalar] = []
    var hasMarks = false
    var isIntact = true

    for byte in bytes {
      if let mark = marksByByte[byte] {
        marks.append(mark)
        hasMarks = true
        continue
      }
      let letter = byte < 0x80 ? Unicode.Scalar(byte) : lettersByByte[byte]
      isIntact = isIntact && letter != nil
      scalars.append(letter ?? "\u{FFFD}")
      scalars.append(contentsOf: marks)
      marks.removeAll(keepingCapacity: true)
    }
    if !marks.isEmpty {
      // Accents at the very end have no letter; a no-break space lets them be seen.
      isIntact = false
      scalars.append("\u{A0}")
      scalars.append(contentsOf: marks)
    }

    let text = String(scalars)
    return (hasMarks ? text.precomposedStringWithCanonicalMapping : text, isIntact)
  }

  private static let lettersByByte: [UInt8: Unicode.Scalar] = [
    0xA1: "Ł", 0xA2: "Ø", 0xA3: "Đ", 0xA4: "Þ", 0xA5: "Æ", 0xA6: "Œ", 0xA7: "ʹ", 0xA8: "·",
    0xA9: "♭", 0xAA: "®", 0xAB: "±", 0xAC: "Ơ", 0xAD: "Ư", 0xAE: "ʼ", 0xB0: "ʻ", 0xB1: "ł",
    0xB2: "ø", 0xB3: "đ", 0xB4: "þ", 0xB5: "æ", 0xB6: "œ", 0xB7: "ʺ", 0xB8: "ı", 0xB9: "£",
    0xBA: "ð", 0xBC: "ơ", 0xBD: "ư", 0xBE: "□", 0xBF: "■", 0xC0: "°", 0xC1: "ℓ", 0xC2: "℗",
    0xC3: "©", 0xC4: "♯", 0xC5: "¿", 0xC6: "¡", 0xC7: "ß", 0xC8: "€", 0xCD: "e", 0xCE: "o",
    0xCF: "ß",
  ]

  private static let marksByByte: [UInt8: Unicode.Scalar] = [
    0xE0: "\u{309}",  // hook above
    0xE1: "\u{300}",  // grave
    0xE2: "\u{301}",  // acute
    0xE3: "\u{302}",  // circumflex
    0xE4: "\u{303}",  // tilde
    0xE5: "\u{304}",  // macron
    0xE6: "\u{306}",  // breve
    0xE7: "\u{307}",  // dot above
    0xE8: "\u{308}",  // diaeresis
    0xE9: "\u{30C}",  // caron
    0xEA: "\u{30A}",  // ring above
    0xEB: "\u{FE20}",  // ligature, left half
    0xEC: "\u{FE21}",  // ligature, right half
    0xED: "\u{315}",  // comma above right
    0xEE: "\u{30B}",  // double acute
    0xEF: "\u{310}",  // candrabindu
    0xF0: "\u{327}",  // cedilla
    0xF1: "\u{328}",  // ogonek
    0xF2: "\u{323}",  // dot below
    0xF3: "\u{324}",  // two dots below
    0xF4: "\u{325}",  // ring below
    0xF5: "\u{333}",  // double low line
    0xF6: "\u{332}",  // low line
    0xF7: "\u{326}",  // comma below
    0xF8: "\u{31C}",  // left half ring below
    0xF9: "\u{32E}",  // breve below
    0xFA: "\u{FE22}",  // double tilde, left half
    0xFB: "\u{FE23}",  // double tilde, right half
    0xFC: "\u{338}",  // long solidus
    0xFE: "\u{313}",  // comma above
  ]
}
