#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// A writer whose changes other rows may block.
  protocol PostponingWriter: TableWriting {
    /// Checks the deletions, and keeps the parts of rows and lists that their records do not hold.
    func prepareDeletions() throws

    /// Runs the updates that other rows blocked, as long as that helps.
    func updatePostponed() throws
  }

  /// Applies the changes of one table.
  final class TableWriter<R: GraphRecord>: PostponingWriter {
    let changes: TableChanges<R>
    let rows: RowWriter
    var pairs: [UpdatePair<R>]?
    private let connection: Connection
    private let statements: TableStatements

    init(_ changes: TableChanges<R>, _ connection: Connection) {
      self.changes = changes
      self.connection = connection
      statements = TableStatements(changes.plan, connection)
      rows = changes.writer(statements)
    }

    var isInexact: Bool { plan.layout.storesOtherwise }

    func fetch(_ ids: [R.ID], locking: Bool) throws -> PartialAnswer<R> {
      try plan.fetch(ids, in: connection)
    }

    func hasRow(_ id: R.ID) throws -> Bool {
      try !connection.rows(selection(of: "1"), plan.values(of: id)).isEmpty
    }

    private func selection(of columns: String) -> String {
      """
      SELECT \(columns) FROM \(SQLText.quoted(plan.table.name)) \
      WHERE \(SQLText.equals(plan.idColumns))
      """
    }

    // MARK: Rows

    func update() throws {
      if try changes.updateKnown(rows) { return }
      try updateOthers { column, id in
        try connection.rows(selection(of: SQLText.quoted(column)), plan.values(of: id)).first?.first
      }
    }

    func updatePostponed() throws { try statements.updatePostponed() }

    func delete() throws {
      if changes.deleted.isEmpty { return }
      let ids = changes.deleted.map(\.id)
      for (chunk, log2) in connection.chunks(of: ids, columns: plan.idColumns.count) {
        try Task.checkCancellation()
        let statement = try connection.statement(.delete(table: plan.number, log2: log2)) {
          """
          DELETE FROM \(SQLText.quoted(plan.table.name)) \
          WHERE \(SQLText.isIn(plan.idColumns, rows: 1 << log2))
          """
        }
        try plan.bind(chunk, to: statement, rows: 1 << log2)
        try statement.run()
      }
    }

    func insert() throws {
      let unmapped = changes.inserted.map { changes.all.unmapped(of: $0.ref) as? KeptRow }
      if unmapped.allSatisfy({ $0 == nil }) {
        return try plan.table.insert(changes.inserted, rows, plan.layout)
      }
      let write = plan.table.makeWriter(plan.layout)
      for (record, unmapped) in zip(changes.inserted, unmapped) {
        rows.chooseAll()
        try rows.fill(record, write)
        try rows.insert(with: unmapped ?? KeptRow(), connection)
      }
    }

    // MARK: Lists

    func emptyDeletedLists() throws {
      if changes.deleted.isEmpty { return }
      for list in plan.table.lists where list.place.isJoin {
        let writer = ListWriter(list.place, connection)
        for record in changes.deleted { try writer.empty(changes.id(of: record)) }
      }
    }

    func writeLists() throws {
      for (number, list) in plan.table.lists.enumerated() {
        let (writer, place) = (ListWriter(list.place, connection), list.place)
        let kinds = plan.layout.lists[number].kinds
        if !place.isJoin {
          for record in changes.deleted { try writer.empty(changes.id(of: record)) }
        }
        try forEachChange(of: list) { change in
          // The columns must store the ids unchanged.
          try kinds[0].check(change.owner, in: place.owner)
          for target in change.new { try kinds[1].check(target, in: place.target) }
          try writer.write(change)
        }
        for record in changes.inserted {
          let unmapped = changes.all.unmapped(of: record.ref) as? KeptRow
          if let kept = unmapped?.lists[number] {
            try writer.restore(kept, of: changes.id(of: record))
          }
        }
      }
    }

    // MARK: Deletions

    func prepareDeletions() throws {
      if changes.deleted.isEmpty { return }
      if R.self is any Versioned.Type {
        do {
          try checkDeletions(stored(changes.deleted.map(\.id)))
        } catch let error as KinshipError {
          throw RowConflict(error: error)
        }
      }
      let names = plan.writableColumns
      let sql = selection(of: SQLText.list(names))
      let lists = plan.table.lists.map { ($0, ListWriter($0.place, connection)) }
      let write = plan.table.makeWriter(plan.layout)
      for (place, record) in changes.deleted.enumerated() {
        if place & 0x3FF == 0x3FF { try Task.checkCancellation() }
        guard let row = try connection.rows(sql, plan.values(of: record.id)).first else {
          throw RowConflict(error: KinshipError.missing(AnyRef(record.ref)))
        }
        rows.chooseAll()
        // The values of a record that cannot be stored are not known.
        let isStorable = (try? rows.fill(record, write)) != nil
        var unmapped = KeptRow()
        for (name, stored) in zip(names, row) {
          let position = plan.layout.columns.firstIndex(of: name)
          let mapped = isStorable ? position.flatMap { rows.values.cells[$0] } : nil
          if SQLValue.areSame(mapped, stored) { continue }
          unmapped.columns.append(KeptRow.Column(name: name, mapped: mapped, stored: stored))
        }
        for (number, (list, writer)) in lists.enumerated() {
          let kept = try writer.unmapped(
            of: changes.id(of: record), besides: list.ids(record, plan.layout.formats))
          if !kept.rows.isEmpty { unmapped.lists[number] = kept }
        }
        if !unmapped.columns.isEmpty || !unmapped.lists.isEmpty {
          changes.all.keep(unmapped, of: record.ref)
        }
      }
    }
  }

  /// The values of a deleted row that differ from its record, to undo the deletion.
  ///
  /// These are columns that the record does not map, and values that it would store in another
  /// form.
  struct KeptRow: Sendable {
    struct Column: Sendable {
      let name: String
      /// The value that the record would store; `nil` if it has none for the column.
      let mapped: SQLValue?
      let stored: SQLValue
    }

    var columns: [Column] = []
    /// The contents of lists to keep, by the number of the list.
    var lists: [Int: KeptList] = [:]
  }

  extension RowWriter {
    /// Inserts a row with the values, and with those that differed from the record before its
    /// deletion.
    fileprivate func insert(with unmapped: KeptRow, _ connection: Connection) throws {
      var columns: [(name: String, value: SQLValue)] = mapped.map {
        (layout.columns[$0], values.cells[$0] ?? .null)
      }
      for column in unmapped.columns {
        guard let place = columns.firstIndex(where: { $0.name == column.name }) else {
          columns.append((column.name, column.stored))
          continue
        }
        if SQLValue.areSame(column.mapped, columns[place].value) {
          columns[place].value = column.stored
        }
      }
      try connection.run(
        SQLText.insertion(into: layout.table, columns.map(\.name)), columns.map(\.value))
    }
  }
#endif
