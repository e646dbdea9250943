import KinshipProgram

/// A name as it is read and as it is sorted.
struct PersonName: Codable, Hashable, Sendable {
  /// `John Doe`; empty if the name is not known.
  let full: String
  /// `Doe`; empty if there is none.
  let surname: String

  init(full: String, surname: String = "") {
    self.full = full
    self.surname = surname
  }

  /// Takes a name in GEDCOM's form apart; slashes enclose the surname: `John /Doe/ Jr.`.
  ///
  /// Old programs keep words together by underscores: `Edward_VII`. A name without slashes has
  /// the surname that is given beside it.
  init(gedcom text: String, surname: String = "") {
    let text = text.replacing("_", with: " ")
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    full = parts.joined(separator: " ").readable
    self.surname = parts.count > 1 ? String(parts[1]).readable : surname
  }

  /// What to show: the name, or that there is none.
  var display: String { full.isEmpty ? "(no name)" : full }
}
