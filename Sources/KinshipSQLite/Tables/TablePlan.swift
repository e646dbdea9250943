#if SQLite
  internal import Kinship

  /// A table that was found in the database: what its statements are made of.
  final class TablePlan<R: GraphRecord>: Sendable {
    let table: SQLiteTable<R>
    let layout: RowLayout
    /// Which of the store's tables it is.
    let number: Int
    let idColumns: [String]
    /// Of rows that have no more than the columns of the id.
    let idLayout: RowLayout
    /// The beginning of statements that read: `SELECT …, … FROM "table"`.
    let select: String
    /// All columns of the table that can be written, those that records do not map as well.
    let writableColumns: [String]
    /// Where properties are, as far as key paths have been told.
    private let positions: [(any PartialKeyPath<R> & Sendable, Int)]
    /// Where other properties are, as long as they are few: to find one by its name takes
    /// microseconds.
    private let found = Lock<[(any AnyKeyPath & Sendable, Int?)]>([])

    init(
      _ table: SQLiteTable<R>, layout: RowLayout, number: Int, writableColumns: [String],
      positions: [(any PartialKeyPath<R> & Sendable, Int)]
    ) {
      self.table = table
      self.layout = layout
      self.number = number
      self.writableColumns = writableColumns
      idColumns = table.id.parts.map(\.column)
      idLayout = layout.ofIDs(in: idColumns, parts: table.id.parts.map(\.property))
      let lists = table.lists.map { $0.subquery(of: table.name, id: table.id.parts[0].column) }
      let columns = layout.columns.map(SQLText.quoted) + lists
      select = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.quoted(table.name))"
      self.positions = positions
    }

    /// The position of the column, or list, that holds a property; `nil` if there is none.
    func position(of property: any AnyKeyPath & Sendable) -> Int? {
      if let position = positions.first(where: { $0.0 == property })?.1 { return position }
      if let known = found.withLock({ $0.first { $0.0 == property } }) { return known.1 }
      let position = layout.position(of: PropertyName.of(property))
      found.withLock { if $0.count < 32 { $0.append((property, position)) } }
      return position
    }

    /// The column of a property that is no list.
    func column(of property: any PartialKeyPath<R> & Sendable) -> String? {
      if let column = table.columns.first(where: { $0.property == property }) {
        return column.name
      }
      guard let position = position(of: property), position < layout.columns.count else {
        return nil
      }
      return layout.columns[position]
    }

    func list(of property: any PartialKeyPath<R> & Sendable) -> SQLiteList<R>? {
      table.lists.first { $0.keyPath == property }
    }

    /// What is stored for an id: a value for each of its columns.
    func values(of id: R.ID) throws -> [SQLiteValue] {
      if idColumns.count == 1 { return [try table.idValue(id, layout.formats)] }
      guard let id = id as? any Encodable else {
        throw SQLiteError.notStorable("\(R.ID.self) is not Codable")
      }
      var cells: [SQLiteValue?] = Array(repeating: nil, count: layout.columns.count)
      try RowEncoder(layout).encode(parts: id, into: &cells)
      return layout.idPositions.map { cells[$0] ?? .null }
    }
  }
#endif
