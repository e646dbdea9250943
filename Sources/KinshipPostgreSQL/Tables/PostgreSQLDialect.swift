#if PostgreSQL
  internal import KinshipSQL

  /// The SQL of PostgreSQL.
  ///
  /// Parameters have the types of their values: `bigint` for integers, `double precision` for
  /// numbers, `text` for texts, `bytea` for bytes.
  struct PostgreSQLDialect: SQLDialect {
    var store: String { "PostgreSQLStore" }
    var kindOfOthers: ColumnKind { .other }
    var sortsNullFirst: Bool { false }
    var noLimit: SQLValue { .null }

    func byBytes(_ column: String, _ kind: ColumnKind) -> String {
      kind == .text ? "\(column) COLLATE \"C\"" : column
    }

    /// Only other collations treat different texts as equal, and such columns are not compared.
    func equalByBytes(_ column: String, _ kind: ColumnKind) -> String { column }

    func parameter(_ value: SQLValue, with kind: ColumnKind) -> String? {
      switch (kind, value) {
      case (_, .null): "?"
      case (.integer, .integer), (.real, .integer), (.real, .real): "?"
      // PostgreSQL has no such character: no row is equal, and the server rejects it.
      case (.text, .text(let text)): text.utf8.contains(0) ? nil : "?"
      case (.boolean, .integer): "(? <> 0)"
      case (.uuid, .blob(let bytes)): bytes.count == 16 ? "encode(?, 'hex')::uuid" : nil
      case (.time, .real), (.time, .integer):
        "(timestamptz '2001-01-01 00:00:00+00' + ? * interval '1 second')"
      default: nil
      }
    }

    func list(ofTexts: Bool) -> String {
      let cast = ofTexts ? "" : "::bigint"
      return "(SELECT value\(cast) FROM json_array_elements_text(?::json) AS value)"
    }

    func asText(_ column: String) -> String { "\(column)::text" }

    func isBeyondASCII(_ column: String) -> String {
      "octet_length(\(column)) <> char_length(\(column))"
    }

    func place(in column: String, ignoringCase: Bool) -> String {
      "strpos(\(ignoringCase ? "lower(\(column) COLLATE \"C\")" : column), ?)"
    }

    func array(of statement: String, isPlain: Bool) -> String { "ARRAY(\(statement))" }

    /// Columns have a type, so this always holds.
    var isOneKind: String { "1" }
  }

  extension ColumnKind {
    init(_ type: PostgreSQLType, isDeterministic: Bool) {
      self =
        switch type.kind {
        case .int2, .int4, .int8, .oid: .integer
        case .float4, .float8, .numeric: .real
        case .bool: .boolean
        case .uuid: .uuid
        case .timestamp, .date: .time
        // Others are padded, ignore case, or sort in the order of declaration.
        case .text: isDeterministic && type.isPlainText ? .text : .other
        default: .other
        }
    }
  }

  extension PostgreSQLType {
    /// Whether it is `text` or `varchar`.
    var isPlainText: Bool { number == Self.text.number || number == 1043 }
  }
#endif
