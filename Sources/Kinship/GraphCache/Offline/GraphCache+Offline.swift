extension GraphCache {
  /// A write that an earlier run of the program has queued.
  ///
  /// Closures end with the program, so a restored write is its change set. If an earlier write is
  /// refused, the cache re-runs this one property by property; properties that it does not change
  /// stay. If a record that it updates is gone, it is given up with `KinshipError.conflict`.
  ///
  /// The first write may have been sent already, so it is sent unchanged. Once a write is given up,
  /// the file stores later ones as re-run without it, or unchanged as long as they need records
  /// that cannot be loaded.
  public struct RestoredWrite: Sendable {
    /// The changes of the write, as they were queued.
    public let changes: ChangeSet
    /// The pending write, whose outcome says whether the store commits it.
    public let write: PendingWrite
  }

  /// Shows the queued writes, and queues all optimistic writes from now on.
  ///
  /// ```swift
  /// for restored in try await cache.resume(queue) {
  ///   do { try await restored.write.outcome() } catch { show(restored.changes, error) }
  /// }
  /// ```
  ///
  /// Restore a snapshot before this call, not after it: queued writes are shown on top of the
  /// snapshot. A snapshot leaves out pending writes, so a queued change never counts as committed.
  /// The values that the queued writes were based on count as loaded, and are read again once the
  /// writes are settled.
  ///
  /// 1. Pending optimistic writes are settled first.
  /// 2. The queued writes are shown at once, in their order, without asking the store.
  /// 3. They are sent in the background, in their order.
  ///
  /// - Parameter queue: The queue, created with the cache's schema.
  /// - Returns: The writes that an earlier run has queued.
  /// - Throws: `KinshipError.misuse(.closed)` if this or another cache has already resumed the
  ///   queue, or this cache has another queue; `.misuse(.readOnlyStore)` if it has no backing
  ///   store; `CancellationError`.
  /// - Complexity: O(*n*) in the queued changes.
  @discardableResult
  public func resume(_ queue: OfflineQueue) async throws -> [RestoredWrite] {
    guard store != nil else { throw KinshipError.misuse(.readOnlyStore("GraphCache")) }
    while let first = pending.first {
      try await first.write.untilSettled()
      try Task.checkCancellation()
    }
    guard offline == nil, let found = queue.found.withLock({ $0.take() }) else {
      throw KinshipError.misuse(.closed(path: queue.log.path))
    }
    offline = OfflineState(queue)
    var known: Set<AnyRef> = []
    var restored: [RestoredWrite] = []
    for (number, found) in found.enumerated() {
      let write = restore(found, mayBeMade: number == 0, &known)
      restored.append(RestoredWrite(changes: found.changes, write: write))
    }
    await settleAbandoned()
    return restored
  }

  /// Sends the queued writes now, without waiting for the next retry.
  ///
  /// Call it when the network is back.
  ///
  /// - Throws: The reason why the store is unreachable; `KinshipError.misuse(.waitsForItself)`
  ///   inside a call of the store. A write that the store rejects is no error here;
  ///   ``PendingWrite/outcome()`` reports it.
  public func sendQueuedWrites() async throws {
    let turn = reserveTurn()
    guard let activity = state.withLock({ $0.waits.holder(of: turn.number) }) else {
      return passTurn(turn)
    }
    do {
      try await waiting(for: activity, .write) { try await sendInBackground(turn) }
    } catch {
      passTurn(turn)
      state.withLock { $0.waits.end(activity) }
      throw error
    }
  }

  /// The reason why the store was unreachable when a queued write was last sent; `nil` if it was
  /// reached.
  public var outage: (any Error)? { offline?.outage }

  // MARK: Restoring

  /// Shows a queued write.
  private func restore(
    _ found: OfflineLog.Found, mayBeMade: Bool, _ known: inout Set<AnyRef>
  ) -> PendingWrite {
    let changes = found.changes
    let lease = lease(on: changes.ids(in: schema))
    defer { lease.end() }
    for type in changes.recordTypes { loadBaseValues(of: changes, type, &known) }
    let staging = Staging()
    let body: @Sendable (inout Transaction) throws -> Void = { tx in try tx.reapply(changes) }
    let reserved = ReservedIDs()
    do {
      if let missing = try attempt(body, on: staging, reserved: reserved, updatesBlindly: false) {
        for ids in missing.records {
          let refs = schema.type(ids.type).refs(of: ids)
          if let first = refs.first { throw KinshipError.notLoaded(first) }
        }
      }
      return addPendingWrite(
        step(staging), body, [], reserved, key: found.key, sent: mayBeMade ? changes : nil,
        isBasedOnOld: true)
    } catch {
      let write = PendingWrite()
      offline?.abandoned.append((write, found.key, error))
      return write
    }
  }

  /// Uses the base values of changes as the committed values, unless earlier changes have set them.
  private func loadBaseValues<R: GraphRecord>(
    of changes: ChangeSet, _ type: R.Type, _ known: inout Set<AnyRef>
  ) {
    for record in changes.updated(type).compactMap(\.old) + changes.deleted(type)
    where known.insert(AnyRef(record.ref)).inserted {
      // An id that could not be found again was rejected when it was queued.
      try? put(record)
    }
    for record in changes.inserted(type) where known.insert(AnyRef(record.ref)).inserted {
      remove(record.ref)
    }
  }
}

extension GraphCache.Transaction {
  /// Repeats the changes of a change set on the current values, keeping changes of others to the
  /// same records.
  ///
  /// - Throws: The errors of `apply`, if a record exists that should not, or does not exist.
  mutating func reapply(_ changes: ChangeSet) throws {
    var types: [any ErasedEdits] = []
    for type in changes.recordTypes { types.append(try rebased(changes, type)) }
    try apply(ChangeSet(types: types))
  }

  private func rebased<R: GraphRecord>(
    _ changes: ChangeSet, _ type: R.Type
  ) throws(KinshipError) -> any ErasedEdits {
    var edits = RecordEdits<R>()
    edits.inserted = changes.inserted(type)
    for change in changes.updated(type) {
      guard let theirs = read(change.ref).element else {
        edits.updated.append(change)
        continue
      }
      let new = try change.applied(to: theirs)
      edits.updated.append(UpdatedRecord(change.ref, old: theirs, new: new, properties: nil))
    }
    edits.deleted = changes.deleted(type).map { read($0.ref).element ?? $0 }
    return TypeEdits(edits)
  }
}
