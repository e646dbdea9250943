/// The pieces of SQL that are made here: names are quoted, values are never part of it.
package enum SQLText {
  /// A name in double quotes, whatever characters it has.
  package static func quoted(_ name: String) -> String { quoted(name, by: "\"") }

  /// A text in single quotes: where SQL takes no parameter, as in the body of a function.
  package static func literal(_ text: String) -> String { quoted(text, by: "'") }

  private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
    var quoted = String(quote)
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == quote { quoted.unicodeScalars.append(quote) }
    }
    quoted.unicodeScalars.append(quote)
    return quoted
  }

  package static func list(_ names: [String], by separator: String = ", ") -> String {
    names.map { quoted($0) }.joined(separator: separator)
  }

  /// Whether columns are among rows of parameters: `"a" IN (?, ?)`, or
  /// `("a", "b") IN (VALUES (?, ?), (?, ?))`.
  package static func isIn(_ columns: [String], rows: Int) -> String {
    if columns.count == 1 {
      return "\(quoted(columns[0])) IN (\(repeated("?", rows)))"
    }
    let row = "(\(repeated("?", columns.count)))"
    return "(\(list(columns))) IN (VALUES \(repeated(row, rows)))"
  }

  /// Whether columns have the values of parameters: `"a" = ? AND "b" = ?`.
  package static func equals(_ columns: [String]) -> String {
    columns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
  }

  package static func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }
}
