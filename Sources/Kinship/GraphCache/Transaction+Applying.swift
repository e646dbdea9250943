extension Transaction {
  /// Makes the changes of a change set once more, or takes others back with its inverse.
  ///
  /// A property that was set is set again, and the others stay as they are. No delete rule is
  /// followed: what the rules did is among the changes.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `KinshipError.conflict` if a record is not what the changes are based on: it does not
  ///   exist, or does though it is to be inserted, or what is to be changed of it is another value, as far
  ///   as that is `Equatable`; `.unknownType` if a type is not in the schema. Some changes may have been
  ///   made then.
  /// - Complexity: O(*n*) in the changes, on average.
  public mutating func apply(_ changes: ChangeSet) throws(KinshipError) {
    for type in changes.recordTypes { try apply(changes, of: type) }
  }

  private mutating func apply<R: Record>(
    _ changes: ChangeSet, of type: R.Type
  ) throws(KinshipError) {
    for record in changes.deleted(type) {
      let theirs = try existing(record.ref, mine: nil)
      if !Values.mayBeEqual(theirs, record) {
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: theirs)
      }
      try stage(.missing, for: record.ref)
    }
    for change in changes.updated(type) { try apply(change) }
    for record in changes.inserted(type) {
      switch read(record.ref) {
      case .unknown: throw need(record.ref)
      case .present(let theirs):
        throw .conflict(AnyRef(record.ref), mine: record, theirs: theirs)
      case .missing: try stage(.present(record), for: record.ref)
      }
    }
  }

  private mutating func apply<R: Record>(_ change: UpdatedRecord<R>) throws(KinshipError) {
    if change.old == nil, let properties = change.properties {
      return try set(properties, of: change.ref)
    }
    let theirs = try existing(change.ref, mine: change.new)
    guard let old = change.old, let new = change.new else { return }
    if let all = change.properties {
      // A transaction gives the version itself.
      let properties = all.filter { !Self.isVersion($0.keyPath, of: R.self) }
      for change in properties
      where !Values.mayBeEqual(change.property.value(theirs), change.property.value(old)) {
        throw .conflict(AnyRef(old.ref), mine: new, theirs: theirs)
      }
      try set(properties, of: change.ref)
    } else {
      if !Values.mayBeEqual(theirs, old) {
        throw .conflict(AnyRef(old.ref), mine: new, theirs: theirs)
      }
      try stage(.present(new), for: change.ref)
    }
  }

  private static func isVersion<R: Record>(_ keyPath: AnyKeyPath, of type: R.Type) -> Bool {
    func isVersion<V: Versioned>(_ type: V.Type) -> Bool { keyPath == \V.version }
    guard let versioned = type as? any Versioned.Type else { return false }
    return isVersion(versioned)
  }

  private func set<R: Record>(
    _ properties: [PropertyChange<R>], of ref: Ref<R>
  ) throws(KinshipError) {
    guard let table = table(of: R.self) else { throw .unknownType(R.recordName) }
    let isThere = cache.state.withLock { state in
      table.values.withLock { $0.set(properties, of: ref.id, state.map) }
    }
    if !isThere { throw .missing(AnyRef(ref)) }
  }

  private mutating func existing<R: Record>(
    _ ref: Ref<R>, mine: R?
  ) throws(KinshipError) -> R {
    switch read(ref) {
    case .unknown: throw need(ref)
    case .missing: throw .conflict(AnyRef(ref), mine: mine, theirs: nil)
    case .present(let record): return record
    }
  }
}
