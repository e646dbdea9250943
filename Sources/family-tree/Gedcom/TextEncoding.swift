/// The encodings that a line can be decoded from on its own.
///
/// UTF-16 is not among them: it is turned into UTF-8 before the text is cut into lines.
enum TextEncoding: Sendable {
  case utf8
  case ansel
  /// What software means by "ANSI" and "Latin-1": ISO 8859-1 with letters in the place of its
  /// second set of control characters.
  case windows1252

  /// The text, and whether every byte of it had a meaning.
  ///
  /// A line that is not the UTF-8 it should be reads as Latin-1: one damaged line must not spoil
  /// the rest of the file.
  func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isIntact: Bool) {
    if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), true) }
    switch self {
    case .utf8:
      if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
      return (Windows1252.decode(bytes), false)
    case .ansel:
      return Ansel.decode(bytes)
    case .windows1252:
      return (Windows1252.decode(bytes), true)
    }
  }
}
