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
  /// - Throws: `KinshipError.untranslatable` for a record that got another id.
  package func compare(with answer: PartialAnswer<R>, _ report: inout CommitReport) throws {
    var handed: [R.ID: R] = [:]
    for record in updated.compactMap(\.new) + inserted { handed[record.id] = record }
    for record in answer.records {
      guard let mine = handed.removeValue(forKey: record.id) else {
        throw KinshipError.untranslatable(
          type: R.recordName, id: record.id, field: "id",
          cause: SQLMappingError.notStorable(
            "the database stores another id than was given; choose ids that it does not round"))
      }
      if Values.areEqual(mine, record) != true { report.stored.append(record) }
    }
    // Rows that were deleted again, or that cannot be read: the next read says which.
    report.refs += handed.keys.map { AnyRef(Ref<R>($0)) }
  }
}

extension SQLList {
  /// Whether rows decide on the order of the list, and not the list itself.
  package var isSortedByRows: Bool {
    if case .join(_, _, _, .some) = place { false } else { true }
  }
}
