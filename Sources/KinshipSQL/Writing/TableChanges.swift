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
    return RowWriter(plan.layout, versionColumn: plan.versionColumn, statements) {
      plan.position(of: $0)
    }
  }

  /// Updates the rows of known records, in the columns of properties that have one.
  ///
  /// - Returns: Whether these were all updates.
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
