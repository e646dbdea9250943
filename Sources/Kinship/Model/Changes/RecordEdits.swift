/// The records of one type that a transaction inserted, updated and deleted; each is named once.
@usableFromInline
package struct RecordEdits<R: GraphRecord>: Sendable {
  @usableFromInline package var inserted: [R] = []
  @usableFromInline package var updated: [UpdatedRecord<R>] = []
  @usableFromInline package var deleted: [R] = []

  @usableFromInline package init() {}

  /// The net effect of staged values.
  ///
  /// They are counted first: arrays that grow cost more, and are more code for each type.
  @inlinable
  init(_ values: ContiguousArray<StagedValue<R>>) {
    self = values.withPlaces { RecordEdits($0) } ?? RecordEdits()
  }

  @inlinable
  init(_ values: Range<UnsafePointer<StagedValue<R>>>) {
    var (insertions, updates, deletions) = (0, 0, 0)
    for value in values {
      switch value.net() {
      case .inserted: insertions &+= 1
      case .updated: updates &+= 1
      case .deleted: deletions &+= 1
      case .nothing: continue
      }
    }
    inserted = Self.records(insertions, in: values, .inserted)
    deleted = Self.records(deletions, in: values, .deleted)
    updated = [UpdatedRecord<R>](filling: updates) { records, count in
      for value in values where value.net() == .updated {
        records.initializeElement(
          at: count,
          to: UpdatedRecord(
            Ref(value.pointee.id), old: value.pointee.base.element,
            new: value.pointee.current.element, properties: value.pointee.changes))
        count &+= 1
      }
    }
  }

  /// So many records that were inserted, or deleted.
  @inlinable
  @inline(never)
  static func records(
    _ count: Int, in values: Range<UnsafePointer<StagedValue<R>>>, _ net: StagedValue<R>.Net
  ) -> [R] {
    [R](filling: count) { records, count in
      for value in values where value.net() == net {
        let element = net == .deleted ? value.pointee.base : value.pointee.current
        guard case .present(let record) = element else { continue }
        records.initializeElement(at: count, to: record)
        count &+= 1
      }
    }
  }

  /// The ids of the records: those inserted, updated and deleted.
  package var ids: [R.ID] {
    // Use closures: a key path of a generic type is created again each time.
    inserted.map { $0.id } + updated.map { $0.ref.id } + deleted.map { $0.id }
  }

  /// Whether the records are certainly unchanged.
  ///
  /// - Complexity: O(*n*) in the updates before the first that has an effect.
  var areWithoutEffect: Bool {
    inserted.isEmpty && deleted.isEmpty && updated.allSatisfy { $0.isWithoutEffect }
  }

  var summary: String {
    let parts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (deleted.count, "deleted"),
    ]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(R.recordName): \(said)"
  }

  /// Returns the edits that undo these.
  ///
  /// - Throws: `KinshipError.misuse(.notInvertible)`.
  func inverted() throws(KinshipError) -> RecordEdits {
    var inverted = RecordEdits()
    inverted.inserted = Self.reversed(deleted)
    inverted.deleted = Self.reversed(inserted)
    inverted.updated.reserveCapacity(updated.count)
    for change in updated.reversed() {
      guard let back = change.inverted else { throw .misuse(.notInvertible(AnyRef(change.ref))) }
      inverted.updated.append(back)
    }
    return inverted
  }

  /// Records the other way round; the general way would make the array grow.
  private static func reversed(_ records: [R]) -> [R] {
    Array(filling: records.count) { reversed, count in
      for index in records.indices.reversed() {
        reversed.initializeElement(at: count, to: records[index])
        count += 1
      }
    }
  }
}
