/// A group of cases that answers one question.
///
/// To add one, list its cases in a file beside `Cases/Cache.swift` and name it in `all`.
struct Subcommand: Sendable {
  let name: String
  let question: String
  let cases: [Case]

  static let all = [cache, graph, write]
}
