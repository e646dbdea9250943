extension GraphCache.Transaction {
  /// Makes the changes of a change set once more, or takes others back with its inverse.
  ///
  /// A property that was set is set again, and the others stay as they are. No delete rule is
  /// followed: what the rules did is among the changes.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `KinshipError.conflict` if a record is not what the changes are based on: it does
  ///   not exist, or does though it is to be inserted, or what is to be changed of it is another
  ///   value, as far as that is `Equatable`; `.identityChanged` if a property is part of the
  ///   identity; `.unknownType` if a type is not in the schema. Some changes may have been made
  ///   then.
  /// - Complexity: O(*n*) in the changes, on average.
  public mutating func apply(_ changes: ChangeSet) throws(KinshipError) {
    staging.notes.add(changes.notes)
    var isUnseen = hasSetUnseen
    // If it fails, that some were set cannot be told any more.
    hasSetUnseen = true
    for type in changes.types {
      let number = try cache.schema.requiredNumber(of: type.recordType)
      let staging = staging
      defer { staging.removeDropped() }
      try type.requireStable()
      let count = type.editCount
      makeRoom(for: count, number, of: cache.schema.type(number))
      var unknown: [IDs] = []
      // In chunks, so that `peek` never waits for long; each edit may be the first to touch pages
      // of the system's.
      for range in Chunk.ranges(count, of: Chunk.small) {
        let outcome = try cache.state.withLock { state throws(KinshipError) in
          try type.apply(range, in: staging, number, state.map)
        }
        isUnseen = isUnseen || outcome.hasSetUnseen
        if !outcome.unknown.isEmpty { unknown.append(outcome.unknown) }
      }
      needs += unknown
      if let first = unknown.lazy.flatMap({ type.recordType.refs(of: $0) }).first {
        throw .notLoaded(first)
      }
    }
    hasSetUnseen = isUnseen
  }
}
