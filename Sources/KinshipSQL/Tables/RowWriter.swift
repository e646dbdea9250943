public import Kinship

/// Writes rows of one table, one after another, usually with the same statement.
@usableFromInline
package final class RowWriter {
  package let layout: RowLayout
  package let statements: any RowStatements
  /// Returns the position of a property.
  package let position: (any AnyKeyPath & Sendable) -> Int?
  /// The position of the version, for records that have one.
  @usableFromInline package let versionColumn: Int?
  /// The values of a record, reused for the next one to avoid allocations.
  @usableFromInline package var values = SQLValues()
  /// Whether a row was inserted in which some columns get their defaults.
  package private(set) var leavesDefaults = false
  /// Whether a list was written whose order depends on rows.
  package var writesSortedLists = false
  /// The values of another record, for comparison.
  private(set) var kept: [SQLValue?] = []
  /// The properties that were set in the previous row.
  @usableFromInline package var paths: [any AnyKeyPath & Sendable] = []
  /// The columns of these properties; `nil` if any column may have changed.
  @usableFromInline package var known: [Int]?

  package init(
    _ layout: RowLayout, versionColumn: Int?, _ statements: any RowStatements,
    position: @escaping (any AnyKeyPath & Sendable) -> Int?
  ) {
    self.layout = layout
    self.versionColumn = versionColumn
    self.statements = statements
    self.position = position
  }

  /// Finds the columns of properties, and returns whether all have one.
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
          "the database computes “\(layout.columns[position])” of table “\(layout.table)”; "
            + "set the columns that it is computed from")
      }
      columns.append(position)
    }
    known = columns
    values.wanted = layout.columns.indices.map { columns.contains($0) }
    return true
  }

  /// Whether a column to write holds a JSON object, whose stored form may have keys that the
  /// program does not know.
  @usableFromInline package var writesObjects: Bool {
    values.objects.contains { position in known?.contains(position) ?? true }
  }

  /// Adds to JSON objects the keys of the stored ones that the program does not know.
  ///
  /// `old` has the values that the columns would have held before, if known, and `stored` returns
  /// the stored value of a column, by its name.
  ///
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
        table: layout.table, expected: layout.columns.count, given: values.count)
    }
    try statements.check(values.cells)
  }

  /// All writable columns for which a record has a value.
  package var mapped: [Int] {
    values.cells.indices.filter { values.cells[$0] != nil && layout.isWritable[$0] }
  }

  @usableFromInline
  package func insert() throws {
    if layout.defaulted.contains(where: { values.cells[$0] == nil }) { leavesDefaults = true }
    try statements.insert(mapped, values.cells)
  }

  /// Updates some columns of the row with an id; by default, all columns with a value.
  ///
  /// - Returns: Whether the row exists, with the given version if there is one.
  @usableFromInline
  package func update(_ columns: [Int]?, ids: [SQLValue], _ version: Int?) throws -> Bool {
    try statements.update(columns ?? mapped, values.cells, ids: ids, version)
  }
}

// A table declaration specialises these loops.
extension RowWriter {
  @inlinable
  package func insert<R: GraphRecord>(
    _ records: [R], _ write: (R, inout SQLValues) throws -> Void
  ) throws {
    // Earlier updates may have needed only a few of the values.
    chooseAll()
    for index in records.indices {
      if index & 0x3FF == 0x3FF { try Task.checkCancellation() }
      try fill(records[index], write)
      try insert()
    }
  }

  /// Updates the rows of known records, in the columns of properties that were set or differ.
  ///
  /// It returns how many are not known, have properties without a column, or hold JSON objects.
  @inlinable
  package func update<R: GraphRecord>(
    _ updates: [UpdatedRecord<R>], _ write: (R, inout SQLValues) throws -> Void,
    _ idValue: (R.ID) throws -> SQLValue
  ) throws -> Int {
    var unknown = 0
    for index in updates.indices {
      if index & 0x3FF == 0x3FF { try Task.checkCancellation() }
      guard let new = updates[index].new, try chooseColumns(updates[index]) else {
        unknown += 1
        continue
      }
      if new.id != updates[index].ref.id { throw identityChanged(updates[index].ref, new) }
      if updates[index].properties == nil, let old = updates[index].old {
        try compare(old, new, write)
      } else {
        try fill(new, write)
      }
      if !values.objects.isEmpty, writesObjects {
        unknown += 1
        continue
      }
      let version = versionColumn == nil ? nil : updates[index].old.flatMap { $0.knownVersion }
      if try !update(known, ids: [idValue(new.id)], version) {
        throw rowConflict(updates[index].ref)
      }
    }
    return unknown
  }

