#if PostgreSQL
  internal import KinshipSQL

  /// Writes the lists of a property, for any number of records at a time.
  struct ListWriter {
    /// The old list of a record, if it is known, and the new one.
    struct Change {
      let owner: SQLValue
      let old: [SQLValue]?
      let new: [SQLValue]
    }

    private enum Place {
      case foreignKey(column: String, key: String)
      case join(from: String, to: String, order: String?)
    }

    private let table: String
    private let place: Place
    private let owner: PostgreSQLType
    private let target: PostgreSQLType
    private let order: PostgreSQLType?
    private let connection: Connection

    init<R>(
      _ place: SQLList<R>.Place, _ types: PostgreSQLPlan<R>.ListTypes, _ connection: Connection
    ) {
      switch place {
      case .foreignKey(let table, let column, let key, _):
        self.table = SQLText.quoted(table)
        self.place = .foreignKey(column: SQLText.quoted(column), key: SQLText.quoted(key))
      case .join(let table, let from, let to, let order):
        self.table = SQLText.quoted(table)
        self.place = .join(
          from: SQLText.quoted(from), to: SQLText.quoted(to), order: order.map(SQLText.quoted))
      }
      owner = types.owner
      target = types.target
      order = types.order
      self.connection = connection
    }

    /// Empties the lists of some records.
    func empty(_ owners: [SQLValue]) throws {
      if owners.isEmpty { return }
      let sql =
        switch place {
        case .foreignKey(let column, _):
          "UPDATE \(table) SET \(column) = NULL WHERE \(column) = ANY($1)"
        case .join(let from, _, _): "DELETE FROM \(table) WHERE \(from) = ANY($1)"
        }
      _ = try connection.query(sql, [owner.parameter(arrayOf: owners)])
    }

    /// Writes the new lists.
    func write(_ changes: [Change]) throws {
      if changes.isEmpty { return }
      switch place {
      case .foreignKey(let column, let key): try writeForeignKeys(changes, column, key)
      case .join(let from, let to, let order): try writeJoins(changes, from, to, order)
      }
    }

    /// Writes the foreign keys of targets.
    ///
    /// Each target is a separate row, so additions and removals by others stay.
    private func writeForeignKeys(_ changes: [Change], _ column: String, _ key: String) throws {
      let unknown = changes.filter { $0.old == nil }.map(\.owner)
      let stored = try self.stored(
        unknown, "SELECT \(column), \(key) FROM \(table) WHERE \(column) = ANY($1)")
      var lost: [(target: SQLValue, owner: SQLValue)] = []
      // If two lists take a target, the last one gets it.
      var gained: [SQLValue: SQLValue] = [:]
      for change in changes {
        let old = change.old ?? stored[change.owner] ?? []
        let (before, after) = (Set(old), Set(change.new))
        lost += old.filter { !after.contains($0) }.map { ($0, change.owner) }
        for target in change.new where !before.contains(target) { gained[target] = change.owner }
      }
      try write(
        """
        UPDATE \(table) AS t SET \(column) = NULL FROM unnest($1, $2) AS n(k, o) \
        WHERE t.\(key) = n.k AND t.\(column) = n.o
        """, lost)
      try write(
        """
        UPDATE \(table) AS t SET \(column) = n.o FROM unnest($1, $2) AS n(k, o) \
        WHERE t.\(key) = n.k
        """, gained.map { ($0, $1) })
    }

    /// Writes the rows of a join table.
    ///
    /// Without an order, rows are independent: if the old list is known, rows that others have
    /// added or removed stay so.
    private func writeJoins(
      _ changes: [Change], _ from: String, _ to: String, _ order: String?
    ) throws {
      let stored = try self.stored(
        changes.map(\.owner),
        """
        SELECT \(from), \(to) FROM \(table) WHERE \(from) = ANY($1) ORDER BY \(order ?? to)
        """)
      var emptied: [SQLValue] = []
      var removed: [(SQLValue, SQLValue)] = []
      var added: [(target: SQLValue, owner: SQLValue, place: Int)] = []
      for change in changes {
        let stored = stored[change.owner] ?? []
        if stored == change.new { continue }
        if order == nil, let old = change.old,
          [old, change.new, stored].allSatisfy({ Set($0).count == $0.count })
        {
          let kept = Set(change.new)
          removed += old.filter { !kept.contains($0) }.map { ($0, change.owner) }
          let there = Set(stored + old)
          added += change.new.filter { !there.contains($0) }.map { ($0, change.owner, 0) }
        } else {
          if !stored.isEmpty { emptied.append(change.owner) }
          for (place, target) in change.new.enumerated() {
            added.append((target, change.owner, place))
          }
        }
      }
      try empty(emptied)
      try write(
        """
        DELETE FROM \(table) AS t USING unnest($1, $2) AS n(k, o) \
        WHERE t.\(to) = n.k AND t.\(from) = n.o
        """, removed)
      if added.isEmpty { return }
      var columns = [to, from]
      var parameters = [
        try target.parameter(arrayOf: added.map(\.target)),
        try owner.parameter(arrayOf: added.map(\.owner)),
      ]
      if let order, let type = self.order {
        columns.append(order)
        parameters.append(
          try type.parameter(arrayOf: added.map { .integer(Int64($0.place)) }))
      }
      let numbers = parameters.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      _ = try connection.query(
        """
        INSERT INTO \(table) (\(columns.joined(separator: ", "))) \
        SELECT * FROM unnest(\(numbers))
        """, parameters)
    }

    /// Returns the stored targets of owners.
    private func stored(_ owners: [SQLValue], _ sql: String) throws -> [SQLValue: [SQLValue]] {
      if owners.isEmpty { return [:] }
      let cells = PostgreSQLCells(
        beforeFirstOf:
          try connection.query(sql, [owner.parameter(arrayOf: owners)]))
      var stored: [SQLValue: [SQLValue]] = [:]
      while cells.advance() {
        stored[cells.value(at: 0), default: []].append(cells.value(at: 1))
      }
      return stored
    }

    private func write(_ sql: String, _ rows: [(SQLValue, SQLValue)]) throws {
      if rows.isEmpty { return }
      _ = try connection.query(
        sql,
        [target.parameter(arrayOf: rows.map(\.0)), owner.parameter(arrayOf: rows.map(\.1))])
    }
  }
#endif
