package import Kinship

/// A table found in the database, from which statements are built.
package final class TablePlan<R: GraphRecord>: Sendable {
  package let table: SQLTable<R>
  package let layout: RowLayout
  package let dialect: any SQLDialect
  /// The position of the table in the store.
  package let number: Int
  package let isView: Bool
  package let idColumns: [String]
  /// The layout of rows that have only the columns of the id.
  package let idLayout: RowLayout
  /// The columns that statements read: `SELECT "table"."column", …`.
  package let selection: String
  /// The beginning of statements that read from this table alone: `SELECT …, … FROM "table"`.
  package let select: String
  /// All writable columns of the table, including those that records do not map.
  package let writableColumns: [String]
  /// The positions of the properties that the mapping names by key path.
  private let positions: [(any PartialKeyPath<R> & Sendable, Int)]
  /// The positions of other properties, as long as they are few.
  ///
  /// Finding a property by its name takes microseconds.
  private let found = Lock<[(any AnyKeyPath & Sendable, Int?)]>([])

  package init(
    _ table: SQLTable<R>, layout: RowLayout, dialect: any SQLDialect, number: Int, isView: Bool,
    writableColumns: [String], positions: [(any PartialKeyPath<R> & Sendable, Int)]
  ) {
    self.table = table
    self.layout = layout
    self.dialect = dialect
    self.number = number
    self.isView = isView
    self.writableColumns = writableColumns
    idColumns = table.id.parts.map(\.column)
    idLayout = layout.ofIDs(in: idColumns, parts: table.id.parts.map(\.property))
    let lists = table.lists.map { list in
      let ids = list.place.targets(of: table.name, id: table.id.parts[0].column)
      return dialect.array(of: ids, isPlain: list.isPlain)
    }
    let name = SQLText.quoted(table.name)
    let columns = layout.columns.map { "\(name).\(SQLText.quoted($0))" } + lists
    selection = "SELECT \(columns.joined(separator: ", "))"
    select = "\(selection) FROM \(name)"
    self.positions = positions
  }

  /// Returns the position of a property's column or list; `nil` if it has none.
  package func position(of property: any AnyKeyPath & Sendable) -> Int? {
    if let position = positions.first(where: { $0.0 == property })?.1 { return position }
    if let known = found.withLock({ $0.first { $0.0 == property } }) { return known.1 }
    let position = layout.position(of: PropertyName.of(property))
    found.withLock { if $0.count < 32 { $0.append((property, position)) } }
    return position
  }

  /// Returns the column of a property that is not a list.
  package func column(of property: any PartialKeyPath<R> & Sendable) -> String? {
    if let column = table.columns.first(where: { $0.property == property }) {
      return column.name
    }
    guard let position = position(of: property), position < layout.columns.count else {
      return nil
    }
    return layout.columns[position]
  }

  /// The position of the version, for records that have one.
  package var versionColumn: Int? {
    R.self is any Versioned.Type ? layout.position(of: "version") : nil
  }

  /// Returns the kind of a column.
  package func kind(ofColumn name: String) -> ColumnKind {
    layout.columns.firstIndex(of: name).map { layout.kinds[$0] } ?? dialect.kindOfOthers
  }

  package func list(of property: any PartialKeyPath<R> & Sendable) -> SQLList<R>? {
    table.lists.first { $0.keyPath == property }
  }

  /// Returns the stored values of an id, one for each of its columns.
  package func values(of id: R.ID) throws -> [SQLValue] {
    if idColumns.count == 1 { return [try table.idValue(id, layout.formats)] }
    guard let id = id as? any Encodable else {
      throw SQLMappingError.notStorable("\(R.ID.self) is not Codable")
    }
    var cells: [SQLValue?] = Array(repeating: nil, count: layout.columns.count)
    try RowEncoder(layout).encode(parts: id, into: &cells)
    return layout.idPositions.map { cells[$0] ?? .null }
  }
}

extension TablePlan {
  /// Converts ids that the database has chosen from the values of their column.
  ///
  /// - Throws: `KinshipError.unsupported` if ids of the type are stored in another form.
  package func newIDs(_ values: [SQLValue]) throws -> [R.ID] {
    try values.map { value in
      guard let id = try? IDCoding.id(R.ID.self, from: value, layout.formats),
        try table.idValue(id, layout.formats) == value
      else { throw cannotChooseIDs }
      return id
    }
  }

  package var cannotChooseIDs: KinshipError {
    .unsupported(store: dialect.store, operation: "new ids of \(R.recordName)")
  }

  /// Returns the ref of a record by the stored values of its id; `nil` if they are not an id.
  package func ref(of values: [SQLValue]) -> AnyRef? {
    let row = SQLRow(ValueCells(values), layout: idLayout)
    return row.recordID(of: R.self).map { AnyRef(Ref<R>($0)) }
  }
}

/// A connection that runs reading statements.
package protocol SQLReader {
  /// Runs a statement and passes its rows, positioned before the first.
  func withRows<Result>(
    of sql: String, _ values: [SQLValue], _ layout: RowLayout,
    _ body: (borrowing SQLRow) throws -> Result
  ) throws -> Result

  /// Counts rows that were read as records.
  func note(rowsRead count: Int)
}
