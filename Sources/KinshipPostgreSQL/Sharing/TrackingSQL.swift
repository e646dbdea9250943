#if PostgreSQL
  internal import KinshipSQL

  /// The SQL that makes a database log changes: a table for the log, and triggers that write to it.
  ///
  /// You can run it again: it replaces its earlier objects, but keeps the log itself.
  struct TrackingSQL {
    /// The most ids that a statement logs; beyond that it logs all records of the type.
    static let mostIDs = 10_000
    /// The lock that serialises runs of the SQL, because functions cannot be replaced concurrently.
    private static let lock = 0x4B69_6E73_6869_70

    /// The tables with triggers, and what is logged of each.
    let subjects: [(table: TableName, parts: [TrackedTable])]

    init(_ tracked: [TrackedTable]) {
      var order: [TableName] = []
      var parts: [TableName: [TrackedTable]] = [:]
      for part in tracked {
        if parts[part.table] == nil { order.append(part.table) }
        // Two lists may have the same rows.
        if parts[part.table]?.contains(part) != true { parts[part.table, default: []].append(part) }
      }
      subjects = order.map { ($0, parts[$0] ?? []) }
    }

    /// The complete SQL, to run as one transaction.
    var text: String {
      let statements =
        Self.log + subjects.flatMap { function(of: $0) + Self.triggers(on: $0.table) }
        // The writer is looked up only after a commit without an answer.
        + ["DROP INDEX IF EXISTS kinship.change_writer"]
      return statements.map { $0 + ";\n" }.joined()
    }

    private static let log = [
      "SELECT pg_advisory_xact_lock(\(lock))",
      "CREATE SCHEMA IF NOT EXISTS kinship",
      """
      CREATE TABLE IF NOT EXISTS kinship.change (
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        record text NOT NULL,
        ids text[],
        writer text DEFAULT nullif(current_setting('kinship.writer', true), ''),
        at timestamptz NOT NULL DEFAULT clock_timestamp())
      """,
      "CREATE INDEX IF NOT EXISTS change_xid ON kinship.change (xid)",
      """
      CREATE TABLE IF NOT EXISTS kinship.state (
        one bool PRIMARY KEY DEFAULT true CHECK (one),
        epoch uuid NOT NULL DEFAULT gen_random_uuid(),
        pruned xid8 NOT NULL)
      """,
      // Running transactions may still write to the log, and none of their rows is skipped.
      """
      INSERT INTO kinship.state (pruned)
      SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::int8 - 1)::text::xid8
      ON CONFLICT DO NOTHING
      """,
    ]

    /// Returns the SQL for the function that a table's triggers call.
    ///
    /// Writers need no right to the log. Ids are logged as texts, which must not depend on the
    /// writer's settings. If they would, the function sets these settings, which takes as long as
    /// writing a row.
    private func function(of subject: (table: TableName, parts: [TrackedTable])) -> [String] {
      let arePlain = subject.parts.allSatisfy(\.isPlain)
      let source = Event.allCases.map { event in
        "IF TG_OP = '\(event.rawValue)' THEN\n"
          + subject.parts.map { $0.statement(for: event) + ";\n" }.joined() + "END IF;\n"
      }
      return [
        """
        CREATE OR REPLACE FUNCTION \(Self.functionName(of: subject.table))() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp\(arePlain ? "" : Self.settings)
        AS \(SQLText.literal("BEGIN\n\(source.joined())RETURN NULL;\nEND"))
        """
      ]
    }

    private static let settings = """
       SET datestyle = 'ISO, YMD' SET timezone = 'UTC'
      SET bytea_output = 'hex' SET extra_float_digits = 1 SET intervalstyle = 'postgres'
      """

    private static func triggers(on table: TableName) -> [String] {
      Event.allCases.map { event in
        // An existing one stays, because a recreated log would mean missed changes.
        """
        DO $kinship$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgname = '\(event.trigger)'
          AND tgrelid = \(SQLText.literal(table.sql))::regclass) THEN
        CREATE TRIGGER \(event.trigger) AFTER \(event.rawValue) ON \(table.sql)
        \(event.transitions)FOR EACH STATEMENT EXECUTE FUNCTION \(functionName(of: table))();
        END IF;
        END $kinship$
        """
      }
    }

    /// Returns a name that identifies the table and is not truncated.
    static func functionName(of table: TableName) -> String {
      let beginning = "\(table)".unicodeScalars.prefix(10).map { String($0) }.joined()
      return "kinship." + SQLText.quoted("log_\(beginning)_\(String(hash(of: table), radix: 16))")
    }

    /// Returns an FNV-1a hash, which is the same in every process.
    private static func hash(of table: TableName) -> UInt64 {
      table.sql.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    enum Event: String, CaseIterable {
      case insert = "INSERT"
      case update = "UPDATE"
      case delete = "DELETE"
      case truncate = "TRUNCATE"

      var trigger: String { "kinship_" + rawValue.lowercased() }

      /// The transition tables of old and new rows; a statement has them for one event only.
      fileprivate var transitions: String {
        switch self {
        case .insert: "REFERENCING NEW TABLE AS new_rows\n"
        case .update: "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows\n"
        case .delete: "REFERENCING OLD TABLE AS old_rows\n"
        case .truncate: ""
        }
      }
    }
  }

  /// Rows of a table whose changes are logged: the records of a type, or the rows of their lists.
  struct TrackedTable: Hashable, Sendable {
    let record: String
    let table: TableName
    /// The columns with the records' ids, in the order of the id.
    let ids: [String]
    /// In rows of a list, the columns that affect the list; `nil` if rows are records.
    var content: [String]?
    /// Whether the texts of ids do not depend on the settings of a session.
    var isPlain = false

    func statement(for event: TrackingSQL.Event) -> String {
      let record = SQLText.literal(record)
      if event == .truncate {
        return "INSERT INTO kinship.change (record, ids) VALUES (\(record), NULL)"
      }
      return """
        INSERT INTO kinship.change (record, ids)
        SELECT \(record), CASE WHEN count(*) <= \(TrackingSQL.mostIDs) THEN \(loggedIDs) END
        FROM (\(rows(of: event))) k HAVING count(*) > 0
        """
    }

    /// The ids in one array; a cast to a text would remove the blanks that pad a `char(n)`.
    private var loggedIDs: String {
      let texts = ids.map { "concat(k.\(SQLText.quoted($0)))" }
      if texts.count == 1 { return "array_agg(\(texts[0]))" }
      return "ARRAY(SELECT unnest(array_agg(ARRAY[\(texts.joined(separator: ", "))])))"
    }

    private func rows(of event: TrackingSQL.Event) -> String {
      let names = SQLText.list(ids)
      // A row without an owner belongs to no list.
      let isOwned =
        content == nil
        ? ""
        : " WHERE " + ids.map { "\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
      switch event {
      case .insert: return "SELECT DISTINCT \(names) FROM new_rows\(isOwned)"
      case .delete, .truncate: return "SELECT DISTINCT \(names) FROM old_rows\(isOwned)"
      case .update:
        guard let content else {
          return "SELECT \(names) FROM old_rows UNION SELECT \(names) FROM new_rows"
        }
        let all = SQLText.list(ids + content.filter { !ids.contains($0) })
        func rest(_ rows: String, _ others: String) -> String {
          "(SELECT \(all) FROM \(rows) EXCEPT ALL SELECT \(all) FROM \(others))"
        }
        return """
          SELECT DISTINCT \(names) FROM (\(rest("old_rows", "new_rows")) UNION ALL \
          \(rest("new_rows", "old_rows"))) d\(isOwned)
          """
      }
    }
  }

  struct TableName: Hashable, Sendable, CustomStringConvertible {
    let schema: String
    let name: String

    init(_ name: String, schema: String = "public") {
      self.schema = schema
      self.name = name
    }

    var sql: String { SQLText.list([schema, name], by: ".") }

    var description: String { "\(schema).\(name)" }
  }

  extension TrackingSQL {
    struct Trigger {
      let isEnabled: Bool
      let source: String
    }

    /// Returns the triggers of a table that log changes, by their names.
    static func triggers(
      of table: TableName, in connection: Connection
    ) throws -> [String: Trigger] {
      // A table without triggers returns one row.
      let rows = try connection.query(
        """
        SELECT t.tgname::text, t.tgenabled IN ('O', 'A'), p.prosrc
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_trigger t ON t.tgrelid = c.oid AND t.tgname LIKE 'kinship\\_%'
        LEFT JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
        WHERE n.nspname = $1 AND c.relname = $2
        """, with: [.text(table.schema), .text(table.name)])
      guard rows.count > 0 else { throw SQLMappingError.noTable("\(table)") }
      let triggers = rows.all.compactMap { cells in
        cells.text(at: 0).map {
          ($0, Trigger(isEnabled: cells.integer(at: 1) == 1, source: cells.text(at: 2) ?? ""))
        }
      }
      return Dictionary(triggers) { first, _ in first }
    }

    /// Checks that the database logs the required changes, and perhaps more for other programs.
    func check(_ connection: Connection) throws {
      for (table, parts) in subjects {
        let triggers = try Self.triggers(of: table, in: connection)
        for event in Event.allCases {
          func notTracked(_ reason: String) -> PostgreSQLError {
            .notTracked(table: "\(table)", reason: reason)
          }
          guard let trigger = triggers[event.trigger] else {
            throw notTracked("it has no trigger “\(event.trigger)”")
          }
          guard trigger.isEnabled else {
            throw notTracked("its trigger “\(event.trigger)” is disabled")
          }
          for part in parts where !trigger.source.contains(part.statement(for: event)) {
            throw notTracked(
              "its trigger “\(event.trigger)” logs something else of “\(part.record)”")
          }
        }
      }
    }
  }
#endif
