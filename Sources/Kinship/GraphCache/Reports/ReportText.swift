/// How a report writes numbers, times and names.
enum ReportText {
  /// A number with its digits in groups of three.
  static func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// A limit; one that nothing reaches is none.
  static func limit(_ limit: Int) -> String { limit == .max ? "no limit" : number(limit) }

  /// A time of three digits, in the unit that is fit for it.
  static func duration(_ duration: Duration) -> String {
    let nanoseconds = duration.nanoseconds
    switch nanoseconds {
    case ..<1_000: return "\(nanoseconds) ns"
    case ..<1_000_000: return decimal(nanoseconds, 1_000) + " µs"
    case ..<1_000_000_000: return decimal(nanoseconds, 1_000_000) + " ms"
    case ..<60_000_000_000: return decimal(nanoseconds, 1_000_000_000) + " s"
    default:
      let seconds = nanoseconds / 1_000_000_000
      let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
      return hours > 0 ? "\(hours) h \(minutes) min" : "\(minutes) min \(seconds % 60) s"
    }
  }

  /// A quotient with three digits in all, cut off.
  private static func decimal(_ number: UInt64, _ unit: UInt64) -> String {
    let (whole, rest) = (number / unit, number % unit)
    if whole >= 100 { return "\(whole)" }
    if whole >= 10 { return "\(whole).\(rest * 10 / unit)" }
    let hundredths = rest * 100 / unit
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths)"
  }

  /// A share in percent.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1_000).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// A text in which nothing is a mark of HTML, and nothing turns the direction of writing.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n": result += "\n"
      default:
        let isPrinted =
          scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl
        result.unicodeScalars.append(isPrinted ? scalar : " ")
      }
    }
    return result
  }
}

/// Rows of a table, of which the first is its head; of very many, the first of them.
struct ReportTable {
  static let limit = 25

  /// How many columns stand at the left; the others are numbers, at the right.
  let leading: Int
  let rows: [[String]]
  /// How many more there would be.
  let more: Int

  init<Row>(
    leading: Int, _ head: [String], _ rows: some Collection<Row>, _ cells: (Row) -> [String]
  ) {
    self.leading = leading
    self.rows = [head] + rows.prefix(Self.limit).map(cells)
    more = max(0, rows.count - Self.limit)
  }

  /// The rows as lines of columns.
  var lines: [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column < leading ? cell.0 + padding : padding + cell.0
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return more > 0 ? lines + ["  and \(ReportText.number(more)) more"] : lines
  }
}
