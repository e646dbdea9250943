/// Why the program ends without success.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// What it is about: a file, or the program's own arguments.
  var subject = "family-tree"
  var line: Int?
  let message: String

  /// What to tell: `file:line: error: message`.
  var description: String {
    Diagnostic(line: line, severity: .error, message: message).described(in: subject)
  }
}
