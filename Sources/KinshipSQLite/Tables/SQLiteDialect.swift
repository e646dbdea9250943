#if SQLite
  internal import KinshipSQL

  struct SQLiteDialect: SQLDialect {
    /// The collation that sorts texts by their UTF-8.
    private let collation: String

    /// In a database in UTF-16, `BINARY` would sort by the bytes of UTF-16.
    init(encoding: SQLValue) {
      collation = encoding == .text("UTF-8") ? "BINARY" : TextOrder.collation
    }

    var store: String { "SQLiteStore" }
    var kindOfOthers: ColumnKind { .any }
    var sortsNullFirst: Bool { true }
    var noLimit: SQLValue { .integer(-1) }

    func byBytes(_ column: String, _ kind: ColumnKind) -> String {
      "\(column) COLLATE \(collation)"
    }

    func equalByBytes(_ column: String, _ kind: ColumnKind) -> String {
      "\(column) COLLATE BINARY"
    }

    func parameter(_ value: SQLValue, with kind: ColumnKind) -> String? { "?" }

    func list(ofTexts: Bool) -> String { "(SELECT value FROM json_each(?))" }

    func asText(_ column: String) -> String { column }

    func isBeyondASCII(_ column: String) -> String {
      "length(CAST(\(column) AS BLOB)) <> length(\(column))"
    }

    func place(in column: String, ignoringCase: Bool) -> String {
      "instr(\(ignoringCase ? "lower(\(column))" : column), ?)"
    }

    func array(of statement: String, isPlain: Bool) -> String {
      let element =
        isPlain
        ? "x"
        : "CASE typeof(x) WHEN 'text' THEN 't' || x WHEN 'blob' THEN 'b' || hex(x) ELSE x END"
      return "(SELECT json_group_array(\(element)) FROM (\(statement)))"
    }

    var isOneKind: String { "min(typeof(value)) = max(typeof(value))" }
  }
#endif
