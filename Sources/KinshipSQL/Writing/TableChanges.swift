package import Kinship

package struct TableChanges<R: GraphRecord>: Sendable {
  package let plan: TablePlan<R>
  /// The change set that contains them.
  package let all: ChangeSet
  package let deleted: [R]
  package let updated: [UpdatedRecord<R>]
  package let inserted: [R]

  package init(_ changes: ChangeSet, _ plan: TablePlan<R>) {
    self.plan = plan
    all = changes
    deleted = changes.deleted(R.self)
    updated = changes.updated(R.self)
    inserted = changes.inserted(R.self)
  }

  /// Returns a writer for the values of rows.
  package func writer(_ statements: any RowStatements) -> RowWriter {
    let plan = plan
    return RowWriter(
      plan.layout, table: plan.table.name, versionColumn: plan.versionColumn, statements,
      position: { plan.position(of: $0) })
  }

  /// The ids of all changed records.
  package var ids: [R.ID] {
    deleted.map(\.id) + updated.map(\.ref.id) + inserted.map(\.id)
  }

  /// Checks all changes against the stored records.
  ///
  /// - Throws: `KinshipError.conflict`, `.exists`.
  package func check(_ stored: [R.ID: R]) throws {
    try checkDeletions(stored)
    for change in updated {
      let theirs = stored[change.ref.id]
      guard let theirs, change.old?.isUnchanged(in: theirs) != false else {
        throw KinshipError.conflict(AnyRef(change.ref), mine: change.new, theirs: theirs)
      }
    }
    for record in inserted where stored[record.id] != nil {
      throw KinshipError.exists(AnyRef(record.ref))
    }
  }

  /// Checks the deletions against the stored records.
  ///
  /// - Throws: `KinshipError.conflict`.
  package func checkDeletions(_ stored: [R.ID: R]) throws {
    for record in deleted {
      let theirs = stored[record.id]
      guard let theirs, record.isUnchanged(in: theirs) else {
        throw KinshipError.conflict(AnyRef(record.ref), mine: nil, theirs: theirs)
      }
    }
  }

  /// Returns the updates with the records before and after.
  ///
  /// Records are read from the database if properties have no column of their own, or if the
  /// records were not in memory.
  package func pairs(
    _ rows: RowWriter, stored: ([R.ID]) throws -> [R.ID: R]
  ) throws -> [UpdatePair<R>] {
    let unknown = try updated.filter { try $0.new == nil || !rows.note($0) }
    let stored = unknown.isEmpty ? [:] : try stored(unknown.map(\.ref.id))
    return try updated.map { change in
      if let new = change.new, try rows.note(change) {
        if new.id != change.ref.id { throw rows.identityChanged(change.ref, new) }
        return UpdatePair(old: change.old, new: new)
      }
      guard let old = stored[change.ref.id] else { throw rows.discord(change.ref) }
      return UpdatePair(old: old, new: try change.applied(to: old))
    }
  }

  /// Updates rows, usually without reading the stored ones.
  package func update(
    _ rows: RowWriter, pairs: () throws -> [UpdatePair<R>],
    stored: (_ column: String, _ id: R.ID) throws -> SQLValue?
  ) throws {
    if try !updateKnown(rows) { try updateOthers(rows, pairs(), stored: stored) }
  }

  /// Updates the rows of known records, in the columns of properties that have one.
  ///
  /// - Returns: Whether these were all updates.
  package func updateKnown(_ rows: RowWriter) throws -> Bool {
    if updated.isEmpty { return true }
    return try plan.idColumns.count == 1 && plan.table.update(updated, rows, plan.layout) == 0
  }

  /// Updates the rows that `updateKnown` left.
  ///
  /// - Parameters:
  ///   - rows: The writer of the rows.
  ///   - pairs: The updates, with the records before and after.
  ///   - stored: Returns the stored value of a column, for the row with an id.
  /// - Throws: `Discord` for a row that does not exist; any error that prevents writing a row.
  package func updateOthers(
    _ rows: RowWriter, _ pairs: [UpdatePair<R>],
    stored: (_ column: String, _ id: R.ID) throws -> SQLValue?
  ) throws {
    let write = plan.table.makeWriter(plan.layout)
    for (pair, change) in zip(pairs, updated) {
      let hasColumns = try rows.note(change)
      var old: [SQLValue?] = []
      if let before = pair.old, !hasColumns || change.properties == nil {
        try rows.compare(before, pair.new, write)
        old = rows.kept
      } else {
        try rows.take(pair.new, write)
      }
      if rows.writesObjects {
        if old.isEmpty, let before = pair.old {
          // If the old record could not be stored, it has no keys.
          if (try? rows.take(before, write)) != nil { old = rows.values.cells }
          try rows.take(pair.new, write)
        }
        try rows.mergeObjects(over: old) { try stored($0, pair.new.id) }
      } else if change.new != nil, hasColumns, plan.idColumns.count == 1 {
        // `updateKnown` has written it.
        continue
      }
      let version =
        rows.versionColumn == nil ? nil : (change.old ?? pair.old).flatMap { $0.knownVersion }
      if try !rows.update(rows.known, ids: plan.values(of: pair.new.id), version) {
        throw rows.discord(change.ref)
      }
    }
  }

  /// Calls a closure for each owner whose list changes, with the old list and the new one.
  ///
  /// The old list is `nil` if it is not known.
  package func forEachChange(
    of list: SQLList<R>, _ rows: RowWriter, _ pairs: [UpdatePair<R>],
    _ body: (SQLValue, [SQLValue]?, [SQLValue]) throws -> Void
  ) throws {
    func write(_ record: R, _ old: [SQLValue]?, _ new: [SQLValue]) throws {
      do {
        try body(id(of: record), old, new)
      } catch let error as SQLMappingError {
        throw KinshipError.untranslatable(
          type: R.recordName, id: record.id, field: list.name, cause: error)
      }
    }
    for (pair, change) in zip(pairs, updated) {
      let isSet = change.properties?.contains { $0.keyPath == list.keyPath } ?? false
      if !isSet, change.properties != nil, try rows.note(change) { continue }
      let new = try list.ids(pair.new, plan.layout.formats)
      let old = try pair.old.map { try list.ids($0, plan.layout.formats) }
      if !isSet, old == new { continue }
      try write(pair.new, old, new)
    }
    for record in inserted {
      let new = try list.ids(record, plan.layout.formats)
      if !new.isEmpty { try write(record, nil, new) }
    }
  }

  package func id(of record: R) throws -> SQLValue {
    try plan.table.idValue(record.id, plan.layout.formats)
  }
}

/// A record before and after an update.
package struct UpdatePair<R: GraphRecord> {
  package let old: R?
  package let new: R
}
