import Kinship
import KinshipTesting

/// A condition on a text of a ``Sample``, and Foundation's evaluation of it.
package struct TextCondition: Sendable {
  let text: String
  let folding: TextFolding
  let isPrefix: Bool
  let isOptional: Bool
  let isNegated: Bool

  init(using random: inout SplitMix64) {
    func isSo() -> Bool { Bool.random(using: &random) }
    let text = Sample.texts[Int.random(in: 0..<Sample.texts.count, using: &random)]
    self.text = isSo() ? text.uppercased() : text
    folding = TextFolding(rawValue: Int.random(in: 0...3, using: &random))
    (isPrefix, isOptional, isNegated) = (isSo(), isSo(), isSo())
  }

  var filter: RecordFilter<Sample> {
    let filter: RecordFilter<Sample> =
      switch (isPrefix, isOptional) {
      case (false, false): .where(\.text, contains: text, ignoring: folding)
      case (false, true): .where(\.perhapsText, contains: text, ignoring: folding)
      case (true, false): .where(\.text, hasPrefix: text, ignoring: folding)
      case (true, true): .where(\.perhapsText, hasPrefix: text, ignoring: folding)
      }
    return isNegated ? !filter : filter
  }

  func holds(for sample: Sample) -> Bool {
    guard let other = isOptional ? sample.perhapsText : sample.text else { return isNegated }
    let (text, folded) = (Self.folded(text, folding), Self.folded(other, folding))
    return Self.holds(text, in: folded, isPrefix: isPrefix) != isNegated
  }

  /// Whether a text contains another, or begins with it, as Swift's strings do, not Foundation's.
  package static func holds(_ text: String, in other: String, isPrefix: Bool) -> Bool {
    isPrefix ? other.starts(with: text) : other.contains(text)
  }
}
