#if SQLite
  internal import KinshipSQL

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
      let names = try FoundTable(table, in: connection).names
      return ["rowid", "_rowid_", "oid"].first { number in
        !names.contains { ColumnName.areEqual($0, number) }
      }
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

    /// A condition that an update changes the key.
    var isChanged: String { ChangeTrigger.isChanged(columns.map(\.name)) }
  }
#endif
