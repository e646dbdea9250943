extension String {
  /// The text on one line, safe for a terminal and for XML: runs of white space become one space,
  /// and characters that control a terminal or the writing direction are removed.
  package var readable: String {
    if isPlainWord { return self }
    var result = ""
    var isGap = false
    for scalar in unicodeScalars {
      if scalar.properties.isWhitespace {
        isGap = !result.isEmpty
      } else if scalar.isPrintable {
        if isGap { result.unicodeScalars.append(" ") }
        isGap = false
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether nothing must be changed: most text is ASCII, with single spaces between words.
  private var isPlainWord: Bool {
    var last = UInt8(ascii: " ")
    for byte in utf8 {
      guard (0x20...0x7E).contains(byte), byte != last || byte != 0x20 else { return false }
      last = byte
    }
    return last != 0x20
  }

  /// The text in quotes, shortened if it is long: for messages.
  package var quoted: String {
    let text = readable
    return text.count > 40 ? "“\(text.prefix(40))…”" : "“\(text)”"
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: false
    // Marks that change the writing direction would change the lines of a tree as well.
    case .format: !properties.isBidiControl && value != 0xFEFF
    // U+FFFE and U+FFFF are not allowed in XML.
    case .unassigned: value & 0xFFFE != 0xFFFE
    default: true
    }
  }
}
