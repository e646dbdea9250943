#if PostgreSQL
  internal import KinshipSQL

  extension TrackingSQL {
    /// Checks that the database logs the required changes.
    ///
    /// It may log more, because another program may map more of a table.
    ///
    /// - Parameter connection: A connection to the database.
    /// - Throws: `PostgreSQLError.notTracked` for a table whose changes are not all logged.
    func check(_ connection: Connection) throws {
      for subject in subjects { try check(subject.table, subject.parts, connection) }
    }

    private func check(_ table: TableName, _ parts: [Part], _ connection: Connection) throws {
      let rows = try connection.query(
        Self.sql,
        [
          PostgreSQLType.text.parameter(.text(table.schema)),
          PostgreSQLType.text.parameter(.text(table.name)),
        ])
      guard rows.count > 0 else { throw SQLMappingError.noTable("\(table)") }
      var found: [String: (state: String, source: String)] = [:]
      for row in 0..<rows.count {
        let cells = PostgreSQLCells(rows, row: row)
        guard let name = cells.text(at: 0), let state = cells.text(at: 1),
          let source = cells.text(at: 2)
        else { continue }
        found[name] = (state, source)
      }
      for event in Event.allCases {
        guard let trigger = found[event.trigger] else {
          throw PostgreSQLError.notTracked(
            table: "\(table)", reason: "it has no trigger “\(event.trigger)”")
        }
        guard trigger.state == "O" || trigger.state == "A" else {
          throw PostgreSQLError.notTracked(
            table: "\(table)", reason: "its trigger “\(event.trigger)” is disabled")
        }
        for part in parts where !trigger.source.contains(part.statement(for: event)) {
          throw PostgreSQLError.notTracked(
            table: "\(table)",
            reason: "its trigger “\(event.trigger)” logs something else of “\(part.record)”")
        }
      }
    }

    /// A table without triggers returns one row.
    private static let sql = """
      SELECT t.tgname::text, t.tgenabled::text, p.prosrc
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_trigger t ON t.tgrelid = c.oid AND t.tgname LIKE 'kinship\\_%'
      LEFT JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
      WHERE n.nspname = $1 AND c.relname = $2
      """
  }
#endif
