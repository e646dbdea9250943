extension GraphCache.Transaction {
  /// Repeats the changes of a change set, or undoes changes with their inverse.
  ///
  /// It sets the properties that were set, and leaves the others unchanged. It applies no delete
  /// rules: the change set already includes their effects.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `KinshipError.conflict` if a record is not what the changes are based on: it does
  ///   not exist, it exists although it is inserted, or a value to change is another one (compared
  ///   if it is `Equatable`); `.misuse(.identityChanged)` if a property is part of the identity;
  ///   `.invalidSchema(.unknownType)` if a type is not in the schema. In these cases, some changes
  ///   may have been made.
  /// - Complexity: O(*n*) in the changes, on average.
  public mutating func apply(_ changes: ChangeSet) throws(KinshipError) {
    staging.notes.add(changes.notes)
    var isUnseen = hasSetUnseen
    // If this fails, it is no longer known which properties were set.
    hasSetUnseen = true
    for type in changes.types {
      let number = try cache.schema.requiredNumber(of: type.recordType)
      let staging = staging
      defer { staging.removeDropped() }
      try type.requireStable()
      let count = type.editCount
      makeRoom(for: count, number, of: cache.schema.type(number))
      var unknown: [IDs] = []
      // In chunks, so that `peek` never waits for long: each edit may be the first to touch a
      // system page.
      for range in Chunk.ranges(count, of: Chunk.small) {
        let outcome = try cache.state.withLock { state throws(KinshipError) in
          try type.apply(range, in: staging, number, state.map)
        }
        isUnseen = isUnseen || outcome.hasSetUnseen
        if !outcome.unknown.isEmpty { unknown.append(outcome.unknown) }
      }
      missing.records += unknown
      if let first = unknown.lazy.flatMap({ type.recordType.refs(of: $0) }).first {
        throw .notLoaded(first)
      }
    }
    hasSetUnseen = isUnseen
  }
}
