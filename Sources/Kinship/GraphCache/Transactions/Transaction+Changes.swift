extension GraphCache.Transaction {
  /// Inserts a record that does not exist yet.
  ///
  /// If memory does not know whether it exists, the backing store decides when the transaction is
  /// committed.
  ///
  /// - Parameter record: The record.
  /// - Throws: `KinshipError.exists` if it exists, and `.invalidSchema(.unknownType)` if the type
  ///   is not in the schema.
  /// - Complexity: O(1) on average.
  @inlinable
  public mutating func insert<R: GraphRecord>(_ record: R) throws(KinshipError) {
    if read(record.ref).element != nil { throw .exists(AnyRef(record.ref)) }
    try stage(.present(record), for: record.ref)
  }

  /// Inserts a record, or replaces the one with the same identity.
  ///
  /// - Parameter record: The record.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` if the type is not in the schema.
  /// - Complexity: O(1) on average.
  @inlinable
  public mutating func put<R: GraphRecord>(_ record: R) throws(KinshipError) {
    if read(record.ref).isUnknown { try continueRun(without: record.ref) }
    try stage(.present(record), for: record.ref)
  }

  /// Inserts the records of nested values, or replaces those with the same identities.
  ///
  /// - Parameter trees: The values.
  /// - Returns: Refs to their own records, in order.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` if a type is not in the schema.
  /// - Complexity: O(*n*) in the records, on average.
  @discardableResult
  public mutating func put<Tree: RecordTree>(
    nested trees: some Sequence<Tree>
  ) throws(KinshipError) -> [Ref<Tree.Root>] {
    var nested = NestedRecords()
    let refs = nested.add(contentsOf: trees)
    for list in nested.lists { try put(list) }
    return refs
  }

  private mutating func put(_ list: some FetchedRecords) throws(KinshipError) {
    for record in list.records { try put(record) }
  }

  /// Requires that no one else changes a record that this transaction has read before it commits.
  ///
  /// Other caches may write to the same store. If a transaction decides by one record and writes
  /// another, require the first. Then, of two such transactions, one fails with
  /// `KinshipError.conflict`, or is re-run if it has `retries`.
  ///
  /// ```swift
  /// try await cache.write(retries: 3) { tx in
  ///   guard tx[other]?.isOnCall == true else { throw Rota.empty }
  ///   try tx.require(other)
  ///   try tx.update(mine, \.isOnCall, to: false)
  /// }
  /// ```
  ///
  /// It gives the record the next version, so it counts as a write to that record.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Throws: `KinshipError.missing` if the record does not exist, and
  ///   `.invalidSchema(.unknownType)` if the type is not in the schema.
  /// - Complexity: O(1) on average.
  public mutating func require<R: Versioned>(_ ref: Ref<R>) throws(KinshipError) {
    guard let record = try known(ref) else { return }
    try update(ref, \.version, to: record.version)
  }

  /// Sets one property of a record.
  ///
  /// A record that is not in memory is not loaded: the backing store sets the property. The record
  /// is loaded first only if the property may hold refs of relationships or be part of the
  /// identity, which is possible for a computed property, or if its type computes refs of
  /// relationships.
  ///
  /// - Parameters:
  ///   - ref: A ref to the record.
  ///   - path: The property.
  ///   - value: Its new value.
  /// - Throws: `KinshipError.missing` if the record does not exist, `.misuse(.identityChanged)` if
  ///   the property is part of the identity, and `.invalidSchema(.unknownType)` if the type is not
  ///   in the schema.
  /// - Complexity: O(1) on average.
  @inlinable
  public mutating func update<R: GraphRecord, Value: Sendable>(
    _ ref: Ref<R>, _ path: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) throws(KinshipError) {
    let number = try cache.schema.requiredNumber(of: R.self)
    let (property, isFollowed) = cache.schema.properties[number].entry(of: path) { Property(path) }
    try update(ref, number, isFollowed) { values, position in
      values.set(path, property, at: position, to: value)
    }
  }

  /// Sets several properties of a record.
  ///
  /// ```swift
  /// try tx.update(ref, .set(\.name, to: "Albert"), .set(\.mother, to: 8))
  /// ```
  ///
  /// - Parameters:
  ///   - ref: A ref to the record.
  ///   - changes: The properties with their new values.
  /// - Throws: The errors of setting one property; then none is set.
  /// - Complexity: O(*n*) in the properties.
  @inlinable
  public mutating func update<R: GraphRecord>(
    _ ref: Ref<R>, _ changes: PropertyChange<R>...
  ) throws(KinshipError) {
    let number = try cache.schema.requiredNumber(of: R.self)
    let known = cache.schema.properties[number]
    var mayChangeRefs = false
    let changes = changes.map { change in
      let (property, isFollowed) = known.entry(of: change.property.keyPath) { change.property }
      if isFollowed { mayChangeRefs = true }
      return PropertyChange(property, to: change.value)
    }
    try update(ref, number, mayChangeRefs) { $0.set(changes, at: $1) }
  }

  /// Sets a property, which may be a relationship, with a closure that edits the staged record in
  /// place.
  @inlinable
  mutating func update<R: GraphRecord>(
    _ ref: Ref<R>, _ number: TypeNumber, _ isRelationship: Bool,
    by set: (inout StagedValues<R>, Int) -> UpdateResult<R.ID>
  ) throws(KinshipError) {
    try R.requireStable(ref.id)
    let table = staging.table(number, of: R.self)
    let isKnown = isRelationship || !updatesBlindly || cache.schema.hasVersions[number]
    var old: R?
    if isKnown {
      old = try known(ref)
      if old == nil { return }
    }
    let position = cache.state.withLock { state in
      table.values.withLock { $0.stage(ref.id, state.map) }
    }
    // The old value is destroyed, and a setter runs, outside the cache's lock.
    let (result, isUnseen) = table.values.withLock { values in
      values.makeRoom()
      return (set(&values, position), values.values[position].current.isUnknown)
    }
    if isUnseen { hasSetUnseen = true }
    if case .updated = result {} else { try ref.check(result) }
    if isRelationship, cache.schema.hasInverses[number] {
      try keepInverses(number, old, read(ref).element, ref)
    }
  }

  /// Changes a record with a closure.
  ///
  /// If the record is not in memory, the transaction continues without the change. When its closure
  /// has ended, all missing records are loaded together and the closure runs again.
  ///
  /// - Parameters:
  ///   - ref: A ref to the record.
  ///   - change: The change. If it throws, the record stays as it was.
  /// - Throws: Any error that the closure throws, `KinshipError.missing` if the record does not
  ///   exist, `.misuse(.identityChanged)` if the closure changes the identity, and
  ///   `.invalidSchema(.unknownType)` if the type is not in the schema.
  /// - Complexity: O(1) on average.
  @inlinable
  public mutating func update<R: GraphRecord>(
    _ ref: Ref<R>, _ change: (inout R) throws -> Void
  ) throws {
    guard var record = try known(ref) else { return }
    try change(&record)
    guard record.id == ref.id else {
      throw KinshipError.misuse(.identityChanged(from: AnyRef(ref), to: AnyRef(record.ref)))
    }
    try stage(.present(record), for: ref)
  }
}
