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
    staging.remains.add(changes.remains)
    hasSetUnseen = true
    for type in changes.types {
      let number = try cache.schema.requiredNumber(of: type.recordType)
      let staging = staging
      defer { staging.removeDropped() }
      makeRoom(for: type.count, number, of: cache.schema.type(number))
      var unknown: [IDs] = []
      // In portions, so that `peek` never waits for long.
      for portion in type.portions {
        let ids = try cache.state.withLock { state throws(KinshipError) in
          try portion.apply(in: staging, number, state.map)
        }
        if !ids.isEmpty { unknown.append(ids) }
      }
      needs += unknown
      if let first = unknown.lazy.flatMap({ type.recordType.refs(of: $0) }).first {
        throw .notLoaded(first)
      }
    }
  }
}
