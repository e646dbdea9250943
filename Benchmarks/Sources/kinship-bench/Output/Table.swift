/// The report as plain text.
struct Table {
  let report: Report

  var text: String {
    var lines = [
      "\(report.subcommand): medians of \(report.rounds) interleaved rounds",
      report.machine.summary,
    ]
    for name in report.rows.map(\.case).uniqued() {
      let title = report.summaries[name].map { "\(name): \($0)" } ?? name
      lines += ["", title] + section(report.rows.filter { $0.case == name })
    }
    let notes = notes
    if !notes.isEmpty {
      lines.append("")
      lines += notes.enumerated().map { "[\($0 + 1)] \($1)" }
    }
    return lines.joined(separator: "\n")
  }

  private var notes: [String] { report.rows.compactMap(\.note).uniqued() }

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
      Format.grouped(row.size), row.system + mark, Format.figure(row.value),
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
    return row.withinBar.map { $0 ? "ok" : "over" } ?? ""
  }
}
