package import Kinship

/// What a commit has stored otherwise than its changes say, and what it has changed beyond them.
package struct CommitReport: Sendable {
  package var stored: [any GraphRecord] = []
  package var refs: [AnyRef] = []
  /// The types of which any record may have changed.
  package var types: [any GraphRecord.Type] = []

  package init() {}

  /// Tells the change set, once nothing can keep it from being committed.
  package func send(to changes: ChangeSet) {
    for record in stored { changes.report(stored: record) }
    if !refs.isEmpty { changes.report(alsoChanged: refs) }
    for type in types { changes.report(alsoChangedAllOf: type) }
  }
}

extension TableChanges {
  /// The ids of the records of which it is known what was handed in.
  package var handedIDs: [R.ID] {
    updated.filter { $0.new != nil }.map { $0.ref.id } + inserted.map { $0.id }
  }

  /// Compares what was handed in with what is stored now.
  ///
  /// - Parameters:
  ///   - answer: What the database has of `handedIDs`, at the end of the transaction.
  ///   - report: What differs is added to it.
  ///   - hasRow: Whether the database finds a row by an id.
  /// - Throws: `KinshipError.untranslatable` for a record with another id; what `hasRow` throws.
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
    // Rows that were deleted again, or that cannot be read: the next read says which.
    report.refs += handed.keys.map { AnyRef(Ref<R>($0)) }
  }

  /// Whether two records are equal, or stored alike where they cannot be compared.
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
  /// Whether rows decide on the order of the list, and not the list itself.
  package var isSortedByRows: Bool {
    if case .join(_, _, _, .some) = place { false } else { true }
  }
}
