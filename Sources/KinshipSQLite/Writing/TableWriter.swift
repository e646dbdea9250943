#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// Applies the changes of one table.
  final class TableWriter<R: GraphRecord>: ErasedTableWriter {
    let changes: TableChanges<R>
    let connection: Connection
    let rows: RowWriter
    private let statements: TableStatements
    /// Whether a list was written whose order depends on rows.
    var writesSortedLists = false
    /// The updates with the records before and after; missing ones are read once.
    private var known: [UpdatePair<R>]?

    var plan: TablePlan<R> { changes.plan }

    init(_ changes: TableChanges<R>, _ connection: Connection) {
      self.changes = changes
      self.connection = connection
      statements = TableStatements(
        changes.plan, versionColumn: changes.plan.versionColumn, connection)
      rows = changes.writer(statements)
    }

    func insert() throws {
      let remains = changes.inserted.map { changes.all.remains(of: $0.ref) as? RowRemains }
      if remains.allSatisfy({ $0 == nil }) {
        return try plan.table.insert(changes.inserted, rows, plan.layout)
      }
      let write = plan.table.makeWriter(plan.layout)
      for (record, remains) in zip(changes.inserted, remains) {
        rows.chooseAll()
        try rows.take(record, write)
        try rows.insert(with: remains ?? RowRemains(), connection)
      }
    }

    func update() throws {
      try changes.update(rows, pairs: pairs) { column, id in
        try connection.rows(
          """
          SELECT \(SQLText.quoted(column)) FROM \(SQLText.quoted(plan.table.name)) \
          WHERE \(SQLText.equals(plan.idColumns))
          """, plan.values(of: id)
        ).first?.first
      }
    }

    func compare(_ effects: SideEffects, _ report: inout CommitReport) throws {
      guard
        effects.mayChangeRows || plan.layout.storesOtherwise || rows.leavesDefaults
          || writesSortedLists
      else { return }
      try changes.compare(with: plan.fetch(changes.handedIDs, in: connection), &report) { id in
        let sql = """
          SELECT 1 FROM \(SQLText.quoted(plan.table.name)) WHERE \(SQLText.equals(plan.idColumns))
          """
        return try !connection.rows(sql, plan.values(of: id)).isEmpty
      }
    }

    func updatePostponed() throws { try statements.updatePostponed() }

    func delete() throws {
      if changes.deleted.isEmpty { return }
      try forEachChunk(
        of: changes.deleted.map(\.id), "DELETE", { .delete(table: plan.number, log2: $0) }
      ) { statement in
        try Task.checkCancellation()
        try statement.run()
      }
    }

    /// Builds a statement for the rows with ids, for as many at a time as one can take.
    func forEachChunk(
      of ids: [R.ID], _ command: String, _ key: (_ log2: Int) -> StatementKey,
      _ body: (Statement) throws -> Void
    ) throws {
      let chunks = Chunks(ids, columns: plan.idColumns.count, in: connection)
      for chunk in chunks {
        let log2 = chunks.log2(of: chunk.count)
        let statement = try connection.statement(key(log2)) {
          """
          \(command) FROM \(SQLText.quoted(plan.table.name)) \
          WHERE \(SQLText.isIn(plan.idColumns, rows: 1 << log2))
          """
        }
        try plan.bind(chunk, to: statement, rows: 1 << log2)
        try body(statement)
      }
    }

    /// Returns the updates with the records before and after.
    ///
    /// Records are read from the database if properties have no column of their own, or if the
    /// records were not in memory.
    func pairs() throws -> [UpdatePair<R>] {
      if let known { return known }
      let pairs = try changes.pairs(rows, stored: stored)
      known = pairs
      return pairs
    }

    /// Returns the stored records, by their ids.
    func stored(_ ids: [R.ID]) throws -> [R.ID: R] {
      let answer = try plan.fetch(ids, in: connection)
      if let failure = answer.failures.first { throw failure.cause }
      return Dictionary(answer.records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }
  }
#endif
