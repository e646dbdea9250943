/// The pieces of SQL text; names are quoted, and values are never part of it.
package enum SQLText {
  /// Returns a name in double quotes, with any characters.
  package static func quoted(_ name: String) -> String { quoted(name, by: "\"") }

  /// Returns a text in single quotes, for SQL without parameters, such as the body of a function.
  package static func literal(_ text: String) -> String { quoted(text, by: "'") }

  private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
    // A quote may be followed by a combining character, which would hide it in a `Character`.
    let parts = text.unicodeScalars.split(separator: quote, omittingEmptySubsequences: false)
    return "\(quote)\(parts.map { String($0) }.joined(separator: "\(quote)\(quote)"))\(quote)"
  }

  /// Returns the beginning of a statement, as a suffix for an error's message.
  package static func place(_ sql: String) -> String {
    ", in “\(sql.prefix(100))\(sql.count > 100 ? "…" : "")”"
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
  package static func equals(_ columns: [String], joinedBy separator: String = " AND ") -> String {
    columns.map { "\(quoted($0)) = ?" }.joined(separator: separator)
  }

  /// Returns a statement that inserts a row of parameters.
  package static func insertion(into table: String, _ columns: [String]) -> String {
    "INSERT INTO \(quoted(table)) (\(list(columns))) VALUES (\(repeated("?", columns.count)))"
  }

  package static func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }
}
