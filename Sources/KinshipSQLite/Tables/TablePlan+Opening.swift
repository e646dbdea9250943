#if SQLite
  internal import Kinship

  extension SQLiteTable {
    /// Finds the table in the database.
    ///
    /// - Throws: `SQLiteError.noTable`, `.noColumn` or `.unsuitableMapping`.
    func plan(_ number: Int, in connection: Connection) throws -> TablePlan<R> {
      let found = try DatabaseColumn.all(of: name, in: connection)
      let names = found.map(\.name)
      func existing(_ column: String) throws(SQLiteError) -> String {
        if let name = names.first(where: { $0 == column }) { return name }
        if let name = names.first(where: { ColumnName.areEqual($0, column) }) { return name }
        // Rows have a number, named so, that is not among the columns.
        if ["rowid", "oid", "_rowid_"].contains(column) { return column }
        throw .noColumn(column, table: name)
      }
      let idColumns = try id.parts.map { try existing($0.column) }
      guard !idColumns.isEmpty else {
        throw SQLiteError.unsuitableMapping(table: name, reason: "the id has no column")
      }
      if idColumns.count > 1, !lists.isEmpty {
        throw SQLiteError.unsuitableMapping(
          table: name, reason: "a list needs an id of one column")
      }
      var selected = try named?.map(existing) ?? names
      for column in idColumns where !selected.contains(column) {
        guard named == nil else {
          throw SQLiteError.unsuitableMapping(
            table: name, reason: "the translator must name the id's column “\(column)”")
        }
        selected.append(column)
      }
      for list in lists {
        let (listTable, columns) = list.tableAndColumns
        let there = try DatabaseColumn.all(of: listTable, in: connection).map(\.name)
        for column in columns
        where !there.contains(where: { ColumnName.areEqual($0, column) }) {
          throw SQLiteError.noColumn(column, table: listTable)
        }
      }

      var positions = Dictionary(
        selected.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      var properties: [(any PartialKeyPath<R> & Sendable, Int)] = []
      for column in columns {
        let columnName = try existing(column.name)
        guard let position = selected.firstIndex(of: columnName) else { continue }
        positions[column.propertyName] = position
        properties.append((column.property, position))
      }
      let idPositions = idColumns.compactMap { selected.firstIndex(of: $0) }
      positions["id"] = idPositions[0]
      if idPositions.count == 1 {
        let path: any PartialKeyPath<R> & Sendable = \R.id
        properties.append((path, idPositions[0]))
      }
      for (index, list) in lists.enumerated() {
        positions[list.name] = selected.count + index
        properties.append((list.keyPath, selected.count + index))
      }
      var idParts: [String: Int] = [:]
      for (part, position) in zip(id.parts, idPositions) {
        if let property = part.property { idParts[property] = position }
      }
      let layout = RowLayout(
        table: name, columns: selected,
        isWritable: selected.map { name in
          found.first { $0.name == name }.map { !$0.isGenerated } ?? true
        },
        lists: lists.map { ListLayout(name: $0.name, decode: $0.decode) },
        idPositions: idPositions, positions: positions, idParts: idParts, formats: formats)
      let writable = found.filter { !$0.isGenerated }.map(\.name)
      return TablePlan(
        self, layout: layout, number: number,
        writableColumns: idColumns.filter { !names.contains($0) } + writable,
        positions: properties)
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
