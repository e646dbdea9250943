#if SQLite
  internal import KinshipSQL

  /// The changes that a database may make by itself when rows change.
  struct SideEffects: Sendable {
    /// Whether there are triggers, other than those of the log.
    let hasTriggers: Bool
    /// Whether foreign keys delete or change the rows that refer to a deleted one.
    let hasActions: Bool

    /// Reads the schema.
    init(in connection: Connection) throws(SQLiteError) {
      hasTriggers =
        try connection.pragma(
          """
          SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger'
            AND name NOT LIKE 'kinship %')
          """) == .integer(1)
      hasActions =
        try connection.pragma(
          """
          SELECT EXISTS (SELECT 1 FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
            WHERE t.type = 'table' AND f.on_delete NOT IN ('NO ACTION', 'RESTRICT'))
          """) == .integer(1)
    }
  }

  /// A log in a temporary table, written by the triggers of one connection.
  ///
  /// It records the side effects of the connection's own commits.
  enum PrivateLog {
    static let table = "kinship_own_change"

    /// Creates the log, replacing an existing one.
    ///
    /// - Parameters:
    ///   - triggers: The triggers that write to the shared log, if there is one.
    ///   - connection: The connection, outside of a transaction.
    /// - Throws: `SQLiteError`.
    static func install(
      _ triggers: [ChangeTrigger], in connection: Connection
    ) throws(SQLiteError) {
      let old = try connection.rows(
        "SELECT name FROM sqlite_temp_schema WHERE type = 'trigger' AND name LIKE 'kinship %'")
      for case .text(let name) in old.compactMap(\.first) {
        try connection.execute("DROP TRIGGER temp.\(SQLText.quoted(name))")
      }
      try connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(table) (number INTEGER PRIMARY KEY, record TEXT, id)")
      for trigger in triggers {
        try connection.execute(
          trigger.sql.replacing("CREATE TRIGGER", with: "CREATE TEMP TRIGGER", maxReplacements: 1)
            .replacing("INTO \(ChangeLog.table) ", with: "INTO \(table) "))
      }
    }
  }
#endif
