#if SQLite
  internal import Kinship
  internal import KinshipInspection
  internal import KinshipSQL

  extension ChangeLog {
    private struct Found {
      let name: String
      let table: String
      let sql: String
    }

    /// Returns the facts about a log without the mapping that created it; `nil` if there is no log.
    ///
    /// The names of the triggers say which records and lists they track. Triggers of records are
    /// generated again and compared. For triggers of lists, this only checks that all of them
    /// exist.
    static func facts(in connection: Connection) throws -> DatabaseFacts.Log? {
      let creations = try connection.rows(
        "SELECT sql FROM sqlite_schema WHERE name = ?", [.text(table)])
      guard let creation = creations.first?[0] else { return nil }
      var lacking = creation == .text(Self.creation) ? [] : [table]
      let found = try connection.rows(
        """
        SELECT name, tbl_name, sql FROM sqlite_schema
          WHERE type = 'trigger' AND substr(name, 1, 8) = 'kinship ' ORDER BY name
        """
      ).map { Found(name: $0[0].text ?? "", table: $0[1].text ?? "", sql: $0[2].text ?? "") }
      let byName = Dictionary(found.map { ($0.name, $0.sql) }) { first, _ in first }
      if byName[pruning.name] != pruning.sql { lacking.append(pruning.name) }
      var tracked: [String] = []
      for (subject, table) in subjects(of: found) {
        tracked.append("\(subject) in \(table)")
        let expected = try triggers(of: subject, on: table, found: byName, in: connection)
        for (name, sql) in expected
        where byName[name] == nil || sql.map({ $0 != byName[name] }) == true {
          lacking.append(name)
        }
      }
      let numbers = try connection.rows("SELECT min(number), max(number) FROM \(table)")
      let (first, last) = (
        FieldValue(numbers[0][0]).int ?? 0, FieldValue(numbers[0][1]).int ?? 0
      )
      return DatabaseFacts.Log(
        changes: min(first, last)...last, tracked: tracked, lacking: lacking)
    }

    private static let moments = [
      "after insert", "after update", "after delete", "before insert", "before update",
    ]

    /// Returns the subjects and tables of triggers, by their names.
    private static func subjects(of found: [Found]) -> [(subject: String, table: String)] {
      var subjects: [(String, String)] = []
      for trigger in found where trigger.table != table {
        for moment in moments {
          let end = " \(trigger.table) \(moment)"
          guard trigger.name.hasSuffix(end) else { continue }
          let subject = String(trigger.name.dropFirst(8).dropLast(end.count))
          if !subjects.contains(where: { $0 == (subject, trigger.table) }) {
            subjects.append((subject, trigger.table))
          }
        }
      }
      return subjects
    }

    /// Returns the names of the expected triggers, with their SQL if it is known.
    private static func triggers(
      of subject: String, on table: String, found: [String: String], in connection: Connection
    ) throws -> [(name: String, sql: String?)] {
      func name(_ moment: String) -> String { "kinship \(subject) \(table) \(moment)" }
      // A view has triggers too, but none of these.
      guard let keys = try? UniqueKey.all(of: table, in: connection) else { return [] }
      // The id may be the primary key, or any columns with unique values.
      let primary = try InspectedTable(table, hasNumbers: true, in: connection).keys
      let candidates = [primary] + keys.map { $0.columns.map(\.name) }
      let all = candidates.filter { !$0.isEmpty }.map {
        ChangeNotes(record: subject, table: table, idColumns: $0).triggers(keys)
      }
      let isOfRecords = moments.contains {
        found[name($0)]?.contains("SELECT \(SQLText.literal(subject)), ") ?? false
      }
      guard isOfRecords, let first = all.first else {
        return moments.prefix(keys.isEmpty ? 3 : 5).map { (name($0), nil) }
      }
      func matches(_ triggers: [ChangeTrigger]) -> Int {
        triggers.count { found[$0.name] == $0.sql }
      }
      let best = all.reduce(first) { matches($1) > matches($0) ? $1 : $0 }
      return best.map { ($0.name, $0.sql) }
    }
  }
#endif
