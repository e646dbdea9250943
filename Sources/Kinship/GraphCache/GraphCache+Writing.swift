extension GraphCache {
  /// Puts a record into memory, replacing one with the same identity.
  ///
  /// It becomes the most recently used. Callers that are waiting for the record get this one.
  ///
  /// - Parameter record: The record.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` if the type is not in the schema,
  ///   `.invalidSchema(.unstableID)`, and `.notUnique` if a unique index of a cache without a store
  ///   does not allow it.
  /// - Complexity: O(1), amortised, plus the evictions that it causes.
  @inlinable
  public func put<R: GraphRecord>(_ record: R) throws(KinshipError) {
    let id = record.id
    try R.requireStable(id)
    if keepsUnique, R.indexes.hasUnique { try requireUnique([record]) }
    let (written, dropped) = state.withLock { state -> (Written, DroppedValues<R>) in
      guard let table = state.map.table(R.self) else { return (.unknownType, DroppedValues()) }
      table.pointee.completeness = .untracked
      if state.map.setCommitted(.present(record), of: id, in: table) {
        return (.isPending, DroppedValues())
      }
      state.map.put(record, in: table)
      let dropped = state.map.takeDropped(of: table)
      return (state.written, dropped)
    }
    withExtendedLifetime(dropped) {}
    try finish(written, CollectionOfOne(id), of: R.self)
  }

  /// Puts records into memory, in order, replacing those with the same identities.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` if the type is not in the schema,
  ///   `.invalidSchema(.unstableID)`, and `.notUnique` if a unique index of a cache without a store
  ///   does not allow them; then none is put.
  /// - Complexity: O(*n*) in the records, amortised.
  @inlinable
  public func put<R: GraphRecord>(contentsOf records: [R]) throws(KinshipError) {
    try R.requireStable(records)
    if keepsUnique, R.indexes.hasUnique { try requireUnique(records) }
    // Observers see all chunks or none.
    let hasChunks = records.count > Chunk.medium
    if hasChunks { beginMoment() }
    defer { if hasChunks { endMoment() } }
    var dropped = DroppedValues<R>()
    for range in Chunk.ranges(records.count, of: Chunk.medium) {
      let chunk = records[range]
      let written = state.withLock { state -> Written in
        guard let table = state.map.table(R.self) else { return .unknownType }
        table.pointee.completeness = .untracked
        // Dropped values go where there is already room.
        swap(&dropped, &table.pointee.dropped)
        let stamp = state.map.clock.next()
        var isPending = false
        for record in chunk {
          if state.map.setCommitted(.present(record), of: record.id, in: table) {
            isPending = true
          } else {
            state.map.put(record, stamp, in: table)
          }
        }
        swap(&dropped, &table.pointee.dropped)
        state.map.droppedCount &-= dropped.count
        return isPending ? .isPending : state.written
      }
      dropped.removeAll()
      try finish(written, chunk.lazy.map { $0.id }, of: R.self)
    }
  }

  /// Puts the records of nested values into memory, replacing those with the same identities.
  ///
  /// ```swift
  /// let message = try JSONDecoder().decode(PersonMessage.self, from: data)
  /// let person = try await cache.put(nested: [message])[0]
  /// ```
  ///
  /// - Parameter trees: The values.
  /// - Returns: Refs to their own records, in order.
  /// - Throws: The errors of ``put(contentsOf:)``; the records of types that were put before
  ///   stay.
  /// - Complexity: O(*n*) in the records, amortised.
  @discardableResult
  public nonisolated(nonsending) func put<Tree: RecordTree>(
    nested trees: some Sequence<Tree>
  ) async throws(KinshipError) -> [Ref<Tree.Root>] {
    var nested = NestedRecords()
    let refs = nested.add(contentsOf: trees)
    try await put(nested.lists)
    return refs
  }

  private func put(_ lists: [any FetchedRecords]) throws(KinshipError) {
    func put(_ list: some FetchedRecords) throws(KinshipError) {
      try self.put(contentsOf: list.records)
    }
    beginMoment()
    defer { endMoment() }
    for list in lists { try put(list) }
  }

  /// Sets one property of a record in memory, in place.
  ///
  /// The record becomes the most recently used. A property that you set while the store commits a
  /// transaction keeps its value if the transaction only sets other properties. If the transaction
  /// changes the record by a closure or replaces it, the cache asks the store for the record.
  ///
  /// ```swift
  /// try await cache.update(ref, \.name, to: "Albert")
  /// ```
  ///
  /// - Parameters:
  ///   - ref: A ref to the record.
  ///   - path: The property.
  ///   - value: Its new value.
  /// - Returns: Whether the record was in memory; if not, nothing has changed.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` if the type is not in the schema, and
  ///   `.misuse(.identityChanged)` if the property is part of the identity; then nothing has
  ///   changed.
  /// - Complexity: O(1) on average.
  @inlinable
  @inline(__always)  // As in the map: the key path is mostly known where this is called.
  @discardableResult
  public func update<R: GraphRecord, Value: Sendable>(
    _ ref: Ref<R>, _ path: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) throws(KinshipError) -> Bool {
    // Setting a computed property runs foreign code, so not under the lock.
    if MemoryLayout<R>.offset(of: path) == nil || (keepsUnique && R.indexes.hasUnique) {
      return try updateCopy(ref, path, to: value)
    }
    var replaced: Value?
    let (result, written) = state.withLock { state -> (UpdateResult<R.ID>?, Written) in
      guard let table = state.map.table(R.self) else { return (nil, .unknownType) }
      if state.map.isPending(ref.id, in: table) { return (nil, .isPending) }
      table.pointee.completeness = .untracked
      let result = state.map.update(ref.id, path, to: value, in: table, replacing: &replaced)
      return (result, state.written)
    }
    withExtendedLifetime(replaced) {}
    if case .isPending = written { return try updateCopy(ref, path, to: value) }
    let isUpdated = if case .updated = result { true } else { false }
    // Nothing is known about a record that is not in memory: a load of it continues.
    try finish(written, CollectionOfOne(ref.id).prefix(isUpdated ? 1 : 0), of: R.self)
    if case .identityChanged(let id) = result {
      throw .misuse(.identityChanged(from: AnyRef(ref), to: AnyRef(Ref<R>(id))))
    }
    if !isUpdated { try R.requireStable(ref.id) }
    return isUpdated
  }

  /// Changes a record in memory.
  ///
  /// The record becomes the most recently used.
  ///
  /// - Parameters:
  ///   - ref: A ref to the record.
  ///   - change: The change. If it throws, the record stays as it was.
  /// - Returns: Whether the record was in memory; if not, `change` was not called.
  /// - Throws: Any error that the closure throws, `KinshipError.invalidSchema(.unknownType)` if the
  ///   type is not in the schema, and `.misuse(.identityChanged)` if the closure changes the
  ///   identity; then nothing has changed.
  /// - Complexity: O(1) on average.
  @inlinable
  @discardableResult
  public func update<R: GraphRecord>(
    _ ref: Ref<R>, _ change: @Sendable (inout R) throws -> Void
  ) throws -> Bool {
    guard var record = committed(ref) else {
      try requireKnown(ref)
      return false
    }
    try change(&record)
    try put(record, inPlaceOf: ref)
    return true
  }

  /// Sets a property in a copy of a committed record, and replaces the record with it.
  @usableFromInline
  func updateCopy<R: GraphRecord, Value: Sendable>(
    _ ref: Ref<R>, _ path: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) throws(KinshipError) -> Bool {
    guard var record = committed(ref) else {
      try requireKnown(ref)
      return false
    }
    record[keyPath: path] = value
    try put(record, inPlaceOf: ref)
    return true
  }

  /// Throws if the type is not in the schema, or the id is unstable.
  @usableFromInline
  nonisolated func requireKnown<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) {
    if !schema.contains(R.self) { throw .invalidSchema(.unknownType(R.recordName)) }
    try R.requireStable(ref.id)
  }

  @inlinable
  func put<R: GraphRecord>(_ record: R, inPlaceOf ref: Ref<R>) throws(KinshipError) {
    guard record.id == ref.id else {
      throw .misuse(.identityChanged(from: AnyRef(ref), to: AnyRef(record.ref)))
    }
    try put(record)
  }

  /// Removes a record: from now on it does not exist, unless the store returns it in a later query.
  ///
  /// Callers that are waiting for the record learn that it does not exist.
  ///
  /// This is a statement about the record. To drop it from memory only, use ``evict(_:)`` or
  /// ``invalidate(_:)``.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: The record, or `nil` if it was not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  @discardableResult
  public func remove<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    let (record, written) = state.withLock { state -> (R?, Written) in
      guard let table = state.map.table(R.self), R.isStable(ref.id) else { return (nil, .done) }
      table.pointee.completeness = .untracked
      if state.map.isPending(ref.id, in: table) {
        let record = state.map.committed(ref.id, as: R.self).element
        _ = state.map.setCommitted(.missing, of: ref.id, in: table)
        return (record, .isPending)
      }
      return (state.map.remove(ref.id, in: table), state.written)
    }
    publish(written, CollectionOfOne(ref.id), of: R.self)
    return record
  }

  /// Drops what is known of a record, present or missing, so that the next read loads it from the
  /// store.
  ///
  /// A caller that is already waiting for the record gets a value that the store returns from now
  /// on. If the record changes faster than it can be fetched, the caller gets an answer after eight
  /// rounds: one that the store gave after the call, but that is older than the last invalidation.
  /// The cache does not keep that answer, and later callers wait for the next one.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Complexity: O(1) on average.
  public func invalidate<R: GraphRecord>(_ ref: Ref<R>) {
    if R.isStable(ref.id) { invalidate([ref.id], of: R.self) }
  }

  /// Drops everything known about records, in chunks, so that `peek` never waits for long.
  func invalidate<R: GraphRecord>(_ ids: [R.ID], of type: R.Type) {
    guard let number = schema.number(of: R.self) else { return }
    if committing != nil { invalidatedDuringCommit?.formUnion(ids.lazy.map { AnyRef(Ref<R>($0)) }) }
    let hasChunks = ids.count > Chunk.medium
    if hasChunks { beginMoment() }
    defer { if hasChunks { endMoment() } }
    for range in Chunk.ranges(ids.count, of: Chunk.medium) {
      let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
        guard let table = state.map.table(R.self) else { return (state.effects(), false) }
        let others = ids[range].filter { !state.map.markBaseOutdated($0, in: table) }
        let outcome = state.invalidate(others, type, number)
        return (state.effects(of: outcome), state.mustGather())
      }
      effects.perform()
      if mustGather { gather() }
    }
    markForRerun()
  }

  /// Empties the cache: drops all records, leased ones too, and all ids known to be missing, but no
  /// pending writes.
  ///
  /// This does not mean that the records do not exist: the next reads ask the store.
  ///
  /// - Complexity: O(*n*) in the records.
  public func removeAll() { dropAll(notifiesObservers: true) }

  /// Empties the cache, notifying observers only if something may have changed.
  package func dropAll(notifiesObservers: Bool) {
    if let committing { invalidatedDuringCommit?.formUnion(committing.refs) }
    markForRerun()
    let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
      // Writes that the store has not committed exist only here.
      let shown = schema.types.flatMap { state.map.pendingRestorers($0) }
      state.map.removeAll()
      state.marks.shrink(to: state.map.pages.slotCount)
      for show in shown { show(&state.map) }
      let outcome = state.loader.restartAll(&state.map)
      if notifiesObservers { state.publishChangeOfAll() }
      return (state.effects(of: outcome), state.mustGather())
    }
    effects.perform()
    if mustGather { gather() }
  }

  // MARK: Committed values

  /// Returns the committed record for `ref`, ignoring pending writes.
  @inlinable
  func committed<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    state.withLock { $0.map.committed(ref.id, as: R.self).element }
  }

  // MARK: After a write

  /// The work left to do outside the lock after a write.
  @usableFromInline
  enum Written: Sendable {
    case done
    /// There are listeners or observers to notify, pending writes, or loads in flight whose ids the
    /// write may resolve.
    case hasFollowers
    /// A committed value below a pending write has changed, so that the pending write must be
    /// re-run.
    case isPending
    /// There are values to destroy.
    case hasDropped
    case unknownType
  }

  @inlinable
  func finish<R: GraphRecord>(
    _ written: Written, _ ids: some Sequence<R.ID>, of type: R.Type
  ) throws(KinshipError) {
    switch written {
    case .done: return
    case .hasFollowers, .isPending: publish(written, ids, of: type)
    case .hasDropped: tellListeners()
    case .unknownType: throw .invalidSchema(.unknownType(R.recordName))
    }
  }

  @usableFromInline
  nonisolated func tellListeners() {
    state.withLock { $0.effects() }.perform()
  }

  /// Marks the pending writes for a re-run before the store commits them.
  ///
  /// They may have read a value that has changed; until then, they stay visible.
  private func markForRerun() { if !pending.isEmpty { needsRerun = true } }

  /// Notifies the listeners and the waiters of the ids that were written.
  @usableFromInline
  func publish<R: GraphRecord>(_ written: Written, _ ids: some Sequence<R.ID>, of type: R.Type) {
    switch written {
    case .done, .unknownType: return
    case .hasDropped: return tellListeners()
    case .isPending: rerunPendingWritesFromMemory()
    case .hasFollowers: markForRerun()
    }
    guard let number = schema.number(of: type) else { return }
    let ids = IDs(Array(ids), of: number)
    state.withLock { state in
      let outcome = state.loader.releaseWaiters(ids, of: number, &state.map)
      state.publishChange(.written, of: ids)
      return state.effects(of: outcome)
    }.perform()
  }
}

extension CacheState {
  /// The work left by a write.
  @usableFromInline var written: GraphCache.Written {
    let isAlone =
      map.removals.isEmpty && loader.isIdle && observers.isEmpty && pendingWrites == 0
      && !map.isAlarmWanted && openQueries.isEmpty
    if !isAlone { return .hasFollowers }
    return map.hasDropped || recentGraphs.isStale(in: map) ? .hasDropped : .done
  }
}
