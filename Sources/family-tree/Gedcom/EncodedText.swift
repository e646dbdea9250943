import KinshipProgram

/// The bytes of a file, and how to read them.
struct EncodedText: Sendable {
  /// The text without a byte order mark.
  let bytes: ArraySlice<UInt8>
  /// The encoding of each of its lines.
  let encoding: TextEncoding
  let header: GedcomHeader

  /// Finds out the encoding: from a byte order mark, else from the text itself, else from what the
  /// header declares, which is often wrong.
  init(_ file: [UInt8], diagnostics: inout Diagnostics) {
    if let order = UTF16Order(file) {
      bytes = Self.transcoded(file, order, diagnostics: &diagnostics)
      encoding = .utf8
      header = GedcomHeader(bytes)
    } else if file.starts(with: Self.utf8Mark) {
      bytes = file[Self.utf8Mark.count...]
      encoding = .utf8
      header = GedcomHeader(bytes)
    } else {
      bytes = file[...]
      header = GedcomHeader(bytes)
      encoding = Self.encoding(of: bytes, header, diagnostics: &diagnostics)
    }
  }

  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func encoding(
    of bytes: ArraySlice<UInt8>, _ header: GedcomHeader, diagnostics: inout Diagnostics
  ) -> TextEncoding {
    guard !header.isVersion7, bytes.contains(where: { $0 >= 0x80 }) else { return .utf8 }

    // Accented text in an encoding of one byte a letter is hardly ever valid UTF-8 by chance.
    let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
    let declared = header.characterSet
    func warn(_ message: String) { diagnostics.warn(header.characterSetLine, message) }

    switch declared {
    case "UTF-8", "UTF8", "UNICODE":
      return .utf8
    case nil where isUTF8:
      return .utf8
    case let declared? where isUTF8:
      warn("the header declares \(declared.quoted), but the text is UTF-8 and is read as such")
      return .utf8
    case "ANSEL":
      return .ansel
    case "ANSI", "WINDOWS-1252", "CP1252", "IBM WINDOWS", "LATIN1", "LATIN-1", "ISO-8859-1",
      "ISO8859-1":
      return .windows1252
    case let declared?:
      warn("the text is not \(declared.quoted) that can be read here; it is read as Latin-1")
      return .windows1252
    case nil:
      warn("the header declares no character set, and the text is not UTF-8: read as Latin-1")
      return .windows1252
    }
  }

  private static func transcoded(
    _ file: [UInt8], _ order: UTF16Order, diagnostics: inout Diagnostics
  ) -> ArraySlice<UInt8> {
    let units = order.units(of: file)
    if file.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) {
      return Array(text.utf8)[...]
    }
    diagnostics.warn(nil, "the text is not valid UTF-16; what cannot be read shows as \u{FFFD}")
    return Array(String(decoding: units, as: UTF16.self).utf8)[...]
  }
}
