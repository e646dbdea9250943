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
  ///   - preloads: The data to load before the transaction begins.
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
    var rerunBudget = RerunBudget()
    let reserved = takeSpareIDs()
    defer { keepSpareIDs(of: reserved) }
    while true {
      while let first = pending.first, pending.count >= Self.maxPendingWrites {
        if offline != nil { throw KinshipError.queueIsFull(limit: Self.maxPendingWrites) }
        try await first.write.untilSettled()
        try Task.checkCancellation()
      }
      try Task.checkCancellation()
      // There is no await between the closure and the end, unless the write is queued, so the write
      // applies to the values that the closure read.
      resetStaging(staging, &rerunBudget)
      if let missing = try attempt(body, on: staging, reserved: reserved, updatesBlindly: false) {
        leases += try await loadMissing(missing, staging, reserved, &rerunBudget)
        continue
      }
      guard let offline else {
        let step = try sealedStep(staging)
        return committedAtOnce(step) ?? addPendingWrite(step, body, leases, reserved)
      }
      if let write = try await queue(staging, body, &leases, reserved, in: offline) {
        return write
      }
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

  /// Returns the changes that a write's closure has staged, once it has ended.
  ///
  /// - Throws: `KinshipError.notUnique`.
  func sealedStep(_ staging: Staging) throws(KinshipError) -> PendingEntry.Step {
    seal(staging)
    let step = step(staging)
    try requireUnique(step.changes)
    return step
  }

  /// Commits changes to memory, if there is nothing to commit to a store.
  ///
  /// - Returns: The settled write; `nil` if there is.
  func committedAtOnce(_ step: PendingEntry.Step) -> PendingWrite? {
    if store != nil, !step.changes.isEmpty { return nil }
    let write = PendingWrite()
    applyToMemory(step.changes, step.staging, isLate: false)
    write.settle(.success(step.changes))
    return write
  }

  /// Makes changes visible, and commits them when it is their turn.
  ///
  /// - Parameters:
  ///   - step: The changes.
  ///   - body: The closure that has made them.
  ///   - leases: Leases on the records that it has read.
  ///   - reserved: The ids of the records that it inserts.
  ///   - key: The write's key in the queue, if there is a queue.
  ///   - sent: The changes as an earlier run of the program may have sent them.
  ///   - isBasedOnOld: Whether its base values may be old.
  /// - Returns: The pending write.
  func addPendingWrite(
    _ step: PendingEntry.Step, _ body: @escaping @Sendable (inout Transaction) throws -> Void,
    _ leases: [Lease], _ reserved: ReservedIDs, key: ChangeKey? = nil, sent: ChangeSet? = nil,
    isBasedOnOld: Bool = false
  ) -> PendingWrite {
    let write = PendingWrite()
    let turn = reserveTurn()
    write.isMade(by: self, turn)
    pending.append(
      PendingEntry(
        write: write, turn: turn, body: body, leases: leases, reserved: reserved, step: step,
        key: key, sent: sent, isBasedOnOld: isBasedOnOld))
    for entry in step.staging.tables { state.withLock { entry.table.reserve(in: &$0.map) } }
    beginApplying(of: step.staging)
    inChunks(step.staging) { $0.show($1, in: &$2) }
    let shown = step.staging.tables.map { $0.table.stagedIDs }
    state.withLock { state in
      state.endApplying()
      state.pendingWrites += 1
      let outcome = state.publishShown(shown)
      return state.effects(of: outcome)
    }.perform()
    Task(executorPreference: executor) {
      await self.workingInBackground(turn) { await self.commitInTurn(turn) }
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
    let known = earlier.flatMap { $0.staging.hasSameIDs(as: staging) ? $0.lease : nil }
    return PendingEntry.Step(
      staging: staging, changes: changes(in: staging),
      lease: known ?? lease(on: staging.tables.map { $0.table.stagedIDs }.filter { !$0.isEmpty }))
  }

  // MARK: Committing

  /// Commits a pending write when it is its turn.
  private func commitInTurn(_ turn: TurnQueue.Ticket) async {
    // No caller can cancel the task.
    try? await turns.wait(for: turn)
    defer { passTurn(turn) }
    // The retry after an outage sends this write as well.
    if offline?.outage == nil { try? await send(through: turn) }
  }

  /// Commits pending writes one after another, up to a place in the queue; call it in turn.
  ///
  /// - Throws: The reason why the store is unreachable, or the queue cannot be written. Then the
  ///   rest stays pending, and is sent later.
  func send(through turn: TurnQueue.Ticket) async throws {
    do {
      while let first = pending.first, first.turn.number <= turn.number {
        try await sendFirst()
      }
      if offline?.outage != nil, pending.isEmpty { offline?.endOutage() }
    } catch {
      scheduleRetry(error)
      throw error
    }
  }

  private func sendFirst() async throws {
    while needsRerun {
      if let outage = await rerunPendingWrites() { throw outage }
    }
    guard let store, let entry = pending.first else { return }
    let log = offline?.queue.log
    if let key = entry.key, entry.sent == nil {
      try await log?.settle([], restating: [.init(key: key, changes: entry.step.changes)])
      // A write made meanwhile may have re-run it.
      if needsRerun || pending.first?.step.staging !== entry.step.staging { return }
    }
    let changes = entry.sent ?? entry.step.changes
    pending[0].sent = changes
    var keyed = changes
    keyed.key = entry.key
    do {
      try await apply(keyed, to: store)
    } catch {
      if isOutage(error) {
        if isRefusal(error, of: store) {
          pending[0].sent = entry.sent
        } else {
          pending[0].isBasedOnOld = true
        }
        throw error
      }
      await rerunPendingWrites(without: (entry.id, error))
      if entry.isBasedOnOld { invalidate(changed: [.records(changes.refs)]) }
      offline?.endOutage()
      return
    }
    // If this cannot be recorded now, the next step records it.
    if let key = entry.key { try? await log?.settle([key]) }
    commitFirst(changes)
    offline?.endOutage()
  }

  /// Marks the first pending write as committed, because the store has committed its changes.
  private func commitFirst(_ changes: ChangeSet) {
    let entry = pending.removeFirst()
    commit(entry)
    let reports = changes.notes.reports(StoreReport.self)
    var made = entry.step.changes
    if restage(changes, in: entry.step.staging) {
      made = self.changes(in: entry.step.staging)
      // The shown values are those that were staged.
      for report in reports { changes.notes.report(report) }
    }
    unblockLoads()
    dropInvalidatedDuringCommit(over: changes)
    if entry.isBasedOnOld { invalidate(changed: [.records(changes.refs)]) }
    entry.endLeases()
    // A queued write may have been re-run since it was sent.
    entry.write.settle(.success(entry.key == nil ? made : entry.sent ?? made))
  }

  private func commit(_ entry: PendingEntry) {
    state.withLock { state in
      state.map.commits += 1
      state.pendingWrites -= 1
    }
    // In chunks, so that `peek` never waits for long; the shown values do not change.
    entry.step.staging.forEachChunk { table, range in
      state.withLock { state in
        let outcome = state.commitPending(table, range, schema)
        return state.effects(of: outcome)
      }.perform()
    }
  }
}
