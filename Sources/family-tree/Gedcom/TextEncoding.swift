/// The encodings that a value can be decoded from on its own.
///
/// UTF-16 is not among them: it is turned into UTF-8 before the text is cut into lines.
enum TextEncoding: Sendable {
  case utf8
  case ansel
  /// The "ANSI" and "Latin-1" of most software: ISO 8859-1 with letters in the place of its
  /// second set of control characters.
  case windows1252

  /// Returns the text, and whether every byte of it has a meaning.
  ///
  /// A line of a text that is not the UTF-8 it should be reads as Latin-1; the others do not.
  func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isIntact: Bool) {
    if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), true) }
    switch self {
    case .utf8:
      if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let texts = lines.map { String(validating: $0, as: UTF8.self) ?? Windows1252.decode($0) }
      return (texts.joined(separator: "\n"), false)
    case .ansel:
      return Ansel.decode(bytes)
    case .windows1252:
      return (Windows1252.decode(bytes), true)
    }
  }
}
