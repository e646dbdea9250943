/// The state of a record in a store before edits are applied.
package enum StoredRecord<R: GraphRecord> {
  case missing
  /// The record exists; its value was not read.
  case unread
  case record(R)

  package init(_ record: R?) { self = record.map { .record($0) } ?? .missing }

  /// Whether the record exists, and has the version of a base value if both are known.
  fileprivate func hasVersion(of base: R?) -> Bool {
    switch self {
    case .missing: false
    case .unread: true
    case .record(let record): base?.isUnchanged(in: record) != false
    }
  }

  fileprivate var record: R? { if case .record(let record) = self { record } else { nil } }
}

extension RecordEdits {
  /// Checks the edits against stored records, as every store does before it writes.
  ///
  /// - Throws: `KinshipError.exists` if a record to insert exists, and `.conflict` if one to update
  ///   or delete does not exist or has another version.
  /// - Complexity: O(*n*) in the edits.
  package func check(against stored: (R.ID) -> StoredRecord<R>) throws(KinshipError) {
    try checkDeletions(against: stored)
    for change in updated {
      let theirs = stored(change.ref.id)
      // P4: someone else has replaced the version that the change is based on.
      if !theirs.hasVersion(of: change.old) {
        throw .conflict(AnyRef(change.ref), mine: change.new, theirs: theirs.record)
      }
    }
    for record in inserted {
      if case .missing = stored(record.id) { continue }
      throw .exists(AnyRef(record.ref))
    }
  }

  /// Checks the deletions alone.
  package func checkDeletions(against stored: (R.ID) -> StoredRecord<R>) throws(KinshipError) {
    for record in deleted {
      let theirs = stored(record.id)
      if !theirs.hasVersion(of: record) {
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: theirs.record)
      }
    }
  }

  /// Returns the records to write: those updated, as they are stored with the changes applied, and
  /// those inserted.
  ///
  /// - Parameter stored: Returns the state of the record with an id.
  /// - Returns: The records, without one of which only properties were set and that was not read.
  /// - Throws: `KinshipError.misuse(.identityChanged)`, and `.conflict` if changes cannot be told
  ///   apart.
  /// - Complexity: O(*n*) in the edits.
  package func written(over stored: (R.ID) -> StoredRecord<R>) throws(KinshipError) -> [R] {
    var written: [R] = []
    for change in updated {
      if case .record(let record) = stored(change.ref.id) {
        written.append(try change.applied(to: record))
      } else if let new = change.new {
        try change.checkIdentity(of: new)
        written.append(new)
      }
    }
    return written + inserted
  }
}
