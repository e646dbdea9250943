#if SQLite
  internal import Kinship

  /// Writes rows of one table, one after another: mostly with the same statement as the row before.
  @usableFromInline
  final class RowWriter {
    let layout: RowLayout
    let table: String
    let idColumns: [String]
    let number: Int
    let connection: Connection
    /// Where properties are.
    let position: (any AnyKeyPath & Sendable) -> Int?
    /// The position of the version, for records that have one.
    @usableFromInline let versionColumn: Int?
    /// The values of a record: used again for the next one, so that no memory is asked for.
    @usableFromInline var values = SQLiteValues()
    /// The values of another record.
    private var kept: [SQLiteValue?] = []
    /// The properties that were set in the row before.
    @usableFromInline var paths: [any AnyKeyPath & Sendable] = []
    /// The columns that hold these; `nil` if any column may have changed.
    @usableFromInline var known: [Int]?
    /// The updates that other rows stood in the way of.
    var postponed: [RowUpdate] = []
    private var last: (columns: [Int], kind: Kind, statement: Statement)?

    private enum Kind { case update, versionedUpdate, insert }

    init(
      _ layout: RowLayout, table: String, idColumns: [String], number: Int, versionColumn: Int?,
      _ connection: Connection, position: @escaping (any AnyKeyPath & Sendable) -> Int?
    ) {
      self.layout = layout
      self.table = table
      self.idColumns = idColumns
      self.number = number
      self.versionColumn = versionColumn
      self.connection = connection
      self.position = position
    }

    /// Finds the columns that hold some properties; says whether all have one.
    @usableFromInline
    func choose(_ paths: [any AnyKeyPath & Sendable]) -> Bool {
      self.paths = paths
      var columns: [Int] = []
      for path in paths {
        guard let position = position(path) else {
          chooseAll()
          return false
        }
        if position < layout.columns.count, layout.isWritable[position] { columns.append(position) }
      }
      known = columns
      values.wanted = layout.columns.indices.map { columns.contains($0) }
      return true
    }

    /// Keeps the values of a record, for those of the next to be compared with them.
    @usableFromInline
    func keepValues() { swap(&kept, &values.cells) }

    /// Chooses the columns in which the values are not those that were kept.
    @usableFromInline
    func chooseDifferences() {
      known = spoken.filter { !SQLiteValue.areSame(kept[$0], values.cells[$0]) }
    }

    /// Takes any column to have changed.
    @usableFromInline
    func chooseAll() {
      paths = []
      known = nil
      values.wanted = []
    }

    /// Checks that a translator gave a value for each column.
    @usableFromInline
    func checkValues() throws(SQLiteError) {
      if values.count != layout.columns.count {
        throw .wrongValueCount(
          table: table, expected: layout.columns.count, given: values.count)
      }
    }

    /// All columns that can be written and that a record has spoken of.
    var spoken: [Int] {
      values.cells.indices.filter { values.cells[$0] != nil && layout.isWritable[$0] }
    }

    // MARK: Statements

    /// Inserts a row of the values; what was not spoken of gets its default.
    @usableFromInline
    func insert() throws {
      let columns = spoken
      let statement = try statement(columns, .insert)
      var index: Int32 = 1
      for column in columns {
        try statement.bind(values.cells[column] ?? .null, at: index)
        index += 1
      }
      try statement.run()
    }

    /// Updates columns of a row, `nil` for all, to the values, or puts that off where another row
    /// stands in the way; says whether there is such a row.
    @usableFromInline
    func update(
      _ columns: [Int]?, id: SQLiteValue, _ version: Int?
    ) throws -> Bool { try update(columns, ids: CollectionOfOne(id), version) }

    func update(
      _ columns: [Int]?, ids: some Collection<SQLiteValue>, _ version: Int?
    ) throws -> Bool {
      let columns = columns ?? spoken
      do {
        return try run(columns, ids: ids, version) { values.cells[$0] ?? .null }
      } catch let error as SQLiteError where error.isConstraint {
        postponed.append(
          RowUpdate(
            ids: Array(ids), columns: columns,
            values: columns.map { values.cells[$0] ?? .null }, version: version))
        return true
      }
    }

    /// Makes the updates that other rows stood in the way of, as long as that helps.
    func updatePostponed() throws {
      while !postponed.isEmpty {
        let updates = postponed
        postponed = []
        var refusal: (any Error)?
        for update in updates {
          do {
            var next = 0
            let isThere = try run(update.columns, ids: update.ids, update.version) { _ in
              defer { next += 1 }
              return update.values[next]
            }
            if !isThere { throw Discord(error: nil) }
          } catch let error as SQLiteError where error.isConstraint {
            refusal = error
            postponed.append(update)
          }
        }
        if let refusal, postponed.count == updates.count { throw refusal }
      }
    }

    @inline(__always)
    private func run(
      _ columns: [Int], ids: some Collection<SQLiteValue>, _ version: Int?,
      _ value: (Int) -> SQLiteValue
    ) throws -> Bool {
      let statement = try statement(columns, version == nil ? .update : .versionedUpdate)
      var index: Int32 = 1
      for column in columns {
        try statement.bind(value(column), at: index)
        index += 1
      }
      for id in ids {
        try statement.bind(id, at: index)
        index += 1
      }
      if let version { try statement.bind(.integer(Int64(version)), at: index) }
      try statement.run()
      return connection.changes == 1
    }

    private func statement(_ columns: [Int], _ kind: Kind) throws(SQLiteError) -> Statement {
      if let last, last.kind == kind, last.columns == columns {
        connection.noteExecuted()
        return last.statement
      }
      let statement =
        switch kind {
        case .insert:
          try connection.statement(.insert(table: number, columns: columns)) {
            insertion(of: columns)
          }
        case .update:
          try connection.statement(.update(table: number, columns: columns, isVersioned: false)) {
            updating(columns, idColumns)
          }
        case .versionedUpdate:
          try connection.statement(.update(table: number, columns: columns, isVersioned: true)) {
            updating(columns, idColumns + (versionColumn.map { [layout.columns[$0]] } ?? []))
          }
        }
      last = (columns, kind, statement)
      return statement
    }

    private func insertion(of columns: [Int]) -> String {
      let table = SQLText.quoted(table)
      if columns.isEmpty { return "INSERT INTO \(table) DEFAULT VALUES" }
      return """
        INSERT INTO \(table) (\(SQLText.list(columns.map { layout.columns[$0] }))) \
        VALUES (\(SQLText.repeated("?", columns.count)))
        """
    }

    private func updating(_ columns: [Int], _ condition: [String]) -> String {
      // Without a column to change the row must be there all the same.
      let settings =
        columns.isEmpty
        ? ["\(SQLText.quoted(idColumns[0])) = \(SQLText.quoted(idColumns[0]))"]
        : columns.map { "\(SQLText.quoted(layout.columns[$0])) = ?" }
      return """
        UPDATE \(SQLText.quoted(table)) SET \(settings.joined(separator: ", ")) \
        WHERE \(SQLText.equals(condition))
        """
    }
  }

  /// An update of a row that is put off.
  struct RowUpdate {
    let ids: [SQLiteValue]
    let columns: [Int]
    let values: [SQLiteValue]
    let version: Int?
  }
#endif
