/// A group of cases that answers one question.
///
/// To add one, list its cases in a file beside `Cases/Cache.swift` and name it in `all`.
struct Subcommand: Sendable {
  let name: String
  let question: String
  let cases: [Case]
  /// The cases about a genealogy in a file that the command line names.
  var casesOfFile: (@Sendable (_ path: String) -> [Case])?

  /// The cases, with those about a file if there is one.
  func allCases(_ path: String?) -> [Case] {
    cases + (path.flatMap { path in casesOfFile?(path) } ?? [])
  }

  static let all = [
    cache, graph, views, write, translation, snapshot, filestore, query, tails, oo1, oo7,
    postgresql,
    scale, build,
  ]
}
