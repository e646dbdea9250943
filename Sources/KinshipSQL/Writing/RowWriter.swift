internal import Kinship

/// Writes rows of one table, one after another: mostly with the same statement as the row before.
@usableFromInline
package final class RowWriter {
  package let layout: RowLayout
  package let table: String
  package let statements: any RowStatements
  /// Where properties are.
  package let position: (any AnyKeyPath & Sendable) -> Int?
  /// The position of the version, for records that have one.
  @usableFromInline package let versionColumn: Int?
  /// The values of a record: used again for the next one, so that no memory is asked for.
  @usableFromInline package var values = SQLValues()
  /// Whether a row was inserted in which some columns get their defaults.
  package private(set) var leavesDefaults = false
  /// The values of another record.
  private(set) var kept: [SQLValue?] = []
  /// The properties that were set in the row before.
  @usableFromInline package var paths: [any AnyKeyPath & Sendable] = []
  /// The columns that hold these; `nil` if any column may have changed.
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

  /// Finds the columns that hold some properties; says whether all have one.
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

  /// Keeps the values of a record, for those of the next to be compared with them.
  @usableFromInline
  package func keepValues() { swap(&kept, &values.cells) }

  /// Chooses the columns in which the values are not those that were kept.
  @usableFromInline
  package func chooseDifferences() {
    known = spoken.filter { !SQLValue.areSame(kept[$0], values.cells[$0]) }
  }

  /// Whether a column that is to be written holds an object of JSON: what is stored may have keys
  /// that the program does not know.
  @usableFromInline package var writesObjects: Bool {
    values.objects.contains { position in known?.contains(position) ?? true }
  }

  /// Adds the keys to objects of JSON that the stored ones have and the program does not know.
  ///
  /// - Parameters:
  ///   - old: What the columns would have held before, as far as it is known.
  ///   - stored: What a column holds, by its name.
  /// - Throws: `SQLMappingError.notStorable` if a column holds no JSON; what `stored` throws.
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

  /// Takes any column to have changed.
  @usableFromInline
  package func chooseAll() {
    paths = []
    known = nil
    values.wanted = []
  }

  /// Checks that a translator gave a value for each column, and that all can be read again.
  @usableFromInline
  package func checkValues() throws(SQLMappingError) {
    if values.count != layout.columns.count {
      throw .wrongValueCount(
        table: table, expected: layout.columns.count, given: values.count)
    }
    try statements.check(values.cells)
  }

  /// All columns that can be written and that a record has spoken of.
  package var spoken: [Int] {
    values.cells.indices.filter { values.cells[$0] != nil && layout.isWritable[$0] }
  }

  /// Inserts a row of the values.
  @usableFromInline
  package func insert() throws {
    if layout.defaulted.contains(where: { values.cells[$0] == nil }) { leavesDefaults = true }
    try statements.insert(spoken, values.cells)
  }

  /// Updates the row with an id in some columns, by default in all that have a value.
  ///
  /// - Returns: Whether the row is there, with that version where one is given.
  @usableFromInline
  package func update(_ columns: [Int]?, id: SQLValue, _ version: Int?) throws -> Bool {
    try update(columns, ids: [id], version)
  }

  package func update(_ columns: [Int]?, ids: [SQLValue], _ version: Int?) throws -> Bool {
    try statements.update(columns ?? spoken, values.cells, ids: ids, version)
  }
}

/// Writes rows that consist of values, in the columns with some positions.
package protocol RowStatements: AnyObject {
  /// Checks that columns keep values as they are.
  ///
  /// - Throws: `SQLMappingError.notStorable`.
  func check(_ cells: [SQLValue?]) throws(SQLMappingError)

  func insert(_ columns: [Int], _ cells: [SQLValue?]) throws

  /// - Returns: Whether the row is there, with that version where one is given. Who finds that out
  ///   later says yes.
  func update(
    _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?
  ) throws -> Bool
}

/// A row that was to be changed is not there, or not as it should be: what is wrong is to be
/// found out.
package struct Discord: Error {
  package let error: (any Error)?

  package init(error: (any Error)?) { self.error = error }
}
