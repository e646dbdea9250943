#if PostgreSQL
  internal import Kinship
  internal import KinshipInspection
  internal import KinshipSQL

  extension TrackingSQL {
    /// Returns the facts about a log without the mapping that created it; `nil` if there is no log.
    ///
    /// The functions of its triggers say which records and lists they track. For records by a
    /// primary key, their statements are generated again and compared. For others, this only checks
    /// that they log each event.
    static func facts(
      in connection: Connection, _ tables: [InspectedTable]
    ) throws -> DatabaseFacts.Log? {
      let exists = try connection.query(
        """
        SELECT to_regclass('kinship.change') IS NOT NULL
          AND to_regclass('kinship.state') IS NOT NULL
        """)
      guard PostgreSQLCells(exists).integer(at: 0) == 1 else { return nil }
      let numbers = try connection.query(
        """
        SELECT (SELECT xid::text::int8 FROM kinship.change ORDER BY xid LIMIT 1),
          (SELECT xid::text::int8 FROM kinship.change ORDER BY xid DESC LIMIT 1)
        """)
      let cells = PostgreSQLCells(numbers)
      let (first, last) = (Int(cells.integer(at: 0) ?? 0), Int(cells.integer(at: 1) ?? 0))
      var (tracked, lacking) = ([String](), [String]())
      for table in tables {
        let triggers = try triggers(of: table.name, in: connection)
        if triggers.isEmpty { continue }
        let subjects = subjects(of: triggers)
        tracked += subjects.map { "\($0) in \(table.shownName)" }
        for event in Event.allCases {
          let name = "\(event.trigger) on \(table.shownName)"
          guard let trigger = triggers[event.trigger], trigger.isEnabled else {
            lacking.append(name)
            continue
          }
          for subject in subjects
          where !tells(event, of: subject, table, trigger.source, all: triggers) {
            lacking.append("\(name), of \(subject)")
          }
        }
      }
      return DatabaseFacts.Log(
        changes: min(first, last)...last, tracked: tracked, lacking: lacking)
    }

    /// Returns the names of the records and lists that any of the functions logs.
    private static func subjects(of triggers: [String: Trigger]) -> [String] {
      let statements =
        /INSERT INTO kinship\.change \(record, ids\)\s+(?:SELECT|VALUES \()\s*'((?:[^']|'')*)'/
      var names: Set<String> = []
      for trigger in triggers.values {
        for match in trigger.source.matches(of: statements) {
          names.insert(String(match.1).replacing("''", with: "'"))
        }
      }
      return names.sorted()
    }

    /// Returns whether a function logs an event of records or a list.
    private static func tells(
      _ event: Event, of subject: String, _ table: InspectedTable, _ source: String,
      all: [String: Trigger]
    ) -> Bool {
      let part = TrackedTable(record: subject, table: table.name, ids: table.keys.map(\.name))
      let isOfRecords = Event.allCases.contains { event in
        event != .truncate
          && all.values.contains { $0.source.contains(part.statement(for: event)) }
      }
      if isOfRecords || event == .truncate { return source.contains(part.statement(for: event)) }
      // This is the text from the event to the next one.
      let own = source.split(separator: "IF TG_OP = '\(event.rawValue)' THEN", maxSplits: 1)
        .dropFirst().first?.split(separator: "END IF;", maxSplits: 1).first
      return own?.contains("SELECT \(SQLText.literal(subject)), CASE") ?? false
    }
  }
#endif
