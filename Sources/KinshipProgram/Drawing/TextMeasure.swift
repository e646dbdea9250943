internal import Foundation

/// Estimates the width of text without a font; wide fonts never draw it wider.
///
/// A chart is laid out here and drawn elsewhere, with an unknown font. The widths are those of
/// DejaVu Sans, which is wider than Helvetica and Arial by a sixth.
package struct TextMeasure: Sendable {
  private let size: Double
  private let isBold: Bool

  package init(size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }

  /// The width of a text.
  package func width(_ text: String) -> Double {
    let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars
    return scalars.reduce(0) { $0 + Self.ems($1) } * size * (isBold ? 1 : 0.94)
  }

  /// The text, truncated with an ellipsis if it exceeds a width.
  package func fit(_ text: String, width limit: Double) -> String {
    guard width(text) > limit else { return text }
    let room = limit - width("…")
    var used = 0.0
    var kept = text.prefix { character in
      used += width(String(character))
      return used <= room
    }
    while kept.last == " " || kept.last == "," { kept.removeLast() }
    return kept + "…"
  }

  /// The width of a bold character, in font sizes.
  private static func ems(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "ı", " ", "'", "|": 0.36
    case ",", ".", "I", "‘", "’", "·", "/", "ł": 0.39
    case ":", ";", "-": 0.42
    case "f", "(", ")", "[", "]", "!": 0.46
    case "r", "t", "–", "\"": 0.52
    case "s", "c", "z", "J", "*", "?": 0.60
    case "a", "e", "o", "k", "v", "x", "y", "L", "E", "F", "T": 0.69
    case "0"..."9", "a"..."l", "n"..."v": 0.72
    case "P", "S", "C", "Y", "Z", "b": 0.75
    case "A", "B", "K", "R", "V", "X": 0.79
    case "A"..."L", "N"..."V", "Ø", "Đ", "Ł": 0.86
    case "w": 0.93
    case "M", "m", "…", "@": 1.06
    case "W", "Æ", "æ", "Œ", "œ": 1.18
    default: emsByCategory(scalar)
    }
  }

  private static func emsByCategory(_ scalar: Unicode.Scalar) -> Double {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default: scalar.value < 0x2E80 ? 1.0 : 1.4
    }
  }
}
