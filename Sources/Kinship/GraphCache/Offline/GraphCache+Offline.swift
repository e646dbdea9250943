extension GraphCache {
  /// Shows what is queued, and queues all optimistic writes from now on.
  ///
  /// ```swift
  /// for restored in try await cache.resume(queue) {
  ///   do { try await restored.write.outcome() } catch { show(restored.changes, error) }
  /// }
  /// ```
  ///
  /// Restore a snapshot before, not after: what is queued is shown on top of it. What the queued
  /// writes were based on counts as loaded.
  ///
  /// 1. Optimistic writes that are pending are settled first.
  /// 2. What is queued is shown, in its order, at once: the store is not asked.
  /// 3. It is sent in the background, in its order.
  ///
  /// - Parameter queue: The queue, made with the cache's schema.
  /// - Returns: What an earlier run has queued.
  /// - Throws: `KinshipError.closed` if the queue was resumed before, by this cache or another, or
  ///   the cache has another queue; `.readOnlyStore` if it has no backing store;
  ///   `CancellationError`.
  /// - Complexity: O(*n*) in the changes that are queued.
  @discardableResult
  public func resume(_ queue: OfflineQueue) async throws -> [RestoredWrite] {
    guard store != nil else { throw KinshipError.readOnlyStore("GraphCache") }
    while let first = pending.first {
      try await first.write.untilSettled()
      try Task.checkCancellation()
    }
    guard offline == nil, let found = queue.found.withLock({ $0.take() }) else {
      throw KinshipError.closed(path: queue.log.path)
    }
    offline = OfflineState(queue)
    var known: Set<AnyRef> = []
    var restored: [RestoredWrite] = []
    for (number, found) in found.enumerated() {
      let write = restore(found, mayBeMade: number == 0, &known)
      restored.append(RestoredWrite(changes: found.changes, write: write))
    }
    await settleGivenUp()
    return restored
  }

  /// Sends what is queued now, without waiting for the time to try again.
  ///
  /// To be called when the network is back.
  ///
  /// - Throws: Why the store cannot be reached; `KinshipError.waitsForItself` within a call of the
  ///   store. What the store refuses is no error here, but of ``PendingWrite/outcome()``.
  public func sendQueuedWrites() async throws {
    let turn = reserveTurn()
    guard let activity = state.withLock({ $0.waits.holder(of: turn.number) }) else {
      return passTurn(turn)
    }
    let caller: WaitGraph.ActivityID?
    do throws(KinshipError) { caller = try beginWait(for: activity, .write) } catch {
      passTurn(turn)
      state.withLock { $0.waits.end(activity) }
      throw error
    }
    defer { if let caller { endWait(of: caller, for: activity) } }
    try await sendInBackground(turn)
  }

  /// Why the store could not be reached when a queued write was last sent; `nil` if it was reached.
  public var outage: (any Error)? { offline?.outage }

  // MARK: Restoring

  /// Shows a write that was queued.
  private func restore(
    _ found: OfflineLog.Found, mayBeMade: Bool, _ known: inout Set<AnyRef>
  ) -> PendingWrite {
    let changes = found.changes
    let lease = lease(on: changes.ids(in: schema))
    defer { lease.end() }
    for type in changes.recordTypes { learnBase(of: changes, type, &known) }
    let staging = Staging()
    let body: @Sendable (inout Transaction) throws -> Void = { tx in try tx.reapply(changes) }
    let reserved = ReservedIDs()
    let queued = QueuedWrite(
      key: found.key, sent: mayBeMade ? changes : nil, isBasedOnOld: true)
    do {
      if let lack = try attempt(body, on: staging, reserved: reserved, updatesBlindly: false) {
        for ids in lack.needs {
          let refs = schema.type(ids.type).refs(of: ids)
          if let first = refs.first { throw KinshipError.notLoaded(first) }
        }
      }
      return show(step(staging), body, [], reserved, queued)
    } catch {
      let write = PendingWrite()
      offline?.givenUp.append((write, found.key, error))
      return write
    }
  }

  /// Takes what changes are based on for what the store has, unless earlier ones have said it.
  private func learnBase<R: GraphRecord>(
    of changes: ChangeSet, _ type: R.Type, _ known: inout Set<AnyRef>
  ) {
    for record in changes.updated(type).compactMap(\.old) + changes.deleted(type)
    where known.insert(AnyRef(record.ref)).inserted {
      // An id that could not be found again was refused when it was queued.
      try? put(record)
    }
    for record in changes.inserted(type) where known.insert(AnyRef(record.ref)).inserted {
      remove(record.ref)
    }
  }
}

extension GraphCache.Transaction {
  /// Makes the changes of a change set once more, on top of what there is now: what somebody else
  /// has changed of the same records stays.
  ///
  /// - Throws: What `apply` throws, where a record is there that should not be, or is not.
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
