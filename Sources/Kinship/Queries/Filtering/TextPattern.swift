/// A text that is looked for in others, character by character as Swift compares strings.
///
/// Where both are ASCII, bytes say the same and are looked through many times faster. Not so where
/// a carriage return is: with a line feed it is one character. A text that is not ASCII may contain
/// an ASCII one that its bytes do not have: the Kelvin sign is a K.
struct TextPattern: Sendable {
  private let text: String
  /// The bytes, if these can be looked for.
  private let bytes: [UInt8]?

  init(_ text: String) {
    self.text = text
    let bytes = Array(text.utf8)
    self.bytes = bytes.allSatisfy { Self.isPlain($0) } ? bytes : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != 0x0D }

  func isContained(in other: String) -> Bool {
    let found = search(other) { bytes, other -> Bool? in
      guard other.allSatisfy({ Self.isPlain($0) }) else { return nil }
      if bytes.isEmpty { return true }
      guard let first = bytes.first, other.count >= bytes.count else { return false }
      for start in 0...(other.count - bytes.count)
      where other[start] == first && other[start...].starts(with: bytes) {
        return true
      }
      return false
    }
    return found ?? other.contains(text)
  }

  func isPrefix(of other: String) -> Bool {
    let found = search(other) { bytes, other -> Bool? in
      // What follows the prefix may belong to its last character.
      let beginning = other.prefix(bytes.count + 1)
      guard beginning.allSatisfy({ Self.isPlain($0) }) else { return nil }
      return beginning.starts(with: bytes)
    }
    return found ?? other.starts(with: text)
  }

  /// Looks through the bytes of another text, if they lie in a row and can say anything.
  private func search(
    _ other: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool?
  ) -> Bool? {
    guard let bytes else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      other.utf8.withContiguousStorageIfAvailable { body(bytes, $0) } ?? nil
    }
  }
}