  /// Finds the columns of properties, unless the previous row has the same; returns whether all
  /// have one.
  ///
  /// - Throws: `KinshipError.untranslatable` for a property that cannot be written.
  @inlinable
  package func chooseColumns<R: GraphRecord>(_ change: UpdatedRecord<R>) throws -> Bool {
    guard let properties = change.properties else {
      chooseAll()
      return true
    }
    if properties.count == paths.count, !paths.isEmpty {
      // Equal key paths usually are the same object, which is quick to check.
      var isLikeLast = true
      for index in properties.indices where properties[index].keyPath !== paths[index] {
        isLikeLast = false
        break
      }
      if isLikeLast { return true }
    }
    do {
      return try choose(properties.map { $0.keyPath })
    } catch {
      throw KinshipError.untranslatable(
        type: R.recordName, id: change.ref.id,
        field: properties.first { isComputed($0.keyPath) }?.name,
        cause: error)
    }
  }

  @usableFromInline
  package func isComputed(_ property: any AnyKeyPath & Sendable) -> Bool {
    position(property).map { $0 < layout.columns.count && !layout.isWritable[$0] } ?? false
  }

  /// Takes the values of a record, and chooses the columns in which it differs from its old
  /// version.
  @usableFromInline
  package func compare<R: GraphRecord>(
    _ old: R, _ new: R, _ write: (R, inout SQLValues) throws -> Void
  ) throws {
    chooseAll()
    do {
      try fill(old, write)
    } catch {
      // If the old record cannot be stored, no column holds its values.
      return try fill(new, write)
    }
    swap(&kept, &values.cells)
    try fill(new, write)
    known = mapped.filter { !SQLValue.areSame(kept[$0], values.cells[$0]) }
  }

  @usableFromInline
  package func identityChanged<R: GraphRecord>(_ ref: Ref<R>, _ record: R) -> any Error {
    KinshipError.misuse(.identityChanged(from: AnyRef(ref), to: AnyRef(record.ref)))
  }

  @inlinable
  @inline(__always)
  package func fill<R: GraphRecord>(
    _ record: R, _ write: (R, inout SQLValues) throws -> Void
  ) throws {
    values.restart()
    do {
      try write(record, &values)
      try checkValues()
    } catch {
      throw untranslatable(record, error)
    }
  }

  @usableFromInline
  package func rowConflict<R: GraphRecord>(_ ref: Ref<R>) -> any Error {
    RowConflict(error: KinshipError.conflict(AnyRef(ref), mine: nil, theirs: nil))
  }

  @usableFromInline
  package func untranslatable<R: GraphRecord>(_ record: R, _ error: any Error) -> any Error {
    let field: String? =
      switch error {
      case SQLMappingError.noColumnForProperty(let property, _): property
      case EncodingError.invalidValue(_, let context): context.codingPath.first?.stringValue
      default: nil
      }
    return KinshipError.untranslatable(
      type: R.recordName, id: record.id, field: field, cause: error)
  }
}

extension GraphRecord {
  @usableFromInline package var knownVersion: Int? { (self as? any Versioned)?.version }
}

/// Writes rows of values at given column positions.
package protocol RowStatements: AnyObject {
  /// Checks that columns store values unchanged.
  func check(_ cells: [SQLValue?]) throws(SQLMappingError)

  func insert(_ columns: [Int], _ cells: [SQLValue?]) throws

  /// - Returns: Whether the row exists, with the given version if there is one. An implementation
  ///   that finds out later returns `true`.
  func update(
    _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?
  ) throws -> Bool
}

/// Thrown if a row to change is missing or has another version; the caller finds out the cause.
package struct RowConflict: Error {
  package let error: (any Error)?

  package init(error: (any Error)?) { self.error = error }
}
