internal import Kinship

/// Writes rows of one table, one after another, usually with the same statement.
@usableFromInline
package final class RowWriter {
  package let layout: RowLayout
  package let table: String
  package let statements: any RowStatements
  /// Returns the position of a property.
  package let position: (any AnyKeyPath & Sendable) -> Int?
  /// The position of the version, for records that have one.
  @usableFromInline package let versionColumn: Int?
  /// The values of a record, reused for the next one to avoid allocations.
  @usableFromInline package var values = SQLValues()
  /// Whether a row was inserted in which some columns get their defaults.
  package private(set) var leavesDefaults = false
  /// The values of another record, for comparison.
  private(set) var kept: [SQLValue?] = []
  /// The properties that were set in the previous row.
  @usableFromInline package var paths: [any AnyKeyPath & Sendable] = []
  /// The columns of these properties; `nil` if any column may have changed.
  @usableFromInline package var known: [Int]?

  package init(
    _ layout: RowLayout, table: String, versionColumn: Int?, _ statements: any RowStatements,
    position: @escaping (any AnyKeyPath & Sendable) -> Int?
  ) {
    self.layout = layout
    self.table = table
    self.versionColumn = versionColumn
    self.statements = statements
    self.position = position
  }

  /// Finds the columns of properties, and returns whether all have one.
  ///
  /// - Throws: `SQLMappingError.notStorable` for a property that the database computes.
  @usableFromInline
  package func choose(_ paths: [any AnyKeyPath & Sendable]) throws(SQLMappingError) -> Bool {
    self.paths = paths
    var columns: [Int] = []
    for path in paths {
      guard let position = position(path) else {
        chooseAll()
        return false
      }
      if position >= layout.columns.count { continue }
      guard layout.isWritable[position] else {
        throw .notStorable(
          "the database computes “\(layout.columns[position])” of table “\(table)”; "
            + "set the columns that it is computed from")
      }
      columns.append(position)
    }
    known = columns
    values.wanted = layout.columns.indices.map { columns.contains($0) }
    return true
  }

  /// Keeps the values of a record to compare them with those of the next.
  @usableFromInline
  package func keepValues() { swap(&kept, &values.cells) }

  /// Chooses the columns whose values differ from the kept ones.
  @usableFromInline
  package func chooseDifferences() {
    known = spoken.filter { !SQLValue.areSame(kept[$0], values.cells[$0]) }
  }

  /// Whether a column to write holds a JSON object, whose stored form may have keys that the
  /// program does not know.
  @usableFromInline package var writesObjects: Bool {
    values.objects.contains { position in known?.contains(position) ?? true }
  }

  /// Adds to JSON objects the keys of the stored ones that the program does not know.
  ///
  /// - Parameters:
  ///   - old: The values that the columns would have held before, if known.
  ///   - stored: Returns the stored value of a column, by its name.
  /// - Throws: `SQLMappingError.notStorable` if a column holds no JSON; the errors of `stored`.
  package func mergeObjects(
    over old: [SQLValue?], stored: (String) throws -> SQLValue?
  ) throws {
    for position in values.objects where known?.contains(position) ?? true {
      guard case .text(let new) = values.cells[position],
        case .text(let theirs) = try stored(layout.columns[position])
      else { continue }
      var before: String?
      if old.indices.contains(position), case .text(let text) = old[position] { before = text }
      values.cells[position] = .text(try JSONText.merging(new, over: before, in: theirs))
    }
  }

  /// Treats every column as changed.
  @usableFromInline
  package func chooseAll() {
    paths = []
    known = nil
    values.wanted = []
  }

  /// Checks that a translator added a value for each column, and that all can be read again.
  @usableFromInline
  package func checkValues() throws(SQLMappingError) {
    if values.count != layout.columns.count {
      throw .wrongValueCount(
        table: table, expected: layout.columns.count, given: values.count)
    }
    try statements.check(values.cells)
  }

  /// All writable columns for which a record has a value.
  package var spoken: [Int] {
    values.cells.indices.filter { values.cells[$0] != nil && layout.isWritable[$0] }
  }

  /// Inserts a row with the values.
  @usableFromInline
  package func insert() throws {
    if layout.defaulted.contains(where: { values.cells[$0] == nil }) { leavesDefaults = true }
    try statements.insert(spoken, values.cells)
  }

  /// Updates some columns of the row with an id; by default, all columns with a value.
  ///
  /// - Returns: Whether the row exists, with the given version if there is one.
  @usableFromInline
  package func update(_ columns: [Int]?, id: SQLValue, _ version: Int?) throws -> Bool {
    try update(columns, ids: [id], version)
  }

  package func update(_ columns: [Int]?, ids: [SQLValue], _ version: Int?) throws -> Bool {
    try statements.update(columns ?? spoken, values.cells, ids: ids, version)
  }
}

/// Writes rows of values at given column positions.
package protocol RowStatements: AnyObject {
  /// Checks that columns store values unchanged.
  ///
  /// - Throws: `SQLMappingError.notStorable`.
  func check(_ cells: [SQLValue?]) throws(SQLMappingError)

  func insert(_ columns: [Int], _ cells: [SQLValue?]) throws

  /// - Returns: Whether the row exists, with the given version if there is one. An implementation
  ///   that finds out later returns `true`.
  func update(
    _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?
  ) throws -> Bool
}

/// Thrown if a row to change is missing or has another version; the caller finds out the cause.
package struct Discord: Error {
  package let error: (any Error)?

  package init(error: (any Error)?) { self.error = error }
}
