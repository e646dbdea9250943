import KinshipProgram

/// The warnings of one reading: the first ones in full, the rest as a count.
///
/// A hostile file can give cause for a warning on each of its lines, so only some are kept.
struct Diagnostics: Sendable {
  static let limit = 1_000

  private var kept: [(line: Int?, message: String)] = []
  /// The number of all diagnostics, kept or not.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The warnings that are kept, in the order of their lines.
  var inFileOrder: [(line: Int?, message: String)] {
    // Sorting an array is stable in practice but not by contract, hence the second key.
    kept.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element)
  }

  /// Adds a warning about a line, counted from 1, or about the whole file.
  mutating func warn(_ line: Int?, _ message: @autoclosure () -> String) {
    count += 1
    if kept.count < Self.limit { kept.append((line, message())) }
  }

  /// The first `limit` warnings, one a line, and how many more there were.
  ///
  /// Editors and terminals make a link of `file:line: warning: message`.
  func report(for file: String, limit: Int = 20) -> [String] {
    let shown = inFileOrder.prefix(limit).map { line, message in
      "\(file)\(line.map { ":\($0)" } ?? ""): warning: \(message)"
    }
    let rest = count - shown.count
    return rest == 0 ? shown : shown + ["\(file): and \(rest.counted("more warning"))"]
  }
}

enum GedcomError: Error, Equatable {
  case empty
  /// No line of the file is a GEDCOM line of level 0.
  case noRecords

  /// The line that it is about; `nil` for the whole file.
  var line: Int? { self == .empty ? nil : 1 }

  var message: String {
    switch self {
    case .empty: "the file is empty. Choose a GEDCOM file"
    case .noRecords:
      "this is not a GEDCOM file, because no line reads like `0 HEAD`. Choose another file"
    }
  }
}
