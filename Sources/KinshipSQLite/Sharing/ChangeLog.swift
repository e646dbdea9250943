#if SQLite
  internal import Kinship
  public import KinshipSQL
  internal import KinshipSync

  /// The table to which triggers write the changes, in the order of commits.
  ///
  /// The order holds because SQLite has one writer at a time.
  struct ChangeLog: Sendable {
    static let table = "kinship_change"
    /// The least number of rows to keep; older ones are deleted automatically, a thousand at a
    /// time.
    static let most = 131_072

    private let tables: [any TrackedTable]
    private let byName: [String: [any TrackedTable]]

    init(_ tables: [any TrackedTable]) {
      self.tables = tables.sorted { $0.recordType.recordName < $1.recordType.recordName }
      byName = Dictionary(grouping: tables) { $0.recordType.recordName }
    }

    // MARK: Making it

    /// The row's mark distinguishes it from a row of another log with the same number.
    static let creation = """
      CREATE TABLE \(table) (
        number INTEGER PRIMARY KEY, mark INTEGER NOT NULL DEFAULT (random()), record TEXT, id)
      """

    /// The trigger that limits the size of the log.
    static let pruning = ChangeTrigger(
      "log", "AFTER INSERT", on: table, when: "NEW.number % 1024 = 0",
      ["DELETE FROM \(table) WHERE number <= NEW.number - \(most)"])

    private func triggers(in connection: Connection) throws -> [ChangeTrigger] {
      var triggers = [Self.pruning]
      for table in tables { triggers += try table.triggers(in: connection) }
      return triggers
    }

    func sql(in connection: Connection) throws -> String {
      let beginning = "INSERT INTO \(Self.table) (record) SELECT NULL"
      let statements = [
        Self.creation.replacing("CREATE TABLE", with: "CREATE TABLE IF NOT EXISTS") + ";",
        // The log always has a last row.
        "\(beginning) WHERE NOT EXISTS (SELECT 1 FROM \(Self.table));",
      ]
      return (statements + (try triggers(in: connection)).map(\.installation))
        .joined(separator: "\n") + "\n"
    }

    func exists(in connection: Connection) throws -> Bool {
      let sql = "SELECT count(*) FROM sqlite_schema WHERE name = '\(Self.table)'"
      return try connection.pragma(sql) != .integer(0)
    }

    func tracking(in connection: Connection) throws -> SQLiteTracking {
      let triggers: [ChangeTrigger]
      do {
        triggers = try self.triggers(in: connection)
      } catch SQLMappingError.unsuitableMapping(let table, let reason) {
        return .impossible(.unsuitableMapping(table: table, reason: reason))
      }
      let found = try connection.rows(
        "SELECT name, sql FROM sqlite_schema WHERE name = ? OR type = 'trigger'",
        [.text(Self.table)])
      let sql = Dictionary(found.map { ($0[0], $0[1]) }) { first, _ in first }
      guard let creation = sql[.text(Self.table)] else { return .absent }
      var lacking = triggers.filter { sql[.text($0.name)] != .text($0.sql) }.map(\.name)
      if creation != .text(Self.creation) { lacking.insert(Self.table, at: 0) }
      return lacking.isEmpty ? .complete : .incomplete(lacking: lacking)
    }

    // MARK: Reading it

    /// A place in the log: a row, in one version of the schema.
    ///
    /// A change of the schema may change rows without running a trigger.
    struct LogPosition: Hashable, Sendable {
      let schema: Int64
      let number: Int64
      let mark: Int64

      var cursor: StoreCursor { StoreCursor("log \(schema) \(number) \(mark)") }
    }

    func schemaVersion(in connection: Connection) throws -> Int64 {
      try connection.pragma("PRAGMA schema_version").integer ?? 0
    }

    func lastNumber(of table: String, in connection: Connection) throws -> Int64 {
      let statement = try connection.frame(
        "SELECT number FROM \(table) ORDER BY number DESC LIMIT 1")
      return try statement.integer() ?? 0
    }

    /// Reports the changes after a number in a log, except those of some records.
    func report(
      after start: Int64, of table: String, besides own: Set<AnyRef>, to report: inout CommitReport,
      in connection: Connection
    ) throws {
      let rows = try connection.rows(
        "SELECT record, id FROM \(table) WHERE number > ?", [.integer(start)])
      var refs: Set<AnyRef> = []
      for row in rows {
        guard case .text(let name) = row[0] else { continue }
        for table in byName[name] ?? [] {
          if let ref = table.ref(of: row[1]) {
            refs.insert(ref)
          } else {
            report.types.append(table.recordType)
          }
        }
      }
      report.refs += refs.subtracting(own)
    }

    /// Returns the triggers of all tables that can have them; views cannot.
    func triggersForThoseThatCan(in connection: Connection) throws -> [ChangeTrigger] {
      try tables.flatMap { table in
        do {
          return try table.triggers(in: connection)
        } catch SQLMappingError.unsuitableMapping {
          return []
        }
      }
    }

    func lastPosition(_ schema: Int64, in connection: Connection) throws -> LogPosition? {
      let last = try connection.rows(
        "SELECT number, mark FROM \(Self.table) ORDER BY number DESC LIMIT 1")
      return last.first.flatMap { place($0, schema) }
    }

    private func place(_ row: [SQLValue], _ schema: Int64) -> LogPosition? {
      guard let number = row[0].integer, let mark = row[1].integer else { return nil }
      return LogPosition(schema: schema, number: number, mark: mark)
    }

    /// Returns the changes since a place; `nil` if this log no longer has the place.
    ///
    /// The connection must be in a transaction.
    func changes(
      since start: LogPosition, _ own: OwnChanges, in connection: Connection
    ) throws -> StoreChanges? {
      let rows = try connection.rows(
        "SELECT number, mark, record, id FROM \(Self.table) WHERE number >= ? ORDER BY number",
        [.integer(start.number)])
      guard let first = rows.first, place(first, start.schema) == start, let last = rows.last,
        let end = place(last, start.schema)
      else { return nil }
      var (changes, refs): ([StoreChange], [AnyRef]) = ([], [])
      var commit: CommitID?
      func endCommit() {
        if !refs.isEmpty { changes.append(StoreChange(.records(refs), by: commit)) }
        refs = []
      }
      for row in rows.dropFirst() {
        guard case .integer(let number) = row[0], case .text(let name) = row[2] else { continue }
        let writer = own.commit(of: number)
        if writer != commit { endCommit() }
        commit = writer
        // Types unknown to the store belong to other programs.
        for table in byName[name] ?? [] {
          if let ref = table.ref(of: row[3]) {
            refs.append(ref)
          } else {
            changes.append(StoreChange(.all(of: table.recordType), by: commit))
          }
        }
      }
      endCommit()
      return StoreChanges(changes, upTo: end.cursor)
    }
  }

  extension ChangeLog.LogPosition {
    /// Reads a place; `nil` for a cursor that is not a place in a log.
    init?(_ cursor: StoreCursor) {
      let parts = cursor.text.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 4, parts[0] == "log", let schema = Int64(parts[1]),
        let number = Int64(parts[2]), let mark = Int64(parts[3])
      else { return nil }
      self.init(schema: schema, number: number, mark: mark)
    }
  }

  /// Whether a database logs its changes.
  public enum SQLiteTracking: Hashable, Sendable {
    /// The log contains all changes of the store's tables and lists.
    case complete
    /// There is no log.
    case absent
    /// There is a log, but it is incomplete: these parts, by name, are missing or outdated.
    case incomplete(lacking: [String])
    /// There cannot be a log, for the given reason.
    case impossible(SQLMappingError)
  }
#endif
