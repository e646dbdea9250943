/// The warnings of one reading: the first ones in full, the rest as a count.
///
/// A hostile or a thoroughly damaged file can give cause for a warning on each of its lines; what
/// is kept of them is bounded.
struct Diagnostics: Sendable {
  /// How many are kept in full.
  static let limit = 1_000

  private var kept: [Diagnostic] = []

  /// How many there were, kept or not.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Those kept, in the order of their lines.
  var inFileOrder: [Diagnostic] {
    // Sorting an array is stable in practice but not by contract, hence the second key.
    kept.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element)
  }

  /// Notes a warning about a line, or about the whole file.
  mutating func warn(_ line: Int?, _ message: @autoclosure () -> String) {
    count += 1
    guard kept.count < Self.limit else { return }
    kept.append(Diagnostic(line: line, severity: .warning, message: message()))
  }

  /// The first `limit` warnings, one a line, and how many more there were.
  func report(for file: String, limit: Int = 20) -> [String] {
    let shown = inFileOrder.prefix(limit).map { $0.described(in: file) }
    guard count > shown.count else { return shown }
    let rest = count - shown.count
    return shown + ["\(file): and \(rest) more \(rest == 1 ? "warning" : "warnings")"]
  }
}
