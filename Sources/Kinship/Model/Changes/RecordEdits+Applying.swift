extension RecordEdits {
  /// The number of edits; they are applied in this order: deletions, updates, insertions.
  var count: Int { deleted.count + updated.count + inserted.count }

  /// Stages a range of the edits in a transaction.
  ///
  /// - Returns: The ids of records that must be known first, none if the edits are staged; and
  ///   whether properties may have been set of records that are not in memory.
  /// - Throws: `KinshipError.conflict` if a record is not the one that the edits are based on, and
  ///   `.missing` if properties are set of one that does not exist. Some edits may be staged by
  ///   then.
  /// - Complexity: O(*n*) in the edits, on average.
  func apply(
    _ range: Range<Int>, to staged: inout StagedValues<R>, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> (unknown: [R.ID], hasSetUnseen: Bool) {
    var unknown: [R.ID] = []
    var hasSetUnseen = false
    for record in deleted[part(of: range, after: 0, deleted.count)] {
      let position = staged.stage(record.id, map)
      switch staged.values[position].current {
      case .unknown: unknown.append(record.id)
      case .present(let theirs) where Values.mayBeEqual(theirs, record):
        staged.set(.missing, at: position)
      case let theirs:
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: theirs.element)
      }
    }
    // A transaction gives the version itself.
    let version = R.versionProperty
    for change in updated[part(of: range, after: deleted.count, updated.count)] {
      let position = staged.stage(change.ref.id, map)
      // Properties alone, of a record that was not in memory, are based on nothing.
      if change.old != nil || change.properties == nil {
        switch staged.values[position].current {
        case .unknown:
          unknown.append(change.ref.id)
          continue
        case .present(let theirs) where change.isBased(on: theirs, besides: version):
          if change.properties == nil, change.new != nil {
            staged.set(.present(try change.applied(to: theirs)), at: position)
          }
        case let theirs:
          throw .conflict(AnyRef(change.ref), mine: change.new, theirs: theirs.element)
        }
      } else {
        hasSetUnseen = true
      }
      if let properties = change.properties {
        try change.ref.check(staged.set(properties, at: position))
      }
    }
    let new = inserted[part(of: range, after: deleted.count + updated.count, inserted.count)]
    if let taken = staged.insert(new, map, unknown: &unknown) {
      let (mine, theirs) = (inserted[taken], staged.read(inserted[taken].id, map).element)
      throw .conflict(AnyRef(mine.ref), mine: mine, theirs: theirs)
    }
    return (unknown, hasSetUnseen)
  }

  /// The part of a range that falls on so many after others, counted from the first of them.
  private func part(of range: Range<Int>, after start: Int, _ count: Int) -> Range<Int> {
    let part = range.clamped(to: start..<start + count)
    return part.lowerBound - start..<part.upperBound - start
  }
}

extension UpdatedRecord {
  /// Returns whether a record has the values that the change is based on.
  ///
  /// Values that cannot be compared count as equal.
  fileprivate func isBased(on record: R, besides version: AnyKeyPath?) -> Bool {
    guard let old else { return true }
    guard let properties else {
      if Values.mayBeEqual(record, old) { return true }
      // Changes that others have made to the same record do not matter.
      return new.flatMap { CodedFields.merging(record, from: $0, to: old) }
        .map { Values.mayBeEqual($0, record) } ?? false
    }
    for change in properties {
      if version != nil, change.property.keyPath == version { continue }
      let property = change.property
      if !Values.mayBeEqual(property.value(record), property.value(old)) { return false }
    }
    return true
  }
}
