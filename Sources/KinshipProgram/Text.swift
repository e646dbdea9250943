extension String {
  /// The text, padded at the end to a width in characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text, padded at the start to a width in characters.
  package func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text with some scalars replaced.
  ///
  /// It compares scalars, because a quotation mark with a combining accent is another character,
  /// but a reader still sees a quotation mark.
  package func replacingScalars(_ replacements: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let replacement = replacements[scalar] {
        result += replacement
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension BinaryInteger {
  /// The number with a comma before each group of three digits: `74,467`.
  package var grouped: String {
    let digits = String(description.reversed())
    var result = ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, offset.isMultiple(of: 3), digit != "-" { result.append(",") }
      result.append(digit)
    }
    return String(result.reversed())
  }

  /// The number with its noun, which takes an s in the plural: `1 person`, `3,010 persons`.
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
  /// The message with a capital letter, and with a full stop at the end of its first line.
  ///
  /// The lines after the first are lists and hints, which stay as they are.
  package var asSentences: String {
    let lines = split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard var first = lines.first.map({ String($0) }), let last = first.last else { return self }
    if first.beginsWithWord { first = first.prefix(1).uppercased() + first.dropFirst() }
    if !".?!:…".contains(last) { first += "." }
    return ([first] + lines.dropFirst().map { String($0) }).joined(separator: "\n")
  }

  /// Whether the text begins with a word, and not with an option, a file or a record.
  private var beginsWithWord: Bool {
    let word = prefix { $0 != " " && $0 != "," && $0 != ";" }
    return !word.isEmpty && word.allSatisfy { ("a"..."z").contains($0) }
  }
}
