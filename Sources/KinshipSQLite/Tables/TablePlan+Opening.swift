#if SQLite
  internal import Kinship

  extension SQLiteTable {
    /// Finds the table in the database.
    ///
    /// - Throws: `SQLiteError.noTable`, `.noColumn` or `.unsuitableMapping`.
    func plan(_ number: Int, in connection: Connection) throws -> TablePlan<R> {
      let found = try FoundTable(name, in: connection)
      let idColumns = try id.parts.map { try found.existing($0.column) }
      let selected = try selection(of: found, with: idColumns)
      try checkLists(in: connection)
      let idPositions = idColumns.compactMap { selected.firstIndex(of: $0) }
      guard let firstID = idPositions.first else { throw unsuitable("the id has no column") }

      // By name, for who decodes; by key path, for who changes properties.
      var positions = Dictionary(
        selected.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      var properties: [(any PartialKeyPath<R> & Sendable, Int)] = []
      for column in columns {
        let columnName = try found.existing(column.name)
        guard let position = selected.firstIndex(of: columnName) else { continue }
        positions[column.propertyName] = position
        properties.append((column.property, position))
      }
      positions["id"] = firstID
      if idPositions.count == 1 {
        let path: any PartialKeyPath<R> & Sendable = \R.id
        properties.append((path, firstID))
      }
      for (position, list) in zip(selected.count..., lists) {
        positions[list.name] = position
        properties.append((list.keyPath, position))
      }
      let idParts = zip(id.parts, idPositions).compactMap { part, position in
        part.property.map { ($0, position) }
      }
      let layout = RowLayout(
        table: name, columns: selected, isWritable: selected.map { found.isWritable($0) },
        lists: lists.map { ListLayout(name: $0.name, decode: $0.decode) },
        idPositions: idPositions, positions: positions,
        idParts: Dictionary(idParts) { _, last in last }, formats: formats)
      return TablePlan(
        self, layout: layout, number: number,
        writableColumns: idColumns.filter { !found.has($0) } + found.writable,
        positions: properties)
    }

    /// The columns to read: those that the translator names, or all, and those of the id.
    private func selection(of found: FoundTable, with idColumns: [String]) throws -> [String] {
      let selected = try named?.map { try found.existing($0) } ?? found.names
      let lacking = idColumns.filter { !selected.contains($0) }
      if named != nil, let column = lacking.first {
        throw unsuitable("the translator must name the id's column “\(column)”")
      }
      return selected + lacking
    }

    /// Sees to it that the tables and columns of the lists are there.
    private func checkLists(in connection: Connection) throws {
      if id.parts.count > 1, !lists.isEmpty { throw unsuitable("a list needs an id of one column") }
      for list in lists {
        let (listTable, columns) = list.tableAndColumns
        let found = try FoundTable(listTable, in: connection)
        for column in columns
        where !found.names.contains(where: { ColumnName.areEqual($0, column) }) {
          throw SQLiteError.noColumn(column, table: listTable)
        }
      }
    }

    private func unsuitable(_ reason: String) -> SQLiteError {
      .unsuitableMapping(table: name, reason: reason)
    }
  }

  /// A table or view as it is in the database.
  private struct FoundTable {
    let name: String
    private let columns: [DatabaseColumn]

    /// - Throws: `SQLiteError.noTable` if it is not there.
    init(_ name: String, in connection: Connection) throws(SQLiteError) {
      self.name = name
      columns = try DatabaseColumn.all(of: name, in: connection)
    }

    var names: [String] { columns.map(\.name) }
    var writable: [String] { columns.filter { !$0.isGenerated }.map(\.name) }

    func has(_ column: String) -> Bool { names.contains(column) }

    func isWritable(_ column: String) -> Bool {
      columns.first { $0.name == column }.map { !$0.isGenerated } ?? true
    }

    /// The name of a column as the database has it.
    ///
    /// - Throws: `SQLiteError.noColumn`.
    func existing(_ column: String) throws(SQLiteError) -> String {
      if has(column) { return column }
      if let name = names.first(where: { ColumnName.areEqual($0, column) }) { return name }
      // Rows have a number, named so, that is not among the columns.
      if ["rowid", "oid", "_rowid_"].contains(column) { return column }
      throw .noColumn(column, table: name)
    }
  }

  /// A column as the database describes it.
  struct DatabaseColumn {
    let name: String
    /// Whether its value is computed from others.
    let isGenerated: Bool

    /// The columns of a table or view.
    ///
    /// - Throws: `SQLiteError.noTable` if there is no such table.
    static func all(of table: String, in connection: Connection) throws(SQLiteError)
      -> [DatabaseColumn]
    {
      let rows = try connection.rows(
        "SELECT name, hidden FROM pragma_table_xinfo(?)", [.text(table)])
      if rows.isEmpty { throw .noTable(table) }
      return rows.compactMap { row in
        // 1 is the hidden column of a virtual table; 2 and 3 are generated.
        guard case .text(let name) = row[0], row[1] != .integer(1) else { return nil }
        return DatabaseColumn(name: name, isGenerated: row[1] != .integer(0))
      }
    }
  }
#endif
