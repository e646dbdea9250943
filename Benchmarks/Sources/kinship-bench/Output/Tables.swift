/// The figures as plain text, one table for each case.
///
/// A note is numbered in the order of its first use, and printed below that table.
struct Tables {
  private var notes: [String] = []

  /// The heading of all tables.
  static func heading(_ subcommand: String, rounds: Int, machine: Machine) -> String {
    "\(subcommand): medians of \(rounds) interleaved rounds\n\(machine.summary)"
  }

  /// The table of a case, with the notes that its rows use first.
  mutating func table(of benchmarkCase: Case, rows: [Row]) -> String {
    let new = rows.compactMap(\.note).uniqued().filter { !notes.contains($0) }
    let numbered = new.enumerated().map { "  [\(notes.count + $0 + 1)] \($1)" }
    notes += new
    let title = "\(benchmarkCase.name): \(benchmarkCase.summary)"
    return ([title] + section(rows) + numbered).joined(separator: "\n")
  }

  private func section(_ rows: [Row]) -> [String] {
    guard let first = rows.first else { return [] }
    let unit = first.unit == .nanoseconds ? "ns" : "bytes"
    let header = [first.sizeName, "system", unit, "±", "× \(first.baseline)", "bar", ""]
    let cells = [header] + rows.map(cells(of:))
    let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { cells in
      let padded = zip(cells, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 1 || column == 6 ? cell.0 + space : space + cell.0
      }
      let line = "  " + padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func cells(of row: Row) -> [String] {
    let mark = row.note.flatMap { notes.firstIndex(of: $0) }.map { " [\($0 + 1)]" } ?? ""
    return [
      Format.grouped(row.size), row.label + mark, Format.figure(row.value),
      Format.percent(row.spread), Format.ratio(row.ratio), bar(of: row), verdict(on: row),
    ]
  }

  private func bar(of row: Row) -> String {
    if let most = row.barRatio { return "≤ \(Format.ratio(most)) ×" }
    if let most = row.barValue { return "≤ \(Format.figure(most)) \(row.unit.rawValue)" }
    return ""
  }

  private func verdict(on row: Row) -> String {
    guard row.mismatches.isEmpty else { return "WRONG COUNTS" }
    let facts = row.facts.map { "\(Format.ratio($0.value)) \($0.what)" }
    return ((row.withinBar.map { [$0 ? "ok" : "over"] } ?? []) + facts).joined(separator: ", ")
  }
}
