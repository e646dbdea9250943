/// The pieces of SQL text; names are quoted, and values are never part of it.
package enum SQLText {
  /// Returns a name in double quotes, with any characters.
  package static func quoted(_ name: String) -> String { quoted(name, by: "\"") }

  /// Returns a text in single quotes, for SQL without parameters, such as the body of a function.
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

  /// Returns a condition that columns match one of the rows of parameters.
  ///
  /// For example, `"a" IN (?, ?)`, or `("a", "b") IN (VALUES (?, ?), (?, ?))`.
  package static func isIn(_ columns: [String], rows: Int) -> String {
    if columns.count == 1 {
      return "\(quoted(columns[0])) IN (\(repeated("?", rows)))"
    }
    let row = "(\(repeated("?", columns.count)))"
    return "(\(list(columns))) IN (VALUES \(repeated(row, rows)))"
  }

  /// Returns a condition that columns equal parameters: `"a" = ?` for each column, joined by `AND`.
  package static func equals(_ columns: [String]) -> String {
    columns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
  }

  package static func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }
}
