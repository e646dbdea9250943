/// The text of `--help`.
enum Help {
  static func text(for subcommand: Subcommand?) -> String {
    guard let subcommand else { return overview }
    let width = subcommand.allCases("").map { $0.name.count }.max() ?? 0
    let cases = subcommand.allCases("").map { "  \(padded($0.name, to: width))  \($0.summary)" }
    return """
      kinship-bench \(subcommand.name): \(subcommand.question)

      CASES
      \(cases.joined(separator: "\n"))

      \(options)
      """
  }

  private static var overview: String {
    let width = Subcommand.all.map { $0.name.count }.max() ?? 0
    let subcommands = Subcommand.all.map { "  \(padded($0.name, to: width))  \($0.question)" }
    return """
      USAGE: kinship-bench <subcommand> [options]

      Compares Kinship with what a program would use without it, in one process and in turns.
      A figure is the ratio of the medians over all rounds.

      SUBCOMMANDS
      \(subcommands.joined(separator: "\n"))

      \(options)
      """
  }

  private static let options = """
    OPTIONS
      --quick        smaller sizes and fewer rounds, for a check at every commit
      --only CASE    only this case; may be given more than once
      --rounds N     rounds of each comparison (default 9, with --quick 3)
      --largest N    only the sizes up to N
      --gedcom FILE  translation: also the pedigree with the most paths in a GEDCOM file
      --json FILE    write the figures and the facts of the machine to FILE
      --svg FILE     draw the figures into FILE
      -h, --help     show this, or the cases of a subcommand

    EXIT STATUS
      0   all counts are right
      1   a count is wrong: the table says which
      2   the run failed, or a file could not be written
      64  the command line could not be understood
    """

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
