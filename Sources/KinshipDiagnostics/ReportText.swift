/// Formats numbers, durations and names for a report.
enum ReportText {
  /// Stands for a number that is not known.
  static let unknown = "–"

  /// Formats a number that may not be known.
  static func number(_ number: Int?) -> String { number.map { Self.number($0) } ?? unknown }

  /// Formats a number with its digits in groups of three.
  static func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// Formats a limit; `Int.max` is no limit.
  static func limit(_ limit: Int) -> String { limit == .max ? "no limit" : number(limit) }

  /// Formats a duration with three digits, in a suitable unit.
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

  /// Formats a quotient with three digits in all, truncated.
  private static func decimal(_ number: UInt64, _ unit: UInt64) -> String {
    let (whole, rest) = (number / unit, number % unit)
    if whole >= 100 { return "\(whole)" }
    if whole >= 10 { return "\(whole).\(rest * 10 / unit)" }
    let hundredths = rest * 100 / unit
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths)"
  }

  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1_000).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// Escapes a text, so that it contains no HTML markup and no changes of the writing direction.
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

/// The first rows of a table, the head before them.
struct ReportTable {
  static let limit = 25

  /// The number of left-aligned columns; the others are numbers, right-aligned.
  let leading: Int
  let rows: [[String]]
  let more: Int

  init<Row>(
    leading: Int, _ head: [String], _ rows: some Collection<Row>, _ cells: (Row) -> [String]
  ) {
    self.leading = leading
    self.rows = [head] + rows.prefix(Self.limit).map(cells)
    more = max(0, rows.count - Self.limit)
  }

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
