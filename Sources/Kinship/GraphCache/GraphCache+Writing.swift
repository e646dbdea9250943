extension GraphCache {
  /// Puts a record, in place of one with the same identity.
  ///
  /// It becomes the most recently used.
  ///
  /// - Parameter record: The record.
  /// - Throws: `KinshipError.unknownType` if the type is not in the schema, `.unstableID`, and
  ///   `.notUnique` if a unique index of a cache without a store does not allow it.
  /// - Complexity: O(1), amortised, besides the evictions that it causes.
  @inlinable
  public func put<R: GraphRecord>(_ record: R) throws(KinshipError) {
    let id = record.id
    try R.requireStable(id)
    if keepsUnique, R.indexes.hasUnique { try requireUnique([record]) }
    let (written, dropped) = state.withLock { state -> (Written, DroppedValues<R>) in
      guard let table = state.map.table(R.self) else { return (.unknownType, DroppedValues()) }
      table.pointee.wholeness = .told
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

  /// Puts records, in place of those with the same identities, in order.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts. The caller
  ///   reads them, once, before anything is put: what is lazy may need the caller's actor.
  /// - Throws: `KinshipError.unknownType` if the type is not in the schema, `.unstableID`, and
  ///   `.notUnique` if a unique index of a cache without a store does not allow them; then none is
  ///   put.
  /// - Complexity: O(*n*) in the records, amortised.
  @inlinable
  public nonisolated(nonsending) func put<R: GraphRecord>(
    contentsOf records: some Collection<R>
  ) async throws(KinshipError) {
    let records = Array(records)
    try await put(contentsOf: records)
  }

  /// Puts records, in place of those with the same identities, in order.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Throws: `KinshipError.unknownType` if the type is not in the schema, `.unstableID`, and
  ///   `.notUnique` if a unique index of a cache without a store does not allow them; then none is
  ///   put.
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
        table.pointee.wholeness = .told
        // What is dropped goes where there is room already.
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

  /// Puts a record only if one with the same identity is in memory.
  ///
  /// - Parameter record: The record.
  /// - Returns: The record that it replaced, or `nil` if there was none and nothing was put.
  /// - Throws: `KinshipError.unknownType` if the type is not in the schema.
  /// - Complexity: O(1) on average.
  @inlinable
  @discardableResult
  public func replace<R: GraphRecord>(_ record: R) throws(KinshipError) -> R? {
    guard let old = committed(record.ref) else {
      try requireKnown(record.ref)
      return nil
    }
    try put(record)
    return old
  }

  /// Sets one property of a record in memory, in place.
  ///
  /// The record becomes the most recently used.
  ///
  /// ```swift
  /// try await cache.update(ref, \.name, to: "Albert")
  /// ```
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record.
  ///   - path: The property.
  ///   - value: Its new value.
  /// - Returns: Whether the record was in memory; if not, nothing has changed.
  /// - Throws: `KinshipError.unknownType` if the type is not in the schema, and `.identityChanged`
  ///   if the property is part of the identity; then nothing has changed.
  /// - Complexity: O(1) on average.
  @inlinable
  @inline(__always)  // As in the map: the key path is mostly known where this is called.
  @discardableResult
  public func update<R: GraphRecord, Value: Sendable>(
    _ ref: Ref<R>, _ path: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) throws(KinshipError) -> Bool {
    // Setting a computed property runs foreign code: not under the lock.
    if MemoryLayout<R>.offset(of: path) == nil || (keepsUnique && R.indexes.hasUnique) {
      return try updateCopy(ref, path, to: value)
    }
    var replaced: Value?
    let (result, written) = state.withLock { state -> (UpdateResult<R.ID>?, Written) in
      guard let table = state.map.table(R.self) else { return (nil, .unknownType) }
      if state.map.isPending(ref.id, in: table) { return (nil, .isPending) }
      table.pointee.wholeness = .told
      let result = state.map.update(ref.id, path, to: value, in: table, replacing: &replaced)
      return (result, state.written)
    }
    withExtendedLifetime(replaced) {}
    if case .isPending = written { return try updateCommitted(ref) { $0[keyPath: path] = value } }
    let isUpdated = if case .updated = result { true } else { false }
    // Of a record that is not in memory nothing is known: a load of it goes on.
    try finish(written, CollectionOfOne(ref.id).prefix(isUpdated ? 1 : 0), of: R.self)
    if case .identityChanged(let id) = result {
      throw .identityChanged(from: AnyRef(ref), to: AnyRef(Ref<R>(id)))
    }
    if !isUpdated { try R.requireStable(ref.id) }
    return isUpdated
  }

  /// Changes a record in memory.
  ///
  /// The record becomes the most recently used.
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record.
  ///   - change: The change. If it throws, the record stays as it was.
  /// - Returns: Whether the record was in memory; if not, `change` was not called.
  /// - Throws: What the closure throws, `KinshipError.unknownType` if the type is not in the
  ///   schema, and `.identityChanged` if the closure changes the identity; then nothing has
  ///   changed.
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

  /// Sets a property in a copy of a record in memory, and puts that in its place.
  @usableFromInline
  func updateCopy<R: GraphRecord, Value: Sendable>(
    _ ref: Ref<R>, _ path: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) throws(KinshipError) -> Bool {
    guard var record = peek(ref) else {
      try requireKnown(ref)
      return false
    }
    record[keyPath: path] = value
    try put(record, inPlaceOf: ref)
    return true
  }

  /// Says why a record that is not in memory could not be there.
  @usableFromInline
  nonisolated func requireKnown<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) {
    if !schema.contains(R.self) { throw .unknownType(R.recordName) }
    try R.requireStable(ref.id)
  }

  @inlinable
  func put<R: GraphRecord>(_ record: R, inPlaceOf ref: Ref<R>) throws(KinshipError) {
    guard record.id == ref.id else {
      throw .identityChanged(from: AnyRef(ref), to: AnyRef(record.ref))
    }
    try put(record)
  }

  /// Takes a record out: from now on it does not exist, unless the store answers a later query
  /// with it.
  ///
  /// This is a statement about the record. To forget what is in memory, use ``evict(_:)`` or
  /// ``invalidate(_:)``.
  ///
  /// - Parameter ref: The ref that names the record.
  /// - Returns: The record, or `nil` if it was not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  @discardableResult
  public func remove<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    let (record, written) = state.withLock { state -> (R?, Written) in
      guard let table = state.map.table(R.self), R.isStable(ref.id) else { return (nil, .done) }
      table.pointee.wholeness = .told
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

  /// Forgets what is known of a record, present or missing, and makes the next read go to the
  /// store.
  ///
  /// Whoever waits for the record at this moment gets what the store says from now on.
  ///
  /// - Parameter ref: The ref that names the record.
  /// - Complexity: O(1) on average.
  public func invalidate<R: GraphRecord>(_ ref: Ref<R>) {
    if R.isStable(ref.id) { invalidate([ref.id], of: R.self) }
  }

  /// Forgets what is known of records, in chunks, so that `peek` never waits for long.
  func invalidate<R: GraphRecord>(_ ids: [R.ID], of type: R.Type) {
    guard let number = schema.number(of: R.self) else { return }
    if committing != nil { disputes?.formUnion(ids.lazy.map { AnyRef(Ref<R>($0)) }) }
    let hasChunks = ids.count > Chunk.medium
    if hasChunks { beginMoment() }
    defer { if hasChunks { endMoment() } }
    for range in Chunk.ranges(ids.count, of: Chunk.medium) {
      let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
        guard let table = state.map.table(R.self) else { return (state.effects(), false) }
        let others = ids[range].filter { !state.map.outdate($0, in: table) }
        let outcome = state.invalidate(others, type, number)
        return (state.effects(of: outcome), state.mustGather())
      }
      effects.perform()
      if mustGather { gather() }
    }
    noteSaid()
  }

  /// Empties the cache: all records, leased ones included, and what is known to be missing; not
  /// what pending writes show.
  ///
  /// Nothing is said about the records: the next reads ask the store.
  ///
  /// - Complexity: O(*n*) in the records.
  public func removeAll() { forgetAll(tellsObservers: true) }

  /// Empties the cache; where nothing is known to have changed, observers need not look again.
  func forgetAll(tellsObservers: Bool) {
    if let committing { disputes?.formUnion(committing.refs) }
    noteSaid()
    let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
      // What the store has not made yet is nowhere else.
      let shown = schema.types.flatMap { state.map.shown($0) }
      state.map.removeAll()
      state.marks.shrink(to: state.map.pages.slotCount)
      for show in shown { show(&state.map) }
      let outcome = state.loader.restartAll(&state.map)
      if tellsObservers { state.noteChangeOfAll() }
      return (state.effects(of: outcome), state.mustGather())
    }
    effects.perform()
    if mustGather { gather() }
  }

  // MARK: What is committed

  /// The record in memory that a ref names, whatever pending writes show.
  @inlinable
  func committed<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    state.withLock { $0.map.committed(ref.id, as: R.self).element }
  }

  /// Changes what is committed of a record of which pending writes show something else.
  @usableFromInline
  func updateCommitted<R: GraphRecord>(
    _ ref: Ref<R>, _ change: (inout R) -> Void
  ) throws(KinshipError) -> Bool {
    guard var record = committed(ref) else { return false }
    change(&record)
    guard record.id == ref.id else {
      throw .identityChanged(from: AnyRef(ref), to: AnyRef(record.ref))
    }
    try put(record)
    return true
  }

  // MARK: What follows a write

  /// What a write leaves to do outside of the lock.
  @usableFromInline
  enum Written: Sendable {
    case done
    /// There are listeners or observers to tell, or writes that are pending, or ids that are being
    /// loaded and may be known by the write.
    case hasFollowers
    /// What was said is said of what lies beneath pending writes: what they show must be made anew.
    case isPending
    /// There is something to destroy.
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
    case .unknownType: throw .unknownType(R.recordName)
    }
  }

  @usableFromInline
  nonisolated func tellListeners() {
    state.withLock { $0.effects() }.perform()
  }

  /// Pending writes may have read what something was said of: what they show stays, and is made
  /// anew before the store makes it.
  private func noteSaid() { if !pending.isEmpty { needsAnew = true } }

  /// Tells the listeners and those who wait for the ids that were written.
  @usableFromInline
  func publish<R: GraphRecord>(_ written: Written, _ ids: some Sequence<R.ID>, of type: R.Type) {
    switch written {
    case .done, .unknownType: return
    case .hasDropped: return tellListeners()
    case .isPending: makeAnewAtOnce()
    case .hasFollowers: noteSaid()
    }
    guard let number = schema.number(of: type) else { return }
    let ids = IDs(Array(ids), of: number)
    state.withLock { state in
      let outcome = state.loader.noteKnown(ids, of: number, &state.map)
      state.noteChange(.written, of: ids)
      return state.effects(of: outcome)
    }.perform()
  }
}

extension CacheState {
  /// What a write has left to do.
  @usableFromInline var written: GraphCache.Written {
    let isAlone =
      map.removals.isEmpty && loader.isIdle && observers.isEmpty && pendingWrites == 0
      && !map.isAlarmWanted && openQueries.isEmpty
    if !isAlone { return .hasFollowers }
    return map.hasDropped || recentGraphs.isStale(in: map) ? .hasDropped : .done
  }
}
