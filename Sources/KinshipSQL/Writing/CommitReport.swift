package import Kinship

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

extension TableChanges {
  /// The ids of the records whose submitted values are known.
  package var handedIDs: [R.ID] {
    updated.filter { $0.new != nil }.map { $0.ref.id } + inserted.map { $0.id }
  }

  /// Compares the submitted records with the stored ones.
  ///
  /// - Parameters:
  ///   - answer: The stored records with `handedIDs`, at the end of the transaction.
  ///   - report: The report to which differences are added.
  ///   - hasRow: Returns whether the database finds a row by an id.
  /// - Throws: `KinshipError.untranslatable` for a record with another id; the errors of `hasRow`.
  package func compare(
    with answer: PartialAnswer<R>, _ report: inout CommitReport, hasRow: (R.ID) throws -> Bool
  ) throws {
    var handed: [R.ID: R] = [:]
    for record in updated.compactMap(\.new) + inserted { handed[record.id] = record }
    for record in answer.records {
      guard let mine = handed.removeValue(forKey: record.id) else { continue }
      if try !areEqual(mine, record) { report.stored.append(record) }
    }
    let unread = Set(answer.failures.compactMap { $0.ref?.id })
    for record in inserted where handed[record.id] != nil && !unread.contains(record.id) {
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

extension SQLList {
  /// Whether rows, not the list itself, decide the order of the list.
  package var isSortedByRows: Bool {
    if case .join(_, _, _, .some) = place { false } else { true }
  }
}
