#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// Applies the changes of one table, with one statement for all rows of a kind.
  final class TableWriter<R: GraphRecord>: TableWriting {
    let changes: TableChanges<R>
    /// Created on first use, because usually all rows to write are known in advance.
    private(set) lazy var rows = changes.writer(batch)
    var pairs: [UpdatePair<R>]?
    private let table: PostgreSQLPlan<R>
    private let known: KnownRows
    private let connection: Connection
    private lazy var batch = RowBatch(table)

    init(
      _ changes: TableChanges<R>, _ table: PostgreSQLPlan<R>, _ known: KnownRows,
      _ connection: Connection
    ) {
      self.changes = changes
      self.table = table
      self.known = known
      self.connection = connection
    }

    private var name: String { SQLText.quoted(plan.table.name) }

    var isInexact: Bool { known.areInexact || batch.isInexact }

    func fetch(_ ids: [R.ID], locking: Bool) throws -> PartialAnswer<R> {
      try table.fetch(ids, in: connection, locking ? " FOR UPDATE OF \(name)" : "")
    }

    func hasRow(_ id: R.ID) throws -> Bool {
      let sql = "SELECT 1 FROM \(name) WHERE \(table.isOneOfIDs)"
      return try connection.query(sql, table.idParameters([id])).count > 0
    }

    // MARK: Rows

    func insert() throws { try known.insert(connection) }

    func update() throws {
      try known.update(connection)
      if known.areAll { return }
      try updateOthers { column, id in
        let rows = try connection.query(
          """
          SELECT \(SQLText.quoted(column))::text FROM \(name) \
          WHERE \(table.isOneOfIDs) FOR UPDATE
          """, table.idParameters([id]))
        return rows.count == 0 ? nil : PostgreSQLCells(rows).text(at: 0).map { .text($0) }
      }
      try batch.takeUpdates()(connection)
    }

    func delete() throws {
      if changes.deleted.isEmpty { return }
      let affected: Int
      if let version = plan.versionColumn {
        affected = try deleteVersions(version)
      } else {
        affected = try connection.query(
          "DELETE FROM \(name) WHERE \(table.isOneOfIDs)",
          table.idParameters(changes.deleted.map(\.id))
        ).affected
      }
      if affected != changes.deleted.count { throw RowConflict(error: nil) }
    }

    /// Deletes the rows that still have the versions of the records, and returns their number.
    private func deleteVersions(_ version: Int) throws -> Int {
      let positions = plan.layout.idPositions + [version]
      let records = try changes.deleted.map { record in
        try plan.values(of: record.id)
          + [record.knownVersion.map { .integer(Int64($0)) } ?? .null]
      }
      let condition = positions.enumerated().map {
        "t.\(SQLText.quoted(plan.layout.columns[$1])) = n.v\($0)"
      }
      return try connection.query(
        """
        DELETE FROM \(name) AS t USING \(Connection.rows(ofParameters: positions.count)) \
        WHERE \(condition.joined(separator: " AND "))
        """,
        positions.enumerated().map { place, position in
          try table.types[position].parameter(arrayOf: records.map { $0[place] })
        }
      ).affected
    }

    // MARK: Lists

    func emptyDeletedLists() throws {
      if changes.deleted.isEmpty { return }
      for (list, types) in zip(plan.table.lists, table.lists) {
        try ListWriter(list.place, types, connection)
          .empty(changes.deleted.map { try changes.id(of: $0) })
      }
    }

    func writeLists() throws {
      for (list, types) in zip(plan.table.lists, table.lists) {
        var changed: [ListUpdate] = []
        try forEachChange(of: list) { changed.append($0) }
        try ListWriter(list.place, types, connection).write(changed)
      }
    }
  }
#endif
