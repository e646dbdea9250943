/// Something about a file that its owner should know, with the line it is about.
struct Diagnostic: Hashable, Sendable {
  /// How bad it is.
  enum Severity: String, Sendable {
    /// The file was read; what the line says was repaired, kept apart or left out.
    case warning
    /// The file was not read.
    case error
  }

  /// The line, counted from 1; nil where it is about the whole file.
  let line: Int?
  let severity: Severity
  let message: String

  /// The form that editors and terminals make a link of: `file:line: severity: message`.
  func described(in file: String) -> String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity.rawValue): \(message)"
  }
}
