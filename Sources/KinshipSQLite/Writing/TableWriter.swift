#if SQLite
  internal import Kinship

  /// Makes the changes of one table.
  final class TableWriter<R: GraphRecord>: ErasedTableWriter {
    let changes: TableChanges<R>
    let connection: Connection
    let rows: RowWriter
    /// The updates with what records were and are; what was not in memory is read once.
    private var known: [UpdatePair<R>]?

    var plan: TablePlan<R> { changes.plan }

    init(_ changes: TableChanges<R>, _ connection: Connection) {
      self.changes = changes
      self.connection = connection
      let plan = changes.plan
      rows = RowWriter(
        plan.layout, table: plan.table.name, idColumns: plan.idColumns, number: plan.number,
        versionColumn: R.self is any Versioned.Type ? plan.layout.position(of: "version") : nil,
        connection, position: { plan.position(of: $0) })
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
        try rows.insert(with: remains ?? RowRemains())
      }
    }

    func update() throws {
      if changes.updated.isEmpty { return }
      if plan.idColumns.count == 1 {
        if try plan.table.update(changes.updated, rows, plan.layout) == 0 { return }
      }
      let write = plan.table.makeWriter(plan.layout)
      for (pair, change) in zip(try pairs(), changes.updated) {
        let hasColumns = rows.note(change.properties)
        // The others were written already.
        if change.new != nil, hasColumns, plan.idColumns.count == 1 { continue }
        if let old = pair.old, !hasColumns || change.properties == nil {
          try rows.compare(old, pair.new, write)
        } else {
          try rows.take(pair.new, write)
        }
        let version =
          rows.versionColumn == nil ? nil : (change.old ?? pair.old).flatMap { $0.knownVersion }
        if try !rows.update(rows.known, ids: plan.values(of: pair.new.id), version) {
          throw rows.discord(change.ref)
        }
      }
    }

    func updatePostponed() throws { try rows.updatePostponed() }

    func delete() throws {
      if changes.deleted.isEmpty { return }
      try forEachChunk(
        of: changes.deleted.map(\.id), "DELETE", { .delete(table: plan.number, log2: $0) }
      ) { statement in
        try Task.checkCancellation()
        try statement.run()
      }
    }

    /// Makes a statement about the rows with ids, for as many at a time as one can take.
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

    /// The updates with what records were and are: as they are stored, where properties have no
    /// column of their own, or the records were not in memory.
    func pairs() throws -> [UpdatePair<R>] {
      if let known { return known }
      let unknown = changes.updated.filter { $0.new == nil || !rows.note($0.properties) }
      let stored = unknown.isEmpty ? [:] : try stored(unknown.map(\.ref.id))
      let pairs = try changes.updated.map { change in
        if let new = change.new, rows.note(change.properties) {
          if new.id != change.ref.id { throw rows.identityChanged(change.ref, new) }
          return UpdatePair(old: change.old, new: new)
        }
        guard let old = stored[change.ref.id] else { throw rows.discord(change.ref) }
        return UpdatePair(old: old, new: try change.applied(to: old))
      }
      known = pairs
      return pairs
    }

    /// The rows of some records as records, by their ids.
    func stored(_ ids: [R.ID]) throws -> [R.ID: R] {
      let answer = try plan.fetch(ids, in: connection)
      if let failure = answer.failures.first { throw failure.cause }
      return Dictionary(answer.records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }
  }

  /// A record before and after an update.
  struct UpdatePair<R: GraphRecord> {
    let old: R?
    let new: R
  }
#endif
