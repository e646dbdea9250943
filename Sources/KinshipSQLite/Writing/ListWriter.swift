#if SQLite
  internal import KinshipSQL

  /// Writes a list of a property, one row at a time.
  struct ListWriter {
    private let place: ListPlace
    private let connection: Connection
    private let selection: String
    private let insertion: String
    /// Removes one target, unless it has another owner by now.
    private let removal: String
    private let emptying: String

    init(_ place: ListPlace, _ connection: Connection) {
      self.place = place
      self.connection = connection
      let (table, target) = (SQLText.quoted(place.table), SQLText.quoted(place.target))
      let owner = SQLText.quoted(place.owner)
      selection = """
        SELECT \(target) FROM \(table) WHERE \(owner) = ? \
        ORDER BY \(SQLText.quoted(place.order ?? place.target))
        """
      insertion =
        place.isJoin
        ? SQLText.insertion(into: place.table, place.columns)
        : "UPDATE \(table) SET \(owner) = ? WHERE \(target) = ?"
      let removing =
        place.isJoin ? "DELETE FROM \(table)" : "UPDATE \(table) SET \(owner) = NULL"
      emptying = "\(removing) WHERE \(owner) = ?"
      removal = "\(emptying) AND \(target) = ?"
    }

    func empty(_ owner: SQLValue) throws(SQLiteError) { try connection.run(emptying, [owner]) }

    func write(_ change: ListUpdate) throws(SQLiteError) {
      let owner = change.owner
      let isNeeded = place.isJoin || change.old == nil
      let rows = place.rows(of: change, stored: isNeeded ? try targets(of: owner) : [])
      if rows.replacesAll { try empty(owner) }
      for target in rows.removed { try connection.run(removal, [owner, target]) }
      for (number, target) in rows.added.enumerated() {
        let place = place.isJoin && place.order != nil ? [SQLValue.integer(Int64(number))] : []
        try connection.run(insertion, [owner, target] + place)
      }
    }

    private func targets(of owner: SQLValue) throws(SQLiteError) -> [SQLValue] {
      try connection.rows(selection, [owner]).map { $0[0] }
    }

    // MARK: Deleted records

    /// Returns the contents of a deleted record's list that its own refs do not restore.
    func unmapped(of owner: SQLValue, besides targets: [SQLValue]) throws -> KeptList {
      let said = Set(targets)
      var unmapped = KeptList()
      guard place.isJoin else {
        unmapped.rows = try self.targets(of: owner).filter { !said.contains($0) }.map { [$0] }
        return unmapped
      }
      unmapped.columns = try FoundTable(place.table, in: connection).columns
        .filter { column in
          !column.isGenerated && !place.columns.contains { ColumnName.areEqual($0, column.name) }
        }.map(\.name)
      // Without places, this keeps the refs that others have added.
      unmapped.rows = try connection.rows(
        """
        SELECT \(SQLText.list(place.columns.dropFirst() + unmapped.columns)) \
        FROM \(SQLText.quoted(place.table)) WHERE \(SQLText.equals([place.owner]))
        """, [owner]
      ).filter { !unmapped.columns.isEmpty || place.order == nil && !said.contains($0[0]) }
      return unmapped
    }

    /// Restores the contents of a list, after the record was inserted again with its own refs.
    func restore(_ unmapped: KeptList, of owner: SQLValue) throws(SQLiteError) {
      guard place.isJoin else {
        for row in unmapped.rows {
          // A target may have another owner by now.
          let isFree = "\(SQLText.quoted(place.owner)) IS NULL"
          try connection.run("\(insertion) AND \(isFree)", [owner, row[0]])
        }
        return
      }
      let (named, columns) = (place.columns, unmapped.columns)
      let update = """
        UPDATE \(SQLText.quoted(place.table)) SET \(SQLText.equals(columns, joinedBy: ", ")) \
        WHERE \(SQLText.equals(named))
        """
      let insertion = SQLText.insertion(into: place.table, named + columns)
      for row in unmapped.rows {
        let target = row.prefix(named.count - 1)
        if !columns.isEmpty {
          try connection.run(update, row.dropFirst(target.count) + [owner] + target)
          if connection.changes > 0 { continue }
        }
        if place.order == nil { try connection.run(insertion, [owner] + row) }
      }
    }
  }

  /// The contents of lists that differ from their deleted record, to undo the deletion.
  struct KeptList: Sendable {
    /// The columns of a join table that the list does not name; none for foreign keys.
    var columns: [String] = []
    /// The target, its place if there is an order, and the values of these columns.
    var rows: [[SQLValue]] = []
  }
#endif
