import KinshipProgram

/// A name as it is read and as it is sorted.
struct PersonName: Codable, Hashable, Sendable {
  /// `John Doe`; empty where the name is not known.
  let full: String
  /// `Doe`; empty where there is none.
  let surname: String

  init(full: String, surname: String = "") {
    self.full = full
    self.surname = surname
  }

  /// Takes a name in GEDCOM's form apart, where slashes enclose the surname: `John /Doe/ Jr.`.
  ///
  /// Old programs keep words together by underscores: `Edward_VII`.
  init(gedcom text: String) {
    let text = text.replacing("_", with: " ")
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    full = parts.joined(separator: " ").readable
    surname = parts.count > 1 ? String(parts[1]).readable : ""
  }

  /// What to show: the name, or that there is none.
  var display: String { full.isEmpty ? "(no name)" : full }
}
