extension GraphCache {
  /// Queues a write, and shows it once it is on the disk.
  ///
  /// - Parameters:
  ///   - staging: What its closure has staged at this moment.
  ///   - body: The closure.
  ///   - leases: What it has looked at.
  ///   - reserved: The ids of what it inserts.
  ///   - offline: The queue.
  /// - Returns: The write; `nil` if the closure must run again, for it lacks something by now.
  /// - Throws: What the closure throws, and what keeps the write from being queued.
  func queue(
    _ staging: Staging, _ body: @escaping @Sendable (inout Transaction) throws -> Void,
    _ leases: inout [Lease], _ reserved: ReservedIDs, in offline: OfflineState
  ) async throws -> PendingWrite? {
    var seen = moment
    let turn = try await offline.turns.take()
    defer { offline.turns.pass(turn) }
    let log = offline.queue.log
    var patience = Patience()
    if seen != moment {
      begin(staging, &patience)
      if try attempt(body, on: staging, reserved: reserved, updatesBlindly: false) != nil {
        return nil
      }
      seen = moment
    }
    // Others may have queued meanwhile.
    if pending.count >= Self.maxPendingWrites {
      throw KinshipError.queueIsFull(limit: Self.maxPendingWrites)
    }
    seal(staging)
    var step = step(staging)
    let key = ChangeKey()
    do {
      try requireUnique(step.changes)
      if step.changes.isEmpty {
        step.lease.end()
        return try show(staging, body, leases, reserved)
      }
      try await log.append(step.changes, key)
    } catch {
      step.lease.end()
      throw error
    }
    let isAsQueued = seen == moment
    if !isAsQueued {
      step.lease.end()
      do {
        begin(staging, &patience)
        while let lack = try attempt(
          body, on: staging, reserved: reserved, updatesBlindly: false)
        {
          leases += try await fulfil(lack, staging, &patience)
          begin(staging, &patience)
        }
        seal(staging)
        step = self.step(staging)
        do { try requireUnique(step.changes) } catch {
          step.lease.end()
          throw error
        }
      } catch {
        try await log.settle([key])
        throw error
      }
    }
    let queued = QueuedWrite(key: key, sent: nil, isBasedOnOld: false)
    let write = show(step, body, leases, reserved, queued)
    // What fails here is done before the write is sent.
    if !isAsQueued {
      try? await log.settle([], restating: [.init(key: key, changes: step.changes)])
    }
    return write
  }

  /// What tells whether anything was written since.
  private var moment: [UInt64] {
    state.withLock { [$0.map.version, $0.map.forgettings, $0.map.commits] }
  }

  // MARK: Sending

  /// Sends what is queued before a transaction, if it is known that the store was out of reach.
  ///
  /// - Throws: Why it still is: the transaction must not overtake what came before it.
  func sendQueued(before turn: TurnQueue.Ticket) async throws {
    guard offline?.outage != nil, let first = pending.first, first.turn.number < turn.number else {
      return
    }
    // No cancellation of the transaction cancels what others have written.
    try await Task(executorPreference: executor) { try await self.sendQueued(through: turn) }.value
  }

  /// Sends what is queued in a task that is nobody's to cancel.
  func sendInBackground(_ turn: TurnQueue.Ticket) async throws {
    try await Task(executorPreference: executor) {
      let outcome = Lock<Result<Void, any Error>>(.success(()))
      await self.workingInBackground(turn) {
        try? await self.turns.wait(for: turn)
        do { try await self.sendQueued(through: turn) } catch {
          outcome.withLock { $0 = .failure(error) }
        }
        await self.passTurn(turn)
      }
      try outcome.withLock { $0 }.get()
    }.value
  }

  /// Has the store make what is queued, one write after another, up to a place in the line; to be
  /// called in turn.
  ///
  /// - Throws: Why the store cannot be reached, or the queue not be written: then the rest stays
  ///   pending, and is sent after some time.
  func sendQueued(through turn: TurnQueue.Ticket) async throws {
    do {
      while let first = pending.first, first.turn.number <= turn.number {
        try await sendFirst()
      }
      if offline?.outage != nil, pending.isEmpty { offline?.noteReached() }
    } catch {
      noteOutage(error)
      throw error
    }
  }

  private func sendFirst() async throws {
    while needsAnew {
      if let outage = await makeAnew() { throw outage }
    }
    guard let store, let queue = offline?.queue, let id = pending.first?.id,
      let queued = pending.first?.queued
    else { return }
    if queued.sent == nil, let step = pending.first?.step {
      try await queue.log.settle([], restating: [.init(key: queued.key, changes: step.changes)])
      // What was written meanwhile may have made it anew.
      if needsAnew || pending.first?.step.staging !== step.staging { return }
    }
    guard let changes = queued.sent ?? pending.first?.step.changes else { return }
    pending[0].isBeingMade = true
    pending[0].queued?.sent = changes
    var keyed = changes
    keyed.key = queued.key
    do {
      try await apply(keyed, to: store)
    } catch {
      if isOutage(error) {
        pending[0].isBeingMade = false
        if isRefusal(error, of: store) {
          pending[0].queued?.sent = queued.sent
        } else {
          pending[0].queued?.isBasedOnOld = true
        }
        throw error
      }
      await makeAnew(without: (id, error))
      if queued.isBasedOnOld { invalidate(changes) }
      offline?.noteReached()
      return
    }
    // What cannot be noted now is noted with the next step.
    try? await queue.log.settle([queued.key])
    commitPending(id, changes)
    offline?.noteReached()
  }

  /// Tries again after some time, longer with each outage in a row.
  private func noteOutage(_ error: any Error) {
    guard var offline else { return }
    offline.outage = error
    offline.alarm?.cancel()
    defer { self.offline = offline }
    if case KinshipError.closed = error { return }
    let delay = offline.delay
    offline.delay = min(delay * 2, offline.queue.delays.longest)
    // Whatever the outage was found in does not wait for what comes of it later.
    offline.alarm = CallPath.$current.withValue([]) {
      startAlarm(after: delay) { [weak self] in try? await self?.sendQueuedWrites() }
    }
  }

  /// Whether an error means that the store was out of reach: one that takes too long is.
  func isOutage(_ error: any Error) -> Bool {
    guard offline != nil, let store else { return false }
    switch error {
    case KinshipError.deadlineExceeded: return true
    case KinshipError.commitFailed(let cause), KinshipError.fetchFailed(_, _, let cause):
      return store.isOutage(cause)
    default: return store.isOutage(error)
    }
  }

  /// Tells of writes that were given up, once they have left the queue, and notes in it what the
  /// others have become without them.
  func settleGivenUp() async {
    guard let offline, offline.owesFile else { return }
    // What must be made anew is written then: what is staged of it may say too little.
    self.offline?.isOutdated = needsAnew
    self.offline?.givenUp = []
    let others = (needsAnew ? [] : pending).compactMap { entry in
      entry.queued.flatMap { queued in
        queued.sent == nil
          ? OfflineLog.Found(key: queued.key, changes: entry.step.changes) : nil
      }
    }
    // What cannot be noted now is noted with the next step.
    try? await offline.queue.log.settle(offline.givenUp.map(\.key), restating: others)
    for entry in offline.givenUp { entry.write.settle(.failure(entry.error)) }
  }
}
