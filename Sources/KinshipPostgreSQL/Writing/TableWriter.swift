#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// Applies the changes of one table, with one statement for all rows of a kind.
  final class TableWriter<R: GraphRecord>: ErasedTableWriter {
    let changes: TableChanges<R>
    let plan: PostgreSQLPlan<R>
    let connection: Connection
    private let known: KnownRows
    /// Created on first use, because usually all rows to write are known in advance.
    private lazy var batch = RowBatch(plan)
    private lazy var rows = changes.writer(batch)
    private var pairs: [UpdatePair<R>]?
    /// Whether a list was written whose order depends on rows.
    private var writesSortedLists = false

    var table: UInt32 { plan.table }

    init(
      _ changes: TableChanges<R>, _ plan: PostgreSQLPlan<R>, _ known: KnownRows,
      _ connection: Connection
    ) {
      self.changes = changes
      self.plan = plan
      self.known = known
      self.connection = connection
    }

    func check() throws { try changes.check(stored(changes.ids)) }

    func insert() throws { try known.inserts.run(in: connection) }

    func update() throws {
      try known.updates.run(in: connection)
      if known.areAll { return }
      try changes.updateOthers(rows, readPairs()) { column, id in
        let rows = try connection.query(
          """
          SELECT \(SQLText.quoted(column))::text FROM \(SQLText.quoted(plan.plan.table.name)) \
          WHERE \(plan.isOneOfIDs) FOR UPDATE
          """, plan.idParameters([id]))
        return rows.count == 0 ? nil : PostgreSQLCells(rows).text(at: 0).map { .text($0) }
      }
      try batch.takeUpdates().run(in: connection)
    }

    func delete() throws {
      if changes.deleted.isEmpty { return }
      if let version = plan.plan.versionColumn { return try deleteVersions(version) }
      let affected = try connection.query(
        "DELETE FROM \(SQLText.quoted(plan.plan.table.name)) WHERE \(plan.isOneOfIDs)",
        plan.idParameters(changes.deleted.map(\.id))
      ).affected
      if affected != changes.deleted.count { throw Discord(error: nil) }
    }

    /// Deletes the rows that still have the versions of the records.
    private func deleteVersions(_ version: Int) throws {
      let layout = plan.plan.layout
      let positions = layout.idPositions + [version]
      let records = try changes.deleted.map { record in
        try plan.plan.values(of: record.id)
          + [record.knownVersion.map { .integer(Int64($0)) } ?? .null]
      }
      let parameters = positions.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      let values = positions.indices.map { "v\($0)" }.joined(separator: ", ")
      let condition = positions.enumerated().map {
        "t.\(SQLText.quoted(layout.columns[$1])) = n.v\($0)"
      }
      let affected = try connection.query(
        """
        DELETE FROM \(SQLText.quoted(plan.plan.table.name)) AS t \
        USING unnest(\(parameters)) AS n(\(values)) WHERE \(condition.joined(separator: " AND "))
        """,
        positions.enumerated().map { place, position in
          try plan.types[position].parameter(arrayOf: records.map { $0[place] })
        }
      ).affected
      if affected != changes.deleted.count { throw Discord(error: nil) }
    }

    func writeLists() throws {
      for (list, types) in zip(plan.plan.table.lists, plan.lists) {
        let writer = ListWriter(list.place, types, connection)
        var changed: [ListWriter.Change] = []
        try changes.forEachChange(of: list, rows, readPairs()) { owner, old, new in
          if list.isSortedByRows { writesSortedLists = true }
          changed.append(ListWriter.Change(owner: owner, old: old, new: new))
        }
        try writer.write(changed)
      }
    }

    func emptyDeletedLists() throws {
      if changes.deleted.isEmpty { return }
      for (list, types) in zip(plan.plan.table.lists, plan.lists) {
        try ListWriter(list.place, types, connection)
          .empty(changes.deleted.map { try changes.id(of: $0) })
      }
    }

    func compare(isAffected: Bool, _ report: inout CommitReport) throws {
      guard
        isAffected || known.areInexact || batch.isInexact || rows.leavesDefaults
          || writesSortedLists
      else { return }
      try changes.compare(
        with: plan.fetch(changes.handedIDs, in: connection, ""), &report
      ) { id in
        let sql = """
          SELECT 1 FROM \(SQLText.quoted(plan.plan.table.name)) WHERE \(plan.isOneOfIDs)
          """
        return try connection.query(sql, plan.idParameters([id])).count > 0
      }
    }

    private func readPairs() throws -> [UpdatePair<R>] {
      if let pairs { return pairs }
      // The lock keeps others from changing these rows until they are written.
      let pairs = try changes.pairs(rows) { ids in
        try stored(ids, " FOR UPDATE OF \(SQLText.quoted(plan.plan.table.name))")
      }
      self.pairs = pairs
      return pairs
    }

    private func stored(_ ids: [R.ID], _ suffix: String = "") throws -> [R.ID: R] {
      let answer = try plan.fetch(ids, in: connection, suffix)
      if let failure = answer.failures.first { throw failure.cause }
      return Dictionary(answer.records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }
  }

  /// Applies a change set's changes to one table.
  protocol ErasedTableWriter: AnyObject {
    /// The OID of the table.
    var table: UInt32 { get }

    /// Checks all changes against the rows before the changes.
    func check() throws
    func insert() throws
    func update() throws
    func writeLists() throws
    func emptyDeletedLists() throws
    func delete() throws
    /// Compares the submitted records with the stored ones, if they may differ.
    func compare(isAffected: Bool, _ report: inout CommitReport) throws
  }

  /// The changes of a table of records with an erased type.
  protocol ErasedChanges: Sendable {
    func writer(_ connection: Connection) -> any ErasedTableWriter
  }

  struct PlannedChanges<R: GraphRecord>: ErasedChanges {
    private let changes: TableChanges<R>
    private let plan: PostgreSQLPlan<R>
    private let known: KnownRows

    /// Creates the rows that require no reading.
    ///
    /// This happens before a connection is taken, because others wait for it, and while the records
    /// are still in the processor's cache.
    ///
    /// - Throws: `KinshipError.untranslatable`, `.identityChanged`, `SQLMappingError`.
    init(_ changes: TableChanges<R>, _ plan: PostgreSQLPlan<R>) throws {
      self.changes = changes
      self.plan = plan
      let batch = RowBatch(plan)
      let rows = changes.writer(batch)
      if !changes.inserted.isEmpty {
        try plan.plan.table.insert(changes.inserted, rows, plan.plan.layout)
      }
      let areAll = try changes.updateKnown(rows)
      known = KnownRows(
        inserts: try batch.takeInserts(), updates: try batch.takeUpdates(), areAll: areAll,
        areInexact: batch.isInexact || rows.leavesDefaults)
    }

    func writer(_ connection: Connection) -> any ErasedTableWriter {
      TableWriter(changes, plan, known, connection)
    }
  }

  /// The rows to write regardless of the stored ones.
  struct KnownRows: Sendable {
    let inserts: RowInserts
    let updates: RowUpdates
    /// Whether no further rows depend on reading.
    let areAll: Bool
    /// Whether their values may be stored differently.
    let areInexact: Bool
  }
#endif
