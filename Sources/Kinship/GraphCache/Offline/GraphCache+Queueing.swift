extension GraphCache {
  /// Queues a write, and shows it once it is on disk.
  ///
  /// - Parameters:
  ///   - staging: The changes that its closure has staged.
  ///   - body: The closure.
  ///   - leases: Leases on the records that it has read.
  ///   - reserved: The ids of the records that it inserts.
  ///   - offline: The queue.
  /// - Returns: The write; `nil` if the closure must run again, because it now lacks data.
  /// - Throws: Any error that the closure throws, and the reason why the write cannot be queued.
  func queue(
    _ staging: Staging, _ body: @escaping @Sendable (inout Transaction) throws -> Void,
    _ leases: inout [Lease], _ reserved: ReservedIDs, in offline: OfflineState
  ) async throws -> PendingWrite? {
    var seen = moment
    let turn = try await offline.turns.waitForTurn()
    defer { offline.turns.pass(turn) }
    let log = offline.queue.log
    var rerunBudget = RerunBudget()
    if seen != moment {
      resetStaging(staging, &rerunBudget)
      if try attempt(body, on: staging, reserved: reserved, updatesBlindly: false) != nil {
        return nil
      }
      seen = moment
    }
    // Others may have queued writes meanwhile.
    if pending.count >= Self.maxPendingWrites {
      throw KinshipError.queueIsFull(limit: Self.maxPendingWrites)
    }
    var step = try sealedStep(staging)
    if let write = committedAtOnce(step) { return write }
    let key = ChangeKey()
    try await log.append(step.changes, key)
    let isAsQueued = seen == moment
    if !isAsQueued {
      do {
        resetStaging(staging, &rerunBudget)
        while let missing = try attempt(
          body, on: staging, reserved: reserved, updatesBlindly: false)
        {
          leases += try await loadMissing(missing, staging, reserved, &rerunBudget)
          resetStaging(staging, &rerunBudget)
        }
        step = try sealedStep(staging)
      } catch {
        try await log.settle([key])
        throw error
      }
    }
    let write = addPendingWrite(step, body, leases, reserved, key: key)
    // If this fails, it is done before the write is sent.
    if !isAsQueued {
      try? await log.settle([], restating: [.init(key: key, changes: step.changes)])
    }
    return write
  }

  /// A value that changes with every write.
  private var moment: [UInt64] {
    state.withLock { [$0.map.version, $0.map.invalidations, $0.map.commits] }
  }

  // MARK: Sending

  /// Sends queued writes before a transaction, if the store is known to be unreachable.
  ///
  /// - Throws: The reason why it still is: the transaction must not overtake the earlier writes.
  func sendQueued(before turn: TurnQueue.Ticket) async throws {
    guard offline?.outage != nil, let first = pending.first, first.turn.number < turn.number else {
      return
    }
    // Cancelling the transaction must not cancel the writes of others.
    try await Task(executorPreference: executor) { try await self.send(through: turn) }.value
  }

  /// Sends queued writes in a task that no caller can cancel.
  func sendInBackground(_ turn: TurnQueue.Ticket) async throws {
    try await Task(executorPreference: executor) {
      let outcome = Lock<Result<Void, any Error>>(.success(()))
      await self.workingInBackground(turn) {
        try? await self.turns.wait(for: turn)
        do { try await self.send(through: turn) } catch {
          outcome.withLock { $0 = .failure(error) }
        }
        await self.passTurn(turn)
      }
      try outcome.withLock { $0 }.get()
    }.value
  }

  /// Schedules a retry; the delay grows with each outage in a row.
  func scheduleRetry(_ error: any Error) {
    guard var offline else { return }
    offline.outage = error
    offline.alarm?.cancel()
    defer { self.offline = offline }
    if case KinshipError.misuse(.closed) = error { return }
    let delay = offline.delay
    offline.delay = min(delay * 2, offline.queue.delays.longest)
    // The task that found the outage does not wait for the retry.
    offline.alarm = CallPath.$current.withValue([]) {
      startAlarm(after: delay) { [weak self] in try? await self?.sendQueuedWrites() }
    }
  }

  /// Returns whether an error means that the store was unreachable, which includes exceeded
  /// deadlines.
  func isOutage(_ error: any Error) -> Bool {
    guard offline != nil, let store else { return false }
    switch error {
    case KinshipError.deadlineExceeded: return true
    case KinshipError.commitFailed(let cause), KinshipError.fetchFailed(_, _, let cause):
      return store.isOutage(cause)
    default: return store.isOutage(error)
    }
  }

  /// Reports abandoned writes once they have left the queue, and records in it how the others have
  /// changed.
  func settleAbandoned() async {
    guard let offline, offline.mustRewriteFile else { return }
    // Writes to be re-run are recorded after that: their staged changes may be incomplete.
    self.offline?.isOutdated = needsRerun
    self.offline?.abandoned = []
    let others = (needsRerun ? [] : pending).filter { $0.sent == nil }.compactMap { entry in
      entry.key.map { OfflineLog.Found(key: $0, changes: entry.step.changes) }
    }
    // If this cannot be recorded now, the next step records it.
    try? await offline.queue.log.settle(offline.abandoned.map(\.key), restating: others)
    for entry in offline.abandoned { entry.write.settle(.failure(entry.error)) }
  }
}
