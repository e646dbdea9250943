extension TypedChanges {
  @usableFromInline
  func requireStable() throws(KinshipError) {
    if R.hasSoundIDs { return }
    try R.requireStable(inserted)
    try R.requireStable(deleted)
    for change in updated { try R.requireStable(change.ref.id) }
  }

  /// Makes the changes in what a transaction has staged.
  ///
  /// - Returns: The records that must be known before it can be done; nil if it is done.
  /// - Throws: `KinshipError.conflict` if a record is not what the changes are based on, and `.missing`
  ///   if properties are to be set of one that does not exist. Some changes may have been made then.
  /// - Complexity: O(*n*) in the changes, on average.
  @inlinable
  func apply(
    to staged: inout StagedValues<R>, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> UnknownRecords? {
    try requireStable()
    var unknown: [R.ID] = []
    for record in deleted {
      switch staged.read(record.id, map) {
      case .unknown: unknown.append(record.id)
      case .missing: throw .conflict(AnyRef(record.ref), mine: nil, theirs: nil)
      case .present(let theirs):
        if !Values.mayBeEqual(theirs, record) {
          throw .conflict(AnyRef(record.ref), mine: nil, theirs: theirs)
        }
        staged.set(.missing, for: record.id, map)
      }
    }
    // A transaction gives the version itself.
    let version = Values.version(of: R.self)
    for change in updated {
      if change.old == nil, let properties = change.properties {
        try change.check(staged.set(properties, of: change.ref.id, map))
        continue
      }
      switch staged.read(change.ref.id, map) {
      case .unknown: unknown.append(change.ref.id)
      case .missing: throw .conflict(AnyRef(change.ref), mine: change.new, theirs: nil)
      case .present(let theirs):
        if !change.isBased(on: theirs, besides: version) {
          throw .conflict(AnyRef(change.ref), mine: change.new, theirs: theirs)
        }
        if let properties = change.properties {
          try change.check(staged.set(properties, of: change.ref.id, map))
        } else if let new = change.new {
          try change.checkIdentity(of: new)
          staged.set(.present(new), for: change.ref.id, map)
        }
      }
    }
    for record in inserted {
      switch staged.read(record.id, map) {
      case .unknown: unknown.append(record.id)
      case .missing: staged.set(.present(record), for: record.id, map)
      case .present(let theirs):
        throw .conflict(AnyRef(record.ref), mine: record, theirs: theirs)
      }
    }
    return unknown.first.map { UnknownRecords(first: AnyRef(Ref<R>($0)), ids: unknown) }
  }
}

/// Records of one type of which memory does not know whether they exist.
@usableFromInline
struct UnknownRecords: Sendable {
  @usableFromInline let first: AnyRef
  /// An array of the type's ids.
  @usableFromInline let ids: any Sendable

  @inlinable
  init(first: AnyRef, ids: any Sendable) {
    self.first = first
    self.ids = ids
  }
}

extension UpdatedRecord {
  /// Throws why properties could not be set.
  @usableFromInline
  func check(_ result: UpdateResult<R.ID>) throws(KinshipError) {
    switch result {
    case .updated: return
    case .absent: throw .missing(AnyRef(ref))
    case .identityChanged(let id):
      throw .identityChanged(from: AnyRef(ref), to: AnyRef(Ref<R>(id)))
    }
  }

  /// Whether a record is, as far as it matters here and can be told, what was changed.
  @inlinable
  func isBased(on record: R, besides version: AnyKeyPath?) -> Bool {
    guard let old else { return true }
    guard let properties else { return Values.mayBeEqual(record, old) }
    return properties.allSatisfy {
      version != nil && $0.property.keyPath == version
        || Values.mayBeEqual($0.property.value(record), $0.property.value(old))
    }
  }
}
