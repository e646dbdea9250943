extension GraphCache {
  /// Makes changes visible at once, and has the backing store make them in the background.
  ///
  /// ```swift
  /// let pending = try await cache.writeOptimistically { tx in
  ///   try tx.update(ref, \.name, to: "Bertie")
  /// }
  /// show(cache.peek(ref)?.name)
  /// try await pending.outcome()
  /// ```
  ///
  /// The store makes such writes, and the transactions of ``write(loading:retries:body:)``, in the
  /// order in which they came. A transaction does not see what is shown and comes after it in that
  /// order: it is made on what the store has, and then what is shown is made anew on top of it. If
  /// the store refuses a write, that one is taken back and those after it are made anew without it,
  /// in one step. What is put, removed or invalidated meanwhile is said of what the store has, and
  /// what is shown follows. What is pending is not evicted.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - body: What to do. It must do nothing but read and change records: it may run more than
  ///     once, and again when an earlier write is refused.
  /// - Returns: The pending write; without a backing store it has been made.
  /// - Throws: What the closure throws, as it is, and what loading throws; then nothing has
  ///   changed.
  /// - Complexity: O(*n*) in the changes, on average; a refusal O(*n*) in those of all that are
  ///   pending. At most ``maxPendingWrites`` are pending: one more waits until the first is
  ///   settled;
  ///   with an ``OfflineQueue`` it throws `KinshipError.queueIsFull`.
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
      // Between the closure and the end nothing is awaited: what it saw is what it changes.
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

  /// The largest number of writes that are shown and not yet made by the store.
  public static var maxPendingWrites: Int { 1024 }

  /// Whether a record shows a change that the backing store has not made yet.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: Whether a write of it is pending.
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

  /// Makes changes visible and has the store make them when it is their turn.
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

  /// What a write has changed, kept in memory.
  ///
  /// - Parameters:
  ///   - staging: The changes.
  ///   - earlier: What it had changed before, on top of something else: most often the same
  ///     records, which are kept in memory already.
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

  /// Has the store make a pending write once it is its turn.
  private func makePending(_ id: UInt64, _ turn: TurnQueue.Ticket) async {
    // The task is nobody's to cancel.
    try? await turns.wait(for: turn)
    defer { passTurn(turn) }
    if offline != nil {
      // Who tries again after an outage sends this as well.
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

  /// Takes a pending write for committed: the store has made its changes.
  func commitPending(_ id: UInt64, _ changes: ChangeSet) {
    let entry = pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
    if let entry { commit(entry) }
    let reports = changes.notes.reports(StoreReport.self)
    var made = entry?.step.changes
    if let staging = entry?.step.staging, restage(changes, in: staging) {
      made = self.changes(in: staging)
      // What is shown is what was handed in.
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
    // In chunks, so that `peek` never waits for long: what is shown stays as it is.
    entry.step.staging.forEachChunk(of: Chunk.small) { table, range in
      state.withLock { state in
        let outcome = state.commitPending(table, range, schema)
        return state.effects(of: outcome)
      }.perform()
    }
  }
}
