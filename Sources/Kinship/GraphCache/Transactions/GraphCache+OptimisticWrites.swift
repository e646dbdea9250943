extension GraphCache {
  /// Makes changes visible at once, and commits them to the backing store in the background.
  ///
  /// ```swift
  /// let pending = try await cache.writeOptimistically { tx in
  ///   try tx.update(ref, \.name, to: "Bertie")
  /// }
  /// show(cache.peek(ref)?.name)
  /// try await pending.outcome()
  /// ```
  ///
  /// The store commits optimistic writes and the transactions of ``write(loading:retries:body:)``
  /// in the order in which they were made. A transaction does not see pending writes that come
  /// after it in that order: it runs on the committed values, and the pending writes are then
  /// re-run on top of it. If the store rejects a write, that write is rolled back and the later
  /// ones are re-run without it, in one step. If a record is put, removed or invalidated meanwhile,
  /// that changes the committed value, and the pending writes are re-run on it. Records with
  /// pending writes are not evicted.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - body: The closure. It must do nothing but read and change records: it may run more than
  ///     once, and again if an earlier write is rejected.
  /// - Returns: The pending write; without a backing store it is already committed.
  /// - Throws: Any error that the closure throws, unchanged, and any error of loading; then nothing
  ///   has changed.
  /// - Complexity: O(*n*) in the changes, on average; a rejection costs O(*n*) in the changes of
  ///   all pending writes. At most ``maxPendingWrites`` are pending: one more waits until the first
  ///   is settled, or, with an ``OfflineQueue``, throws `KinshipError.queueIsFull`.
  @discardableResult
  public func writeOptimistically(
    loading preloads: Preload..., body: @escaping @Sendable (inout Transaction) throws -> Void
  ) async throws -> PendingWrite {
    var leases: [Lease] = []
    for preload in preloads { leases += try await preload.load(self) }
    let staging = Staging()
    var patience = Patience()
    let reserved = takeSpareIDs() ?? ReservedIDs()
    defer { keepSpareIDs(of: reserved) }
    while true {
      while let first = pending.first, pending.count >= Self.maxPendingWrites {
        if offline != nil { throw KinshipError.queueIsFull(limit: Self.maxPendingWrites) }
        try await first.write.untilSettled()
        try Task.checkCancellation()
      }
      try Task.checkCancellation()
      // There is no await between the closure and the end, so the writes apply to the values that
      // the closure read.
      begin(staging, &patience)
      guard
        let lack = try attempt(body, on: staging, reserved: reserved, updatesBlindly: false)
      else {
        guard let offline else { return try show(staging, body, leases, reserved) }
        if let write = try await queue(staging, body, &leases, reserved, in: offline) {
          return write
        }
        continue
      }
      leases += try await fulfil(lack, staging, &patience)
    }
  }

  /// The largest number of pending writes: shown, and not yet committed by the store.
  public static var maxPendingWrites: Int { 1024 }

  /// Returns whether a record has a change that the backing store has not committed yet.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: Whether a write to the record is pending.
  /// - Complexity: O(1) on average.
  public nonisolated func isPending<R: GraphRecord>(_ ref: Ref<R>) -> Bool {
    state.withLock { state in
      guard let table = state.map.table(R.self) else { return false }
      return state.map.isPending(ref.id, in: table)
    }
  }

  /// Makes changes visible and queues them for the store.
  func show(
    _ staging: Staging, _ body: @escaping @Sendable (inout Transaction) throws -> Void,
    _ leases: [Lease], _ reserved: ReservedIDs
  ) throws(KinshipError) -> PendingWrite {
    seal(staging)
    let step = step(staging)
    try requireUnique(step.changes)
    if step.changes.isEmpty || store == nil {
      let write = PendingWrite()
      takeOver(step.changes, staging, isLate: false)
      write.settle(.success(step.changes))
      return write
    }
    return show(step, body, leases, reserved, nil)
  }

  /// Makes changes visible, and commits them when it is their turn.
  func show(
    _ step: PendingEntry.Step, _ body: @escaping @Sendable (inout Transaction) throws -> Void,
    _ leases: [Lease], _ reserved: ReservedIDs, _ queued: QueuedWrite?
  ) -> PendingWrite {
    let write = PendingWrite()
    let turn = reserveTurn()
    write.isMade(by: self, turn)
    lastPending += 1
    let id = lastPending
    pending.append(
      PendingEntry(
        id: id, write: write, turn: turn, body: body, leases: leases, reserved: reserved,
        step: step, queued: queued))
    for entry in step.staging.tables { state.withLock { entry.table.reserve(in: &$0.map) } }
    arrive(step.staging, inChunksOf: Chunk.small) { table, range, map in
      table.show(range, in: &map)
    }
    let shown = step.staging.tables.map { $0.table.stagedIDs }
    state.withLock { state in
      state.endArrival()
      state.pendingWrites += 1
      let outcome = state.noteShown(shown)
      return state.effects(of: outcome)
    }.perform()
    Task(executorPreference: executor) {
      await self.workingInBackground(turn) { await self.makePending(id, turn) }
    }
    return write
  }

  /// Returns a write's changes, with a lease on their records.
  ///
  /// - Parameters:
  ///   - staging: The changes.
  ///   - earlier: The write's previous changes, on another base: mostly the same records, which are
  ///     leased already.
  /// - Returns: The step.
  func step(_ staging: Staging, insteadOf earlier: PendingEntry.Step? = nil) -> PendingEntry.Step {
    if let earlier, earlier.staging.hasSameIDs(as: staging) {
      return PendingEntry.Step(
        staging: staging, changes: changes(in: staging), lease: earlier.lease)
    }
    return PendingEntry.Step(
      staging: staging, changes: changes(in: staging),
      lease: lease(on: staging.tables.map { $0.table.stagedIDs }.filter { !$0.isEmpty }))
  }

  /// Commits a pending write to the store when it is its turn.
  private func makePending(_ id: UInt64, _ turn: TurnQueue.Ticket) async {
    // No caller can cancel the task.
    try? await turns.wait(for: turn)
    defer { passTurn(turn) }
    if offline != nil {
      // The retry after an outage sends this write as well.
      if offline?.outage == nil { try? await sendQueued(through: turn) }
      return
    }
    while needsAnew { await makeAnew() }
    guard let store, let index = pending.firstIndex(where: { $0.id == id }) else { return }
    pending[index].isBeingMade = true
    let changes = pending[index].step.changes
    do {
      try await apply(changes, to: store)
      commitPending(id, changes)
    } catch {
      await makeAnew(without: (id, error))
    }
  }

  /// Marks a pending write as committed, because the store has made its changes.
  func commitPending(_ id: UInt64, _ changes: ChangeSet) {
    let entry = pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
    if let entry { commit(entry) }
    let reports = changes.notes.reports(StoreReport.self)
    var made = entry?.step.changes
    if let staging = entry?.step.staging, restage(changes, in: staging) {
      made = self.changes(in: staging)
      // The shown values are those that were staged.
      for report in reports { changes.notes.report(report) }
    }
    release()
    endDisputes(over: changes)
    guard let entry else { return }
    if entry.queued?.isBasedOnOld == true { invalidate(changes) }
    entry.endLeases()
    entry.write.settle(.success(entry.queued?.sent ?? made ?? entry.step.changes))
  }

  private func commit(_ entry: PendingEntry) {
    state.withLock { state in
      state.map.commits += 1
      state.pendingWrites -= 1
    }
    // In chunks, so that `peek` never waits for long; the shown values do not change.
    entry.step.staging.forEachChunk(of: Chunk.small) { table, range in
      state.withLock { state in
        let outcome = state.commitPending(table, range, schema)
        return state.effects(of: outcome)
      }.perform()
    }
  }
}
