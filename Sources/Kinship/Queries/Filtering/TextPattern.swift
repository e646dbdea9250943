/// A search text that is compared by characters, as Swift compares strings, after both texts are
/// folded.
///
/// In ASCII texts, comparing bytes gives the same result, many times faster. Two exceptions: a
/// carriage return and a line feed are one character, and a text that is not ASCII may contain an
/// ASCII one that its bytes do not have, because the Kelvin sign equals K.
package struct TextPattern: Sendable {
  package let folding: TextFolding
  let text: String
  /// The bytes to look for in an ASCII text, in lower case if the case is ignored; `nil` if no
  /// ASCII text can match.
  package let bytes: [UInt8]?

  package init(_ text: String, ignoring folding: TextFolding = []) {
    self.folding = folding
    self.text = folding.folded(text)
    let bytes = Array(ASCIIEquals.replaced(in: self.text).utf8)
    self.bytes = bytes.allSatisfy { Self.isPlain($0) } ? bytes : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != 0x0D }

  /// Returns whether another text has a relation to this one.
  func has(_ relation: FilterCondition.TextRelation, to other: String) -> Bool {
    switch relation {
    case .contains: isContained(in: other)
    case .hasPrefix: isPrefix(of: other)
    }
  }

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
      // A character after the prefix may combine with its last one.
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

  /// Searches the bytes of another text, if they are contiguous and decide the answer.
  private func search(
    _ other: String, _ body: (UnsafeBufferPointer<UInt8>, _ isCaseIgnored: Bool) -> Bool?
  ) -> Bool? {
    other.utf8.withContiguousStorageIfAvailable { body($0, folding.contains(.case)) } ?? nil
  }
}

/// The only three characters beyond ASCII whose canonical decomposition in Unicode is an ASCII
/// character, so that Swift considers them equal to it.
package enum ASCIIEquals {
  private static let equals: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{212A}": "K", "\u{37E}": ";", "\u{1FEF}": "`",
  ]

  /// Returns whether an ASCII text equals a text that is not ASCII.
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
