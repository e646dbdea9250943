/// Windows code page 1252, of which ISO 8859-1 is a part.
enum Windows1252 {
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(scalar(byte)) }
    return String(scalars)
  }

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return upperControls[Int(byte) - 0x80]
  }

  /// Where the code page differs from ISO 8859-1: the bytes 0x80…0x9F.
  ///
  /// The five bytes without a meaning stay the control characters that they are there.
  private static let upperControls: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
    "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
  ]
}
