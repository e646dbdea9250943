extension RecordEdits {
  /// Makes the edits in what a transaction has staged.
  ///
  /// - Returns: The ids of records that must be known before it can be done; none if it is done.
  /// - Throws: `KinshipError.conflict` if a record is not what the edits are based on, and
  ///   `.missing` if properties are to be set of one that does not exist. Some edits may have been
  ///   made then.
  /// - Complexity: O(*n*) in the edits, on average.
  func apply(
    to staged: inout StagedValues<R>, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> [R.ID] {
    try requireStable()
    var unknown: [R.ID] = []
    for record in deleted {
      switch staged.read(record.id, map) {
      case .unknown: unknown.append(record.id)
      case .present(let theirs) where Values.mayBeEqual(theirs, record):
        staged.set(.missing, for: record.id, map)
      case let theirs:
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: theirs.element)
      }
    }
    // A transaction gives the version itself.
    let version = R.versionProperty
    for change in updated {
      // Properties alone, of a record that was not in memory, are based on nothing.
      if change.old != nil || change.properties == nil {
        switch staged.read(change.ref.id, map) {
        case .unknown:
          unknown.append(change.ref.id)
          continue
        case .present(let theirs) where change.isBased(on: theirs, besides: version): break
        case let theirs:
          throw .conflict(AnyRef(change.ref), mine: change.new, theirs: theirs.element)
        }
      }
      if let properties = change.properties {
        try change.ref.check(staged.set(properties, of: change.ref.id, map))
      } else if let new = change.new {
        try change.checkIdentity(of: new)
        staged.set(.present(new), for: change.ref.id, map)
      }
    }
    for record in inserted {
      if staged.position(of: record.id) == nil, case .missing = staged.base(of: record.id, map) {
        let value = StagedValue(id: record.id, base: .missing, current: .present(record))
        staged.log.append(staged.append(value))
        continue
      }
      switch staged.read(record.id, map) {
      case .unknown: unknown.append(record.id)
      case .missing: staged.set(.present(record), for: record.id, map)
      case .present(let theirs):
        throw .conflict(AnyRef(record.ref), mine: record, theirs: theirs)
      }
    }
    return unknown
  }
}

extension UpdatedRecord {
  /// Whether a record is, as far as it matters here and can be told, what was changed.
  fileprivate func isBased(on record: R, besides version: AnyKeyPath?) -> Bool {
    guard let old else { return true }
    guard let properties else { return Values.mayBeEqual(record, old) }
    return properties.allSatisfy {
      version != nil && $0.property.keyPath == version
        || Values.mayBeEqual($0.property.value(record), $0.property.value(old))
    }
  }
}
