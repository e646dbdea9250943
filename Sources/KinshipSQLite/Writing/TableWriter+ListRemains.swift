#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// The contents of lists that differ from their deleted record, to undo the deletion.
  struct ListRemains: Sendable {
    /// The columns of a join table that the list does not name; none for foreign keys.
    var columns: [String] = []
    /// The target, its place if there is an order, and the values of these columns.
    var rows: [[SQLValue]] = []
  }

  extension TableWriter {
    /// Returns the contents of a list that would be lost with its record.
    func remains(of list: SQLList<R>, _ record: R) throws -> ListRemains {
      let owner = try id(of: record)
      let said = Set(try list.ids(record, plan.layout.formats))
      var remains = ListRemains()
      switch list.place {
      case .foreignKey(let table, let column, let key, _):
        remains.rows = try ForeignKeyList(table: table, column: column, key: key, connection)
          .targets(of: owner).filter { !said.contains($0) }.map { [$0] }
      case .join(let table, let from, let to, let order):
        let named = [from, to] + (order.map { [$0] } ?? [])
        remains.columns = try FoundTable(table, in: connection).columns
          .filter { column in
            !column.isGenerated && !named.contains { ColumnName.areEqual($0, column.name) }
          }.map(\.name)
        // The record restores its own refs. Without places, this keeps those that others have
        // added.
        remains.rows = try connection.rows(
          """
          SELECT \(SQLText.list(named.dropFirst() + remains.columns)) \
          FROM \(SQLText.quoted(table)) \
          WHERE \(SQLText.equals([from]))
          """, [owner]
        ).filter { !remains.columns.isEmpty || order == nil && !said.contains($0[0]) }
      }
      return remains
    }

    /// Restores the contents of a list, after the record was inserted again with its own refs.
    func restore(_ remains: ListRemains, to list: SQLList<R>, of record: R) throws {
      let owner = try id(of: record)
      switch list.place {
      case .foreignKey(let table, let column, let key, _):
        let foreignKey = ForeignKeyList(table: table, column: column, key: key, connection)
        for row in remains.rows { try foreignKey.attach(free: row[0], to: owner) }
      case .join(let table, let from, let to, let order):
        let named = [from, to] + (order.map { [$0] } ?? [])
        let settings = remains.columns.map { "\(SQLText.quoted($0)) = ?" }
        let update = """
          UPDATE \(SQLText.quoted(table)) SET \(settings.joined(separator: ", ")) \
          WHERE \(SQLText.equals(named))
          """
        let insertion = """
          INSERT INTO \(SQLText.quoted(table)) (\(SQLText.list(named + remains.columns))) \
          VALUES (\(SQLText.repeated("?", named.count + remains.columns.count)))
          """
        for row in remains.rows {
          let target = row.prefix(named.count - 1)
          if !settings.isEmpty {
            try connection.run(update, row.dropFirst(target.count) + [owner] + target)
            if connection.changes > 0 { continue }
          }
          if order == nil { try connection.run(insertion, [owner] + row) }
        }
      }
    }
  }
#endif
