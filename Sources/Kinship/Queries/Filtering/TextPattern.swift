/// A text that is looked for in others, character by character as Swift compares strings, after
/// both are folded.
///
/// Where a text is ASCII, bytes say the same and are looked through many times faster. Not so where
/// a carriage return is: with a line feed it is one character. A text that is not ASCII may contain
/// an ASCII one that its bytes do not have: the Kelvin sign is a K.
struct TextPattern: Sendable {
  let folding: TextFolding
  let text: String
  /// What is looked for in the bytes of a plain text, its letters in lower case if the case is
  /// ignored; `nil` if no plain text has it.
  let bytes: [UInt8]?

  init(_ text: String, ignoring folding: TextFolding = []) {
    self.folding = folding
    self.text = folding.folded(text)
    let bytes = Array(ASCIIEquals.replaced(in: self.text).utf8)
    self.bytes = bytes.allSatisfy { Self.isPlain($0) } ? bytes : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != 0x0D }

  func isContained(in other: String) -> Bool {
    let found = search(other) { other, isCaseIgnored -> Bool? in
      guard other.allSatisfy({ Self.isPlain($0) }) else { return nil }
      guard let bytes, other.count >= bytes.count else { return false }
      guard let first = bytes.first else { return true }
      for start in 0...(other.count - bytes.count)
      where Self.lower(other[start], isCaseIgnored) == first
        && Self.starts(other[start...], with: bytes, isCaseIgnored)
      {
        return true
      }
      return false
    }
    return found ?? folding.folded(other).contains(text)
  }

  func isPrefix(of other: String) -> Bool {
    let found = search(other) { other, isCaseIgnored -> Bool? in
      guard let bytes else { return other.allSatisfy { Self.isPlain($0) } ? false : nil }
      // What follows the prefix may belong to its last character.
      let beginning = other.prefix(bytes.count + 1)
      guard beginning.allSatisfy({ Self.isPlain($0) }) else { return nil }
      return beginning.count >= bytes.count
        && Self.starts(beginning, with: bytes, isCaseIgnored)
    }
    return found ?? folding.folded(other).starts(with: text)
  }

  private static func lower(_ byte: UInt8, _ isCaseIgnored: Bool) -> UInt8 {
    isCaseIgnored && 0x41...0x5A ~= byte ? byte | 0x20 : byte
  }

  private static func starts(
    _ other: Slice<UnsafeBufferPointer<UInt8>>, with bytes: [UInt8], _ isCaseIgnored: Bool
  ) -> Bool {
    var place = other.startIndex
    for byte in bytes {
      if lower(other[place], isCaseIgnored) != byte { return false }
      place += 1
    }
    return true
  }

  /// Looks through the bytes of another text, if they lie in a row and can say anything.
  private func search(
    _ other: String, _ body: (UnsafeBufferPointer<UInt8>, _ isCaseIgnored: Bool) -> Bool?
  ) -> Bool? {
    other.utf8.withContiguousStorageIfAvailable { body($0, folding.contains(.case)) } ?? nil
  }
}

/// The characters beyond ASCII that equal one of it: by what Unicode calls a canonical
/// decomposition, which these three have alone.
package enum ASCIIEquals {
  private static let equals: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{212A}": "K", "\u{37E}": ";", "\u{1FEF}": "`",
  ]

  /// Whether an ASCII text equals a text that is not ASCII.
  package static func has(_ text: String) -> Bool {
    text.unicodeScalars.contains { equals.values.contains($0) }
  }

  /// An equal text without such characters.
  package static func replaced(in text: String) -> String {
    var ascii = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { ascii.append(equals[scalar] ?? scalar) }
    return String(ascii)
  }
}
