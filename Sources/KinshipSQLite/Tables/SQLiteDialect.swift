#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  /// The SQL of SQLite.
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

  /// Kinship's order of texts, by their UTF-8, for databases in UTF-16.
  enum TextOrder {
    /// The name of the collation, in quotes.
    static let collation = "\"kinship utf8\""

    /// Registers the collation with a connection.
    static func register(in database: OpaquePointer) -> Int32 {
      sqlite3_create_collation_v2(
        database, "kinship utf8", SQLITE_UTF8, nil,
        { _, leftCount, left, rightCount, right in
          let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
          let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          if left.lexicographicallyPrecedes(right) { return -1 }
          return right.lexicographicallyPrecedes(left) ? 1 : 0
        }, nil)
    }
  }
#endif
