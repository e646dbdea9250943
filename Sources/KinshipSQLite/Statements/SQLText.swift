#if SQLite
  /// The pieces of SQL that are made here: names are quoted, values are never part of it.
  enum SQLText {
    /// A name in double quotes, whatever characters it has.
    static func quoted(_ name: String) -> String {
      var quoted = "\""
      for scalar in name.unicodeScalars {
        quoted.unicodeScalars.append(scalar)
        if scalar == "\"" { quoted.append("\"") }
      }
      quoted.append("\"")
      return quoted
    }

    static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    /// Whether columns are among rows of parameters: `"a" IN (?, ?)`, or
    /// `("a", "b") IN (VALUES (?, ?), (?, ?))`.
    static func isIn(_ columns: [String], rows: Int) -> String {
      if columns.count == 1 {
        return "\(quoted(columns[0])) IN (\(repeated("?", rows)))"
      }
      let row = "(\(repeated("?", columns.count)))"
      return "(\(list(columns))) IN (VALUES \(repeated(row, rows)))"
    }

    /// Whether columns have the values of parameters: `"a" = ? AND "b" = ?`.
    static func equals(_ columns: [String]) -> String {
      columns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
    }

    static func repeated(_ text: String, _ count: Int) -> String {
      Array(repeating: text, count: count).joined(separator: ",")
    }
  }
#endif
