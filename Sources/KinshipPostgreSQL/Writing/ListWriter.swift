#if PostgreSQL
  internal import KinshipSQL

  /// Writes the lists of a property, for any number of records at a time.
  struct ListWriter {
    private let place: ListPlace
    private let types: ListTypes
    private let connection: Connection
    private let table: String
    private let owner: String
    private let target: String

    init(_ place: ListPlace, _ types: ListTypes, _ connection: Connection) {
      self.place = place
      self.types = types
      self.connection = connection
      table = SQLText.quoted(place.table)
      owner = SQLText.quoted(place.owner)
      target = SQLText.quoted(place.target)
    }

    func empty(_ owners: [SQLValue]) throws {
      if owners.isEmpty { return }
      let removal =
        place.isJoin ? "DELETE FROM \(table)" : "UPDATE \(table) SET \(owner) = NULL"
      _ = try connection.query(
        "\(removal) WHERE \(owner) = ANY($1)", [types.owner.parameter(arrayOf: owners)])
    }

    func write(_ changes: [ListUpdate]) throws {
      let stored = try stored(changes.filter { place.isJoin || $0.old == nil }.map(\.owner))
      var emptied: [SQLValue] = []
      var removed: [(target: SQLValue, owner: SQLValue)] = []
      var added: [(target: SQLValue, owner: SQLValue, number: Int)] = []
      for change in changes {
        let rows = place.rows(of: change, stored: stored[change.owner] ?? [])
        if rows.replacesAll { emptied.append(change.owner) }
        removed += rows.removed.map { ($0, change.owner) }
        added += rows.added.enumerated().map { ($1, change.owner, $0) }
      }
      try empty(emptied)
      if !removed.isEmpty {
        let removal =
          place.isJoin
          ? "DELETE FROM \(table) AS t USING" : "UPDATE \(table) AS t SET \(owner) = NULL FROM"
        _ = try connection.query(
          "\(removal) unnest($1, $2) AS n(k, o) WHERE t.\(target) = n.k AND t.\(owner) = n.o",
          parameters(removed.map(\.target), removed.map(\.owner)))
      }
      if added.isEmpty { return }
      guard place.isJoin else {
        // If two lists take a target, the last one gets it.
        let owners = Dictionary(added.map { ($0.target, $0.owner) }) { $1 }
        _ = try connection.query(
          """
          UPDATE \(table) AS t SET \(owner) = n.o FROM unnest($1, $2) AS n(k, o) \
          WHERE t.\(target) = n.k
          """, parameters(Array(owners.keys), Array(owners.values)))
        return
      }
      var columns = [place.target, place.owner]
      var parameters = try parameters(added.map(\.target), added.map(\.owner))
      if let order = place.order, let type = types.order {
        columns.append(order)
        parameters.append(
          try type.parameter(arrayOf: added.map { .integer(Int64($0.number)) }))
      }
      _ = try connection.query(
        """
        INSERT INTO \(table) (\(SQLText.list(columns))) \
        SELECT * FROM \(Connection.rows(ofParameters: columns.count))
        """, parameters)
    }

    private func parameters(_ targets: [SQLValue], _ owners: [SQLValue]) throws -> [Parameter] {
      [try types.target.parameter(arrayOf: targets), try types.owner.parameter(arrayOf: owners)]
    }

    private func stored(_ owners: [SQLValue]) throws -> [SQLValue: [SQLValue]] {
      if owners.isEmpty { return [:] }
      let rows = try connection.query(
        """
        SELECT \(owner), \(target) FROM \(table) WHERE \(owner) = ANY($1) \
        ORDER BY \(SQLText.quoted(place.order ?? place.target))
        """, [types.owner.parameter(arrayOf: owners)])
      let cells = PostgreSQLCells(beforeFirstOf: rows)
      var stored: [SQLValue: [SQLValue]] = [:]
      while cells.advance() {
        stored[cells.value(at: 0), default: []].append(cells.value(at: 1))
      }
      return stored
    }
  }
#endif
