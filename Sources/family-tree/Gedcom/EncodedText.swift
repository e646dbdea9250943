import KinshipProgram

/// The bytes of a file, and how to read them.
struct EncodedText: Sendable {
  /// The text without a byte order mark.
  let bytes: ArraySlice<UInt8>
  let header: GedcomHeader
  /// Whether a byte order mark leaves no doubt that the text is UTF-8 by now.
  private let isMarked: Bool

  init(_ file: [UInt8], diagnostics: inout Diagnostics) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if let order = UTF16Order(file) {
      (bytes, isMarked) = (Self.transcoded(file, order, diagnostics: &diagnostics), true)
    } else {
      isMarked = file.starts(with: mark)
      bytes = file.dropFirst(isMarked ? mark.count : 0)
    }
    header = GedcomHeader(bytes)
  }

  /// Finds out the encoding: from a byte order mark, else from the values themselves, else from
  /// what the header declares, which is often wrong.
  ///
  /// Accented text in an encoding of one byte a letter is hardly ever valid UTF-8 by chance, so a
  /// few damaged values do not count against many valid ones.
  func encoding(
    of values: some Sequence<ArraySlice<UInt8>>, diagnostics: inout Diagnostics
  ) -> TextEncoding {
    var (valid, damaged) = (0, 0)
    for value in values where value.contains(where: { $0 >= 0x80 }) {
      if String(validating: value, as: UTF8.self) != nil { valid += 1 } else { damaged += 1 }
    }
    if isMarked || header.isVersion7 || valid + damaged == 0 { return .utf8 }
    func warn(_ message: String) { diagnostics.warn(header.characterSetLine, message) }

    switch header.characterSet {
    case "UTF-8", "UTF8", "UNICODE":
      return .utf8
    case nil where valid > 0:
      return .utf8
    case let declared? where valid >= damaged:
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
