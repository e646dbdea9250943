internal import Kinship

extension SQLTable {
  /// Finds the table in the database.
  ///
  /// - Throws: `SQLMappingError.noTable`, `.noColumn` or `.unsuitableMapping`; the errors of
  ///   `find`, which describes a table of the database.
  package func plan(
    _ number: Int, _ dialect: any SQLDialect, find: (String) throws -> FoundTable
  ) throws -> TablePlan<R> {
    let found = try find(name)
    let idColumns = try id.parts.map { try found.existing($0.column) }
    let selected = try selection(of: found, with: idColumns)
    let listKinds = try checkLists(find)
    let idPositions = idColumns.compactMap { selected.firstIndex(of: $0) }
    guard let firstID = idPositions.first else { throw unsuitable("the id has no column") }

    // Names serve decoders, and key paths serve changes of properties.
    var positions = Dictionary(
      selected.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var properties: [(any PartialKeyPath<R> & Sendable, Int)] = []
    var table = self
    table.id = id.named(idColumns)
    for (number, column) in columns.enumerated() {
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
    for (position, list) in zip(selected.count..., lists) {
      positions[list.name] = position
      properties.append((list.keyPath, position))
    }
    let idParts = zip(id.parts, idPositions).compactMap { part, position in
      part.property.map { ($0, position) }
    }
    let layout = RowLayout(
      table: name, columns: selected, kinds: selected.map { found.kind(of: $0) },
      isWritable: selected.map { found.isWritable($0) },
      defaulted: selected.indices.filter { found.hasDefault(selected[$0]) },
      lists: zip(lists, listKinds).map {
        ListLayout(name: $0.name, kinds: $1, decode: $0.decode)
      },
      idPositions: idPositions, positions: positions,
      idParts: Dictionary(idParts) { _, last in last }, formats: formats)
    return TablePlan(
      table, layout: layout, dialect: dialect, number: number, isView: found.isView,
      writableColumns: idColumns.filter { !found.has($0) } + found.writable,
      positions: properties)
  }

  /// Returns the columns to read: those of the translator, or all, and those of the id.
  private func selection(of found: FoundTable, with idColumns: [String]) throws -> [String] {
    let selected = try named?.map { try found.existing($0) } ?? found.readable
    let lacking = idColumns.filter { !selected.contains($0) }
    if named != nil, let column = lacking.first {
      throw unsuitable("the translator must name the id's column “\(column)”")
    }
    return selected + lacking
  }

  /// Checks that the tables and columns of the lists exist, and returns the kinds of the columns.
  private func checkLists(_ find: (String) throws -> FoundTable) throws -> [[ColumnKind]] {
    if id.parts.count > 1, !lists.isEmpty { throw unsuitable("a list needs an id of one column") }
    return try lists.map { list in
      let found = try find(list.place.table)
      for column in list.place.columns
      where !found.has(column, ignoringCase: found.ignoresCase) {
        throw SQLMappingError.noColumn(column, table: list.place.table)
      }
      return list.place.columns.map { found.kind(of: $0) }
    }
  }

  private func unsuitable(_ reason: String) -> SQLMappingError {
    .unsuitableMapping(table: name, reason: reason)
  }
}

extension TablePlan {
  /// Reads a row, if there is one, to check that each property has a column and that the id has the
  /// table's format.
  ///
  /// Only the code that decodes records knows which properties exist.
  ///
  /// - Throws: `SQLMappingError.noColumnForProperty`, `.unsuitableValue`; the errors of `reader`.
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
}

/// A table or view of the database.
package struct FoundTable {
  /// A column, as the database describes it.
  package struct Column {
    package let name: String
    /// Whether the column's value is computed from others.
    package let isGenerated: Bool
    package let kind: ColumnKind
    /// Whether the column can be read.
    package let isReadable: Bool
    /// Whether a row without a value for the column gets another default than NULL.
    package let hasDefault: Bool

    package init(
      name: String, isGenerated: Bool, kind: ColumnKind, isReadable: Bool = true,
      hasDefault: Bool = false
    ) {
      self.hasDefault = hasDefault
      self.name = name
      self.isGenerated = isGenerated
      self.kind = kind
      self.isReadable = isReadable
    }
  }

  package let name: String
  package let columns: [Column]
  /// Whether the database ignores case in names.
  let ignoresCase: Bool
  /// Whether it is a view, whose rows triggers translate into those of other tables.
  let isView: Bool
  /// Readable columns that the database does not list.
  private let hidden: [String]

  package init(
    _ name: String, columns: [Column], ignoresCase: Bool = false, isView: Bool = false,
    hidden: [String] = []
  ) {
    self.isView = isView
    self.name = name
    self.columns = columns
    self.ignoresCase = ignoresCase
    self.hidden = hidden
  }

  package var names: [String] { columns.map(\.name) }
  var readable: [String] { columns.filter(\.isReadable).map(\.name) }
  var writable: [String] { columns.filter { !$0.isGenerated }.map(\.name) }

  func has(_ column: String, ignoringCase: Bool = false) -> Bool {
    columns.contains {
      $0.name == column || ignoringCase && ColumnName.areEqual($0.name, column)
    }
  }

  private func column(_ name: String) -> Column? {
    columns.first { $0.name == name }
      ?? columns.first { ignoresCase && ColumnName.areEqual($0.name, name) }
  }

  func isWritable(_ name: String) -> Bool { column(name).map { !$0.isGenerated } ?? true }

  func hasDefault(_ name: String) -> Bool { column(name)?.hasDefault ?? false }

  func kind(of name: String) -> ColumnKind { column(name)?.kind ?? .any }

  /// Returns the name of a column as the database has it.
  ///
  /// - Throws: `SQLMappingError.noColumn`.
  func existing(_ name: String) throws(SQLMappingError) -> String {
    if let column = column(name) { return column.name }
    if hidden.contains(name) { return name }
    throw .noColumn(name, table: self.name)
  }
}
