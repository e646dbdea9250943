package import Kinship

/// A table found in the database, from which statements are built.
package final class TablePlan<R: GraphRecord>: Sendable {
  package let table: SQLTable<R>
  package let layout: RowLayout
  package let dialect: any SQLDialect
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
  /// The positions of other properties, as long as they are few: finding one takes microseconds.
  private let found = Lock<[(any AnyKeyPath & Sendable, Int?)]>([])

  /// Finds a table in the database; `find` describes one by its name.
  package init(
    _ declared: SQLTable<R>, number: Int, _ dialect: any SQLDialect,
    find: (String) throws -> FoundTable
  ) throws {
    let found = try find(declared.name)
    let idColumns = try declared.id.parts.map { try found.existing($0.column) }
    let selected = try declared.selection(of: found, with: idColumns)
    let listKinds = try declared.listKinds(find)
    let idPositions = idColumns.compactMap { selected.firstIndex(of: $0) }
    guard let firstID = idPositions.first else { throw declared.unsuitable("the id has no column") }

    // Names serve decoders, and key paths serve changes of properties.
    var positions = Dictionary(
      selected.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var properties: [(any PartialKeyPath<R> & Sendable, Int)] = []
    var table = declared
    table.id = declared.id.named(idColumns)
    for (number, column) in declared.columns.enumerated() {
      let columnName = try found.existing(column.name)
      table.columns[number].name = columnName
      guard let position = selected.firstIndex(of: columnName) else { continue }
      positions[column.propertyName] = position
      properties.append((column.property, position))
    }
    positions["id"] = firstID
    if idPositions.count == 1 {
      let path: any PartialKeyPath<R> & Sendable = \R.id
      properties.append((path, firstID))
    }
    for (position, list) in zip(selected.count..., declared.lists) {
      positions[list.name] = position
      properties.append((list.keyPath, position))
    }
    let idParts = zip(declared.id.parts, idPositions).compactMap { part, position in
      part.property.map { ($0, position) }
    }
    layout = RowLayout(
      table: declared.name, columns: selected, kinds: selected.map { found.kind(of: $0) },
      isWritable: selected.map { found.column($0)?.isGenerated != true },
      defaulted: selected.indices.filter { found.column(selected[$0])?.hasDefault == true },
      lists: zip(declared.lists, listKinds).map {
        ListLayout(name: $0.name, kinds: $1, decode: $0.decode)
      },
      idPositions: idPositions, positions: positions,
      idParts: Dictionary(idParts) { _, last in last }, formats: declared.formats)
    self.table = table
    self.dialect = dialect
    self.number = number
    self.idColumns = idColumns
    self.positions = properties
    isView = found.isView
    writableColumns = idColumns.filter { found.column($0) == nil } + found.writable
    idLayout = layout.ofIDs(in: idColumns, parts: table.id.parts.map(\.property))
    let lists = table.lists.map { list in
      let ids = list.place.targets(of: table.name, id: idColumns[0])
      return dialect.array(of: ids, isPlain: list.isPlain)
    }
    let name = SQLText.quoted(table.name)
    let columns = selected.map { "\(name).\(SQLText.quoted($0))" } + lists
    selection = "SELECT \(columns.joined(separator: ", "))"
    select = "\(selection) FROM \(name)"
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

  package var versionColumn: Int? {
    R.self is any Versioned.Type ? layout.position(of: "version") : nil
  }

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
      throw SQLMappingError.notStorable("the id \(R.ID.self) is not Codable; declare it as Codable")
    }
    var cells: [SQLValue?] = Array(repeating: nil, count: layout.columns.count)
    try RowEncoder(layout).encode(parts: id, into: &cells)
    return layout.idPositions.map { cells[$0] ?? .null }
  }
}

extension SQLTable {
  /// Returns the columns to read: those of the translator, or all, and those of the id.
  fileprivate func selection(of found: FoundTable, with idColumns: [String]) throws -> [String] {
    let selected = try named?.map { try found.existing($0) } ?? found.readable
    let lacking = idColumns.filter { !selected.contains($0) }
    if named != nil, let column = lacking.first {
      throw unsuitable("the translator must name the id's column “\(column)”")
    }
    return selected + lacking
  }

  /// Returns the kinds of the columns of the lists, which must exist.
  fileprivate func listKinds(_ find: (String) throws -> FoundTable) throws -> [[ColumnKind]] {
    if id.parts.count > 1, !lists.isEmpty { throw unsuitable("a list needs an id of one column") }
    return try lists.map { list in
      let found = try find(list.place.table)
      return try list.place.columns.map { found.kind(of: try found.existing($0)) }
    }
  }

  fileprivate func unsuitable(_ reason: String) -> SQLMappingError {
    .unsuitableMapping(table: name, reason: reason)
  }
}

extension TablePlan {
  /// Reads a row, if there is one, to check that each property has a column and that the id has the
  /// table's format.
  ///
  /// Only the code that decodes records knows which properties exist.
  package func checkMapping(from reader: some SQLReader) throws {
    let answer = try reader.withRows(of: "\(select) LIMIT 1", [], layout) { row in
      try table.read(row, 1)
    }
    for failure in answer.failures {
      guard case KinshipError.untranslatable(_, _, _, let cause) = failure.cause else { continue }
      switch cause {
      case DecodingError.keyNotFound(_, let context):
        if let error = context.underlyingError as? SQLMappingError { throw error }
      case SQLMappingError.unsuitableValue(_, let column, _) where idColumns.contains(column):
        throw cause
      default: continue
      }
    }
  }

  /// Converts ids that the database has chosen from the values of their column.
  package func newIDs(_ values: [SQLValue]) throws -> [R.ID] {
    try values.map { value in
      guard let id = try? IDCoding.id(R.ID.self, from: value, layout.formats),
        try table.idValue(id, layout.formats) == value
      else { throw cannotChooseIDs }
      return id
    }
  }

  package var cannotChooseIDs: KinshipError {
    .misuse(.unsupported(store: dialect.store, operation: "new ids of \(R.recordName)"))
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
  func count(rowsRead count: Int)
}
