#if SQLite
  internal import Kinship

  /// Makes the changes of one table.
  final class TableWriter<R: Record>: ErasedTableWriter {
    let changes: TableChanges<R>
    let connection: Connection
    let write: (R, inout SQLiteValues) throws -> Void
    /// The updates that other rows stood in the way of.
    var postponed: [RowUpdate<R>] = []
    /// The updates of records that were not in memory, with what the rows hold.
    var read: [UpdatePair<R>]?
    /// The statement of the last row, for rows of the same columns.
    private var last: (columns: [Int], isUpdate: Bool, statement: Statement)?
    private var values = SQLiteValues()

    var plan: TablePlan<R> { changes.plan }

    init(_ changes: TableChanges<R>, _ connection: Connection) {
      self.changes = changes
      self.connection = connection
      write = changes.plan.table.makeWriter(changes.plan.layout)
    }

    /// The values of a record: used again for the next one, so that no memory is asked for.
    func withValues<Result>(
      of record: R, _ body: (borrowing [SQLiteValue?]) throws -> Result
    ) throws -> Result {
      values.cells.removeAll(keepingCapacity: true)
      do {
        try write(record, &values)
        guard values.cells.count == plan.layout.columns.count else {
          throw SQLiteError.wrongValueCount(
            table: plan.table.name, expected: plan.layout.columns.count,
            given: values.cells.count)
        }
      } catch {
        throw KinshipError.untranslatable(
          type: R.recordName, id: record.id, field: Self.field(of: error), cause: error)
      }
      return try body(values.cells)
    }

    private static func field(of error: any Error) -> String? {
      switch error {
      case SQLiteError.noColumnForProperty(let property, _): property
      case EncodingError.invalidValue(_, let context): context.codingPath.first?.stringValue
      default: nil
      }
    }

    /// A statement for rows of some columns: mostly that of the row before.
    func statement(
      _ columns: [Int], isUpdate: Bool, _ key: @autoclosure () -> StatementKey,
      _ sql: () -> String
    ) throws -> Statement {
      if let last, last.isUpdate == isUpdate, last.columns == columns {
        connection.noteExecuted()
        return last.statement
      }
      let statement = try connection.statement(key(), sql)
      last = (columns, isUpdate, statement)
      return statement
    }

    // MARK: Insertions

    func insert() throws {
      for (count, record) in changes.inserted.enumerated() {
        if count & 0x3FF == 0x3FF { try Task.checkCancellation() }
        try withValues(of: record) { cells in
          // What was not spoken of gets its default, and what is computed its own value.
          let columns = cells.indices.filter {
            cells[$0] != nil && plan.layout.isWritable[$0]
          }
          let statement = try statement(
            columns, isUpdate: false, .insert(table: plan.number, columns: columns)
          ) { insertion(of: columns) }
          var index: Int32 = 1
          for column in columns {
            try statement.bind(cells[column] ?? .null, at: index)
            index += 1
          }
          try statement.run()
        }
      }
    }

    private func insertion(of columns: [Int]) -> String {
      let table = SQLText.quoted(plan.table.name)
      if columns.isEmpty { return "INSERT INTO \(table) DEFAULT VALUES" }
      let names = columns.map { plan.layout.columns[$0] }
      return """
        INSERT INTO \(table) (\(SQLText.list(names))) \
        VALUES (\(SQLText.repeated("?", columns.count)))
        """
    }

    // MARK: Deletions

    func delete() throws {
      let ids = changes.deleted.map(\.id)
      let chunks = Chunks(ids, columns: plan.idColumns.count, in: connection)
      for chunk in chunks {
        try Task.checkCancellation()
        let log2 = chunks.log2(of: chunk.count)
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
  }
#endif
