package import Kinship

package struct TableChanges<R: GraphRecord>: Sendable {
  package let plan: TablePlan<R>
  /// The change set that contains them.
  package let all: ChangeSet
  let edits: RecordEdits<R>

  package var deleted: [R] { edits.deleted }
  package var updated: [UpdatedRecord<R>] { edits.updated }
  package var inserted: [R] { edits.inserted }

  package init(_ changes: ChangeSet, _ plan: TablePlan<R>) {
    self.plan = plan
    all = changes
    edits = changes.edits(of: R.self) ?? RecordEdits()
  }

  package func writer(_ statements: any RowStatements) -> RowWriter {
    let plan = plan
    return RowWriter(plan.layout, versionColumn: plan.versionColumn, statements) {
      plan.position(of: $0)
    }
  }

  /// Updates the rows of known records, and returns whether these were all updates.
  package func updateKnown(_ rows: RowWriter) throws -> Bool {
    if updated.isEmpty { return true }
    return try plan.idColumns.count == 1 && plan.table.update(updated, rows, plan.layout) == 0
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

/// Applies the changes of one table, in an open transaction.
package protocol TableWriting<R>: AnyObject {
  associatedtype R: GraphRecord

  var changes: TableChanges<R> { get }
  var rows: RowWriter { get }
  /// The updates with the records before and after; `nil` until they are needed.
  var pairs: [UpdatePair<R>]? { get set }
  /// Whether the database may have stored other values than those written.
  var isInexact: Bool { get }

  /// Fetches the stored records; a lock keeps others from changing their rows.
  func fetch(_ ids: [R.ID], locking: Bool) throws -> PartialAnswer<R>

  /// Returns whether the database finds a row by an id.
  func hasRow(_ id: R.ID) throws -> Bool

  func insert() throws
  func update() throws
  func delete() throws
  /// Deletes the rows of join tables whose owners are deleted.
  func emptyDeletedLists() throws
  func writeLists() throws
}

extension TableWriting {
  package var plan: TablePlan<R> { changes.plan }

  // MARK: Checks

  /// Checks all changes against the rows before the changes.
  package func check() throws {
    let stored = try stored(changes.edits.ids)
    try changes.edits.check { StoredRecord(stored[$0]) }
  }

  /// Checks the deletions against the stored records.
  package func checkDeletions(_ stored: [R.ID: R]) throws {
    try changes.edits.checkDeletions { StoredRecord(stored[$0]) }
  }

  package func stored(_ ids: [R.ID], locking: Bool = false) throws -> [R.ID: R] {
    let answer = try fetch(ids, locking: locking)
    if let failure = answer.failures.first { throw failure.cause }
    return Dictionary(answer.records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  // MARK: Updates

  /// Returns the updates with the records before and after.
  ///
  /// Records are read from the database, once, if properties have no column of their own, or if
  /// the records were not in memory.
  private func updatePairs() throws -> [UpdatePair<R>] {
    if let pairs { return pairs }
    let unknown = try changes.updated.filter { try $0.new == nil || !rows.chooseColumns($0) }
    let stored = unknown.isEmpty ? [:] : try stored(unknown.map(\.ref.id), locking: true)
    let pairs = try changes.updated.map { change in
      if let new = change.new, try rows.chooseColumns(change) {
        if new.id != change.ref.id { throw rows.identityChanged(change.ref, new) }
        return UpdatePair(old: change.old, new: new)
      }
      guard let old = stored[change.ref.id] else { throw rows.rowConflict(change.ref) }
      return UpdatePair(old: old, new: try change.applied(to: old))
    }
    self.pairs = pairs
    return pairs
  }

  /// Updates the rows that `TableChanges.updateKnown` left.
  ///
  /// `stored` returns the stored value of a column, for the row with an id.
  ///
  /// - Throws: `RowConflict` for a row that does not exist; any error that prevents writing a row.
  package func updateOthers(
    stored: (_ column: String, _ id: R.ID) throws -> SQLValue?
  ) throws {
    let write = plan.table.makeWriter(plan.layout)
    for (pair, change) in zip(try updatePairs(), changes.updated) {
      let hasColumns = try rows.chooseColumns(change)
      var old: [SQLValue?] = []
      if let before = pair.old, !hasColumns || change.properties == nil {
        try rows.compare(before, pair.new, write)
        old = rows.kept
      } else {
        try rows.fill(pair.new, write)
      }
      if rows.writesObjects {
        if old.isEmpty, let before = pair.old {
          // If the old record could not be stored, it has no keys.
          if (try? rows.fill(before, write)) != nil { old = rows.values.cells }
          try rows.fill(pair.new, write)
        }
        try rows.mergeObjects(over: old) { try stored($0, pair.new.id) }
      } else if change.new != nil, hasColumns, plan.idColumns.count == 1 {
        // `updateKnown` has written it.
        continue
      }
      let version =
        rows.versionColumn == nil ? nil : (change.old ?? pair.old).flatMap { $0.knownVersion }
      if try !rows.update(rows.known, ids: plan.values(of: pair.new.id), version) {
        throw rows.rowConflict(change.ref)
      }
    }
  }

  /// Calls a closure for each owner whose list changes.
  package func forEachChange(of list: SQLList<R>, _ body: (ListUpdate) throws -> Void) throws {
    func write(_ record: R, _ old: [SQLValue]?, _ new: [SQLValue]) throws {
      if list.place.isSortedByRows { rows.writesSortedLists = true }
      do {
        try body(ListUpdate(owner: changes.id(of: record), old: old, new: new))
      } catch let error as SQLMappingError {
        throw KinshipError.untranslatable(
          type: R.recordName, id: record.id, field: list.name, cause: error)
      }
    }
    for (pair, change) in zip(try updatePairs(), changes.updated) {
      let isSet = change.properties?.contains { $0.keyPath == list.keyPath } ?? false
      if !isSet, change.properties != nil, try rows.chooseColumns(change) { continue }
      let new = try list.ids(pair.new, plan.layout.formats)
      let old = try pair.old.map { try list.ids($0, plan.layout.formats) }
      if !isSet, old == new { continue }
      try write(pair.new, old, new)
    }
    for record in changes.inserted {
      let new = try list.ids(record, plan.layout.formats)
      if !new.isEmpty { try write(record, nil, new) }
    }
  }

  // MARK: Comparison with the stored records

  /// Compares the submitted records with the stored ones at the end of the transaction, if they
  /// may differ, and reports differences.
  ///
  /// - Throws: `KinshipError.untranslatable` for a record with another id.
  package func compare(isAffected: Bool, _ report: inout CommitReport) throws {
    guard isAffected || isInexact || rows.leavesDefaults || rows.writesSortedLists else { return }
    var handed: [R.ID: R] = [:]
    for record in changes.updated.compactMap(\.new) + changes.inserted {
      handed[record.id] = record
    }
    let ids = changes.updated.filter { $0.new != nil }.map(\.ref.id) + changes.inserted.map(\.id)
    let answer = try fetch(ids, locking: false)
    for record in answer.records {
      guard let mine = handed.removeValue(forKey: record.id) else { continue }
      if try !areEqual(mine, record) { report.stored.append(record) }
    }
    let unread = Set(answer.failures.compactMap { $0.ref?.id })
    for record in changes.inserted where handed[record.id] != nil && !unread.contains(record.id) {
      guard try hasRow(record.id) else { continue }
      throw KinshipError.untranslatable(
        type: R.recordName, id: record.id, field: "id",
        cause: SQLMappingError.notStorable(
          "the database stores another id than was given; choose ids that it does not round"))
    }
    // These rows were deleted again, or cannot be read; the next read finds out which.
    report.refs += handed.keys.map { AnyRef(Ref<R>($0)) }
  }

  /// Returns whether two records are equal or, if they cannot be compared, are stored alike.
  private func areEqual(_ left: R, _ right: R) throws -> Bool {
    if let areEqual = Values.areEqual(left, right) { return areEqual }
    func cells(of record: R) throws -> [SQLValue?] {
      var values = SQLValues()
      try plan.table.makeWriter(plan.layout)(record, &values)
      return values.cells
    }
    let formats = plan.layout.formats
    return try zip(cells(of: left), cells(of: right)).allSatisfy { SQLValue.areSame($0, $1) }
      && plan.table.lists.allSatisfy { try $0.ids(left, formats) == $0.ids(right, formats) }
  }
}

/// The effects of a commit that differ from its changes or go beyond them.
package struct CommitReport: Sendable {
  package var stored: [any GraphRecord] = []
  package var refs: [AnyRef] = []
  /// The types of which any record may have changed.
  package var types: [any GraphRecord.Type] = []

  package init() {}

  /// Reports to the change set, once the commit can no longer fail.
  package func send(to changes: ChangeSet) {
    for record in stored { changes.report(stored: record) }
    if !refs.isEmpty { changes.report(alsoChanged: refs) }
    for type in types { changes.report(alsoChangedAllOf: type) }
  }
}
