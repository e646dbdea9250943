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
      let now = staged.read(record.id, map)
      guard
        try R.isKnown(
          now, record.ref, nil, &unknown,
          { theirs in
            theirs.map { Values.mayBeEqual($0, record) } ?? false
          })
      else { continue }
      staged.set(.missing, for: record.id, map)
    }
    // A transaction gives the version itself.
    let version = R.versionProperty
    for change in updated {
      // Properties alone, of a record that was not in memory, are based on nothing.
      if change.old != nil || change.properties == nil {
        let now = staged.read(change.ref.id, map)
        guard
          try R.isKnown(
            now, change.ref, change.new, &unknown,
            { theirs in
              theirs.map { change.isBased(on: $0, besides: version) } ?? false
            })
        else { continue }
      }
      if let properties = change.properties {
        try change.ref.check(staged.set(properties, of: change.ref.id, map))
      } else if let new = change.new {
        try change.checkIdentity(of: new)
        staged.set(.present(new), for: change.ref.id, map)
      }
    }
    for record in inserted {
      let now = staged.read(record.id, map)
      guard try R.isKnown(now, record.ref, record, &unknown, { $0 == nil }) else { continue }
      staged.set(.present(record), for: record.id, map)
    }
    return unknown
  }
}

extension GraphRecord {
  /// Whether it is known what a record is: then it must be what an edit is based on.
  fileprivate static func isKnown(
    _ now: Knowledge<Self>, _ ref: Ref<Self>, _ mine: Self?, _ unknown: inout [ID],
    _ isExpected: (Self?) -> Bool
  ) throws(KinshipError) -> Bool {
    if now.isUnknown {
      unknown.append(ref.id)
      return false
    }
    if !isExpected(now.element) {
      throw .conflict(AnyRef(ref), mine: mine, theirs: now.element)
    }
    return true
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
