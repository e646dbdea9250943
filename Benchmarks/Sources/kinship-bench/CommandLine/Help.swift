/// The text of `--help`.
enum Help {
  static func text(for subcommand: Subcommand?) -> String {
    guard let subcommand else { return overview }
    let width = subcommand.allCases("").map { $0.name.count }.max() ?? 0
    let cases = subcommand.allCases("").map { row($0.name, $0.summary, width) }
    return """
      kinship-bench \(subcommand.name): \(subcommand.question)

      CASES
      \(cases.joined(separator: "\n"))

      \(options)
      """
  }

  private static var overview: String {
    let width = Subcommand.all.map { $0.name.count }.max() ?? 0
    let subcommands = Subcommand.all.map { row($0.name, $0.question, width) }
    return """
      USAGE: kinship-bench SUBCOMMAND [OPTIONS]

      Compares Kinship with code that does the same without it, in one process and in
      turns. A figure is the ratio of the medians over all rounds.

      SUBCOMMANDS
      \(subcommands.joined(separator: "\n"))
      \(row("all", "All of these, one after another.", width))

      \(options)
      """
  }

  private static let options = """
    CHOOSE WHAT TO RUN
      --quick        smaller sizes and fewer rounds, for a check at every commit
      --only CASE    only this case; repeat it for several
      --rounds N     rounds of each comparison (default: 9, with --quick 3)
      --largest N    only the sizes up to N
      --gedcom FILE  with translation: also the pedigree with the most paths in a
                     GEDCOM file

    WRITE FILES
      --json FILE    write the figures and the facts of the machine to FILE
      --svg FILE     draw the figures into FILE
                     With all, FILE is a directory, which gets a file for each
                     subcommand.
                     Either replaces FILE. Cases with databases and stores use new
                     directories, kinship-bench-…, in the temporary directory, and
                     remove them; those of PostgreSQL start servers of their own there

    HELP
      -h, --help     print this, or the cases of a subcommand

    READ THE TABLE
      ×    the median, divided by that of the baseline
      ±    half the distance between the quartiles, in percent of the median
      bar  the limit that Kinship's design sets itself: at most so many times the
           baseline, or so many nanoseconds or bytes. “ok” is within the bar, “over”
           is not. A missed bar does not change the exit status

    EXAMPLES
      kinship-bench cache --quick
      kinship-bench cache --only hits --rounds 21
      kinship-bench graph --json graph.json --svg graph.svg

    EXIT STATUS
      0 all counts are right, 1 a count is wrong and the table says which, 64 wrong
      arguments, 70 a case failed, 73 a file cannot be written
    """

  /// A name and its description, in lines of at most 80 columns.
  private static func row(_ name: String, _ text: String, _ width: Int) -> String {
    let indent = String(repeating: " ", count: width + 4)
    var lines = ["  " + name + indent.dropFirst(name.count + 2)]
    for (number, word) in text.split(separator: " ").enumerated() {
      if number > 0, lines[lines.count - 1].count + word.count >= 80 { lines.append(indent) }
      let isFirst = number == 0 || lines[lines.count - 1] == indent
      lines[lines.count - 1] += (isFirst ? "" : " ") + word
    }
    return lines.joined(separator: "\n")
  }
}
