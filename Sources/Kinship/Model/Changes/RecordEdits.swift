/// What a transaction inserted, updated and deleted of one type; each record is named once.
@usableFromInline
struct RecordEdits<R: GraphRecord>: Sendable {
  @usableFromInline var inserted: [R] = []
  @usableFromInline var updated: [UpdatedRecord<R>] = []
  @usableFromInline var deleted: [R] = []

  init() {}

  /// The net effect of staged values.
  @inlinable
  init(_ staged: borrowing StagedValues<R>) {
    reserveCapacity(for: staged)
    for value in staged.values {
      switch (value.base, value.current) {
      case (.present(let old), .present(let new)):
        // What was only looked at has not changed.
        if value.isUntouched { continue }
        updated.append(UpdatedRecord(Ref(value.id), old: old, new: new, properties: value.changes))
      case (.present(let old), .missing): deleted.append(old)
      case (_, .present(let new)): inserted.append(new)
      case (.unknown, .unknown):
        guard let changes = value.changes, !changes.isEmpty else { continue }
        updated.append(UpdatedRecord(Ref(value.id), old: nil, new: nil, properties: changes))
      case (_, .missing), (_, .unknown): continue
      }
    }
  }

  /// Makes room once: large arrays that grow cost more than the counting.
  @inlinable
  mutating func reserveCapacity(for staged: borrowing StagedValues<R>) {
    var (insertions, updates, deletions) = (0, 0, 0)
    for position in staged.values.indices {
      switch (staged.values[position].base.isPresent, staged.values[position].current.isPresent) {
      case (true, true): updates &+= 1
      case (true, false): deletions &+= 1
      case (false, true): insertions &+= 1
      case (false, false): continue
      }
    }
    inserted.reserveCapacity(insertions)
    updated.reserveCapacity(updates)
    deleted.reserveCapacity(deletions)
  }

  /// The ids of the records: those inserted, updated and deleted.
  var ids: [R.ID] {
    // Closures: a key path of a type that is not known here is made anew each time.
    inserted.map { $0.id } + updated.map { $0.ref.id } + deleted.map { $0.id }
  }

  var summary: String {
    let parts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (deleted.count, "deleted"),
    ]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(R.recordName): \(said)"
  }

  /// The edits that take these back.
  ///
  /// - Throws: `KinshipError.notInvertible`.
  func inverted() throws(KinshipError) -> RecordEdits {
    var inverted = RecordEdits()
    inverted.inserted = Self.reversed(deleted)
    inverted.deleted = Self.reversed(inserted)
    inverted.updated.reserveCapacity(updated.count)
    for change in updated.reversed() {
      guard let back = change.inverted else { throw .notInvertible(AnyRef(change.ref)) }
      inverted.updated.append(back)
    }
    return inverted
  }

  /// Records the other way round; the general way would make the array grow.
  private static func reversed(_ records: [R]) -> [R] {
    Array(unsafeUninitializedCapacity: records.count) { reversed, count in
      for index in records.indices.reversed() {
        reversed.initializeElement(at: count, to: records[index])
        count += 1
      }
    }
  }

  /// Refuses edits of records with ids that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  func requireStable() throws(KinshipError) {
    if R.hasSoundIDs { return }
    try R.requireStable(ids: ids)
  }
}
