/// What the header says about how to read the rest: read before the rest is decoded.
struct GedcomHeader: Equatable {
  /// `HEAD.CHAR`, in capitals.
  private(set) var characterSet: String?
  /// The line that says so.
  private(set) var characterSetLine: Int?
  /// `HEAD.GEDC.VERS`.
  private(set) var version: String?

  /// Whether the file says that it is GEDCOM 7 or later.
  var isVersion7: Bool {
    guard let major = version?.prefix(while: { $0 != "." }), let number = Int(major) else {
      return false
    }
    return number >= 7
  }

  /// A header can be long (a copyright note, say), but what is sought here stands near its start.
  private static let linesRead = 1_000

  init(_ text: ArraySlice<UInt8>) {
    var isInside = false
    var section = ""
    for (number, bytes) in LineSplitter(text) {
      guard number <= Self.linesRead else { return }
      // Damage in the header is reported when the file itself is read.
      guard let line = try? GedcomLine(bytes) else { continue }
      var value: String { String(decoding: line.value, as: UTF8.self).trimmingBlanks }
      switch (line.level, line.tag) {
      case (0, "HEAD") where !isInside: isInside = true
      case (0, _) where isInside: return
      case (1, let tag):
        section = tag
        guard tag == "CHAR", characterSet == nil else { continue }
        characterSet = value.uppercased()
        characterSetLine = number
      case (2, "VERS") where section == "GEDC":
        version = version ?? value
      default: break
      }
    }
  }
}
