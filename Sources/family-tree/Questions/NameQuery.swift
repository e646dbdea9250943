import Foundation
import KinshipProgram

/// A search for persons by parts of their names, whatever the case and the accents.
struct NameQuery {
  private let words: [String]
  private let whole: String

  init(_ text: String) {
    whole = Self.folded(text)
    words = whole.split(separator: " ").map(String.init)
  }

  /// Whether every word of the query is part of the person's name.
  func matches(_ person: Person) -> Bool {
    let name = Self.folded(person.name.full)
    return !words.isEmpty && words.allSatisfy { name.contains($0) }
  }

  /// Whether the query is the person's whole name.
  func isName(of person: Person) -> Bool {
    Self.folded(person.name.full) == whole
  }

  /// The text in small letters without accents.
  static func folded(_ text: String) -> String {
    var result = ""
    for scalar in text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars {
      if let letters = undecomposed[scalar] {
        result += letters
      } else if scalar.properties.generalCategory != .nonspacingMark {
        result.unicodeScalars.append(scalar)
      }
    }
    return result.readable
  }

  /// Letters that Unicode does not see as a letter with an accent, but people do.
  private static let undecomposed: [Unicode.Scalar: String] = [
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe",
    "þ": "th",
  ]
}
