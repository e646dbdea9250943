#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// A trigger that logs which records a statement has changed.
  struct ChangeTrigger: Equatable {
    let name: String
    /// The SQL that creates the trigger, which SQLite stores unchanged.
    let sql: String

    /// Creates a trigger for the tracked records or list, at a moment such as `AFTER INSERT`.
    init(
      _ subject: String, _ moment: String, on table: String, when condition: String? = nil,
      _ statements: [String]
    ) {
      name = "kinship \(subject) \(table) \(moment.lowercased())"
      sql = """
        CREATE TRIGGER \(SQLText.quoted(name)) \(moment) ON \(SQLText.quoted(table))\
        \(condition.map { " WHEN \($0)" } ?? "") BEGIN
          \(statements.map { $0 + ";" }.joined(separator: "\n  "))
        END
        """
    }

    /// The SQL that replaces an outdated trigger.
    var installation: String { "DROP TRIGGER IF EXISTS \(SQLText.quoted(name));\n\(sql);" }

    /// Returns a condition that an update changes a column; texts are compared bit by bit.
    static func isChanged(_ columns: [String]) -> String {
      let terms = columns.map(SQLText.quoted).map { "OLD.\($0) IS NOT NEW.\($0) COLLATE BINARY" }
      return "(\(terms.joined(separator: " OR ")))"
    }
  }

  /// Creates the statements of triggers that log changes of a type's records.
  struct ChangeNotes {
    let record: String
    let table: String
    let idColumns: [String]

    /// The alias of a row that a trigger reads.
    static let row = #""kinship row""#
    static let owner = #""kinship owner""#

    /// Returns a statement that logs records, given an expression for their ids and a `FROM`
    /// clause.
    func logStatement(_ id: String, _ rest: String = "") -> String {
      let name = SQLText.literal(record)
      return "INSERT INTO \(ChangeLog.table) (record, id) SELECT \(name), \(id)\(rest)"
    }

    /// Returns a row's id as the log stores it: the column's value, or a list of several columns.
    ///
    /// A number that is not an integer would change in a list, so such a record is not logged.
    func id(of row: String) -> String {
      let columns = idColumns.map { "\(row).\(SQLText.quoted($0))" }
      if columns.count == 1 { return columns[0] }
      let elements = columns.map { column in
        """
        CASE typeof(\(column)) WHEN 'text' THEN 't' || \(column) \
        WHEN 'blob' THEN 'b' || hex(\(column)) WHEN 'real' THEN NULL ELSE \(column) END
        """
      }
      return "json_array(\(elements.joined(separator: ", ")))"
    }

    // MARK: Rows

    func triggers(_ keys: [UniqueKey]) -> [ChangeTrigger] {
      let (row, subject) = (Self.row, record)
      let renaming = logStatement(id(of: "OLD"), " WHERE \(ChangeTrigger.isChanged(idColumns))")
      return [
        ChangeTrigger(subject, "AFTER INSERT", on: table, [logStatement(id(of: "NEW"))]),
        ChangeTrigger(subject, "AFTER UPDATE", on: table, [logStatement(id(of: "NEW")), renaming]),
        ChangeTrigger(subject, "AFTER DELETE", on: table, [logStatement(id(of: "OLD"))]),
      ]
        + replacements(subject, on: table, keys.filter { !$0.isID(idColumns) }) { condition in
          logStatement(id(of: row), " FROM \(SQLText.quoted(table)) AS \(row) WHERE \(condition)")
        }
    }

    /// Returns the triggers for rows that others replace.
    ///
    /// By default, SQLite runs no trigger for their deletion.
    private func replacements(
      _ subject: String, on table: String, _ keys: [UniqueKey], _ statement: (String) -> String
    ) -> [ChangeTrigger] {
      if keys.isEmpty { return [] }
      return [
        ChangeTrigger(
          subject, "BEFORE INSERT", on: table, keys.map { statement($0.agrees(Self.row)) }),
        ChangeTrigger(
          subject, "BEFORE UPDATE", on: table,
          when: keys.map(\.isChanged).joined(separator: " OR "),
          keys.map { statement("\($0.isChanged) AND \($0.agrees(Self.row))") }),
      ]
    }

    // MARK: Lists

    /// Returns the triggers for a list, which log its owners.
    ///
    /// They find the owner of a row in the same way as a fetch finds the rows of an owner.
    func triggers(
      list: String, in place: ListPlace, _ keys: [UniqueKey]
    ) -> [ChangeTrigger] {
      let (subject, source, owner) = ("\(record).\(list)", place.table, place.owner)
      let column = SQLText.quoted(owner)
      let records = "\(SQLText.quoted(table)) AS \(Self.owner)"
      let id = SQLText.quoted(idColumns[0])
      func logStatement(_ row: String, _ rest: String = "") -> String {
        self.logStatement(
          self.id(of: Self.owner),
          " FROM \(records) WHERE \(row).\(column) = \(Self.owner).\(id)\(rest)")
      }
      return [
        ChangeTrigger(subject, "AFTER INSERT", on: source, [logStatement("NEW")]),
        ChangeTrigger(
          subject, "AFTER UPDATE", on: source, when: ChangeTrigger.isChanged(place.columns),
          [logStatement("NEW"), logStatement("OLD", " AND \(ChangeTrigger.isChanged([owner]))")]),
        ChangeTrigger(subject, "AFTER DELETE", on: source, [logStatement("OLD")]),
      ]
        + replacements(subject, on: source, keys) { condition in
          self.logStatement(
            self.id(of: Self.owner),
            """
             FROM \(SQLText.quoted(source)) AS \(Self.row) CROSS JOIN \(records) \
            WHERE \(Self.row).\(column) = \(Self.owner).\(id) AND \(condition)
            """)
        }
    }
  }

  /// A table of records whose changes are logged.
  protocol TrackedTable: Sendable {
    var recordType: any GraphRecord.Type { get }

    /// Returns the triggers that log changes of the table's records.
    func triggers(in connection: Connection) throws -> [ChangeTrigger]

    func ref(of id: SQLValue) -> AnyRef?
  }

  extension TablePlan: TrackedTable {
    var recordType: any GraphRecord.Type { R.self }

    func triggers(in connection: Connection) throws -> [ChangeTrigger] {
      let notes = ChangeNotes(record: R.recordName, table: table.name, idColumns: idColumns)
      var triggers = notes.triggers(try UniqueKey.all(of: table.name, in: connection))
      for list in table.lists {
        triggers += notes.triggers(
          list: list.name, in: list.place, try UniqueKey.all(of: list.place.table, in: connection))
      }
      return triggers
    }

    func ref(of id: SQLValue) -> AnyRef? {
      if idColumns.count == 1 { return ref(of: [id]) }
      guard case .text(let list) = id, let parts = parts(in: list) else { return nil }
      return ref(of: parts)
    }

    /// Returns the values of the id's columns from a logged list; `nil` if it is not such a list.
    private func parts(in list: String) -> [SQLValue]? {
      var (list, parts): (String, [SQLValue]) = (list, [])
      let isList = list.withUTF8 { bytes in
        var parser = ListParser(bytes: bytes, layout: idLayout, position: 0)
        do {
          while let part = try parser.nextValue() { parts.append(part) }
          return parts.count == idColumns.count
        } catch {
          return false
        }
      }
      return isList ? parts : nil
    }
  }

  /// Columns with unique values: `REPLACE` lets a new row replace another with the same values.
  struct UniqueKey {
    /// The columns, and the collations of their texts.
    let columns: [(name: String, collation: String)]

    /// Returns the keys of a table, including the row number if rows have one.
    ///
    /// Keys over expressions are omitted, because SQLite does not report the expressions.
    ///
    /// - Throws: `SQLMappingError.noTable`, and `.unsuitableMapping` for a table without triggers.
    static func all(of table: String, in connection: Connection) throws -> [UniqueKey] {
      let found = try connection.rows(
        "SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'", [.text(table)])
      guard let description = found.first else { throw SQLMappingError.noTable(table) }
      guard description[0] == .text("table") else {
        throw SQLMappingError.unsuitableMapping(
          table: table, reason: "its changes cannot be tracked, since it can have no triggers")
      }
      let indexes = try connection.rows(
        #"SELECT name FROM pragma_index_list(?) WHERE "unique" ORDER BY name"#, [.text(table)])
      var keys: [UniqueKey] = []
      if description[1] == .integer(0), let number = try rowNumber(of: table, in: connection) {
        keys.append(UniqueKey(columns: [(number, "BINARY")]))
      }
      for index in indexes {
        let columns = try connection.rows(
          "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno", index)
        let named = columns.compactMap { column -> (String, String)? in
          guard case .text(let name) = column[0], case .text(let collation) = column[1] else {
            return nil
          }
          return (name, collation)
        }
        if named.count == columns.count { keys.append(UniqueKey(columns: named)) }
      }
      return keys
    }

    /// Returns the name of the row number, which is that of the primary key if they are the same.
    private static func rowNumber(
      of table: String, in connection: Connection
    ) throws -> String? {
      let primary = try connection.rows(
        """
        SELECT name FROM pragma_table_xinfo(?1) WHERE pk > 0 AND upper(type) = 'INTEGER'
          AND (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE pk > 0) = 1
          AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')
        """, [.text(table)])
      if case .text(let name)? = primary.first?.first { return name }
      return FoundTable.rowNumber(besides: try FoundTable(table, in: connection).names)
    }

    /// Returns whether the key is the id of records, so that a replacing row has the same id.
    func isID(_ idColumns: [String]) -> Bool {
      let names = columns.map(\.name)
      return names.count == idColumns.count && columns.allSatisfy { $0.collation == "BINARY" }
        && idColumns.allSatisfy { id in names.contains { ColumnName.areEqual($0, id) } }
    }

    /// Returns a condition that a row has the same key as the row about to be written.
    func agrees(_ row: String) -> String {
      columns.map { column in
        let name = SQLText.quoted(column.name)
        return "\(row).\(name) COLLATE \(SQLText.quoted(column.collation)) = NEW.\(name)"
      }.joined(separator: " AND ")
    }

    var isChanged: String { ChangeTrigger.isChanged(columns.map(\.name)) }
  }
#endif
