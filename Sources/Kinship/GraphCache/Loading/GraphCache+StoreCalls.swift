/// Deadlines of the backing store.
extension GraphCache {
  /// Asks the backing store for anything that is not fetched by ids.
  ///
  /// The answer, a deadline or a cancellation ends the wait, whichever comes first. A later answer
  /// is discarded.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - failure: Converts the store's error.
  ///   - body: Asks the store.
  /// - Returns: The answer.
  /// - Throws: `CancellationError` if the task is cancelled, and otherwise only errors from
  ///   `failure`.
  func read<Answer: Sendable>(
    _ call: @escaping @Sendable () -> CacheCall, failure: (any Error) -> KinshipError,
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    try await callStore(call, failure) {
      try await working(as: call) {
        try await answer(call, deadlines.fetch, leavesWhenCancelled: true, body) {}
      }
    }
  }

  /// Commits changes to the backing store.
  ///
  /// If the commit exceeds its deadline, its outcome is unknown: once it has ended, the records
  /// concerned are reloaded.
  ///
  /// - Throws: `KinshipError.deadlineExceeded`, `.commitFailed` with the cause, the store's own
  ///   errors of type `KinshipError`, unchanged, and the `CancellationError` of a cancelled task.
  func make(_ changes: ChangeSet, in store: any BackingStore) async throws {
    let call: @Sendable () -> CacheCall = { .apply(changes.refs) }
    try await callStore(call, { $0 as? KinshipError ?? .commitFailed(cause: $0) }) {
      // The write does nothing else meanwhile, so it need not be another activity.
      let path = CallPath.current
      let write = state.withLock { $0.waits.restate(path, call) }
      defer {
        if let write { _ = state.withLock { $0.waits.restate([write.id], write.call) } }
      }
      guard let deadline = deadlines.commit else { return try await store.apply(changes) }
      return try await answer(
        call, deadline, leavesWhenCancelled: false, { try await store.apply(changes) },
        late: { await self.invalidate(changed: [.records(changes.refs)]) })
    }
  }

  /// Calls the store within an activity, so that waits for it can be detected.
  ///
  /// A `CancellationError` without a cancellation counts as any other failure.
  private func callStore<Answer: Sendable>(
    _ call: @escaping @Sendable () -> CacheCall, _ failure: (any Error) -> KinshipError,
    _ body: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await traced(CacheWork(of: call()), body)
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch {
      throw failure(error)
    }
  }

  /// Waits for the answer to a call, until a deadline at most.
  private func answer<Answer: Sendable>(
    _ call: @escaping @Sendable () -> CacheCall, _ deadline: Duration?, leavesWhenCancelled: Bool,
    _ body: @escaping @Sendable () async throws -> Answer,
    late: @escaping @Sendable () async -> Void
  ) async throws -> Answer {
    let first = Promise<Answer>()
    let work = Task(executorPreference: executor) {
      let result: Result<Answer, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      if !first.resolve(result) { await late() }
    }
    let alarm = deadline.map { deadline in
      startAlarm(after: deadline) {
        let error = KinshipError.deadlineExceeded(call(), deadline)
        if first.resolve(.failure(error)) { work.cancel() }
      }
    }
    defer { alarm?.cancel() }
    return try await first.value {
      work.cancel()
      if leavesWhenCancelled { first.resolve(.failure(CancellationError())) }
    }
  }

  /// Starts a task that does something after a delay, unless it is cancelled before.
  package func startAlarm(
    after duration: Duration, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { [clock] in
      do { try await clock.sleep(for: duration) } catch { return }
      await body()
    }
  }
}

/// Activities that wait for each other.
extension GraphCache {
  /// Runs something as an activity, so that its waits are known.
  nonisolated(nonsending) func working<Value>(
    as call: @escaping @Sendable () -> CacheCall,
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let (activity, path) = (CallPath.next(), CallPath.current)
    state.withLock { $0.waits.begin(activity, in: path, call) }
    defer { state.withLock { $0.waits.end(activity) } }
    return try await CallPath.$current.withValue(path + [activity], operation: body)
  }

  /// Runs a transaction, at once if it need not wait, or else as an activity.
  func write(
    _ preloads: [Preload], retries: Int, updatesBlindly: Bool,
    _ body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    if preloads.isEmpty, let changes = try writeAtOnce(updatesBlindly, body) { return changes }
    return try await traced(CacheWork(.write)) {
      try await working(as: { .write }) {
        try await transact(
          preloads, retries: retries, updatesBlindly: updatesBlindly, body)
      }
    }
  }

  /// Runs something between two transactions, so that no transaction runs meanwhile.
  func inTurn<Value>(
    of call: @autoclosure @escaping @Sendable () -> CacheCall, _ body: () async throws -> Value
  ) async throws -> Value {
    try await working(as: call) {
      let turn = try await takeTurn()
      defer { passTurn(turn) }
      return try await body()
    }
  }

  // MARK: Turns

  /// Takes the next place in the transaction queue and waits for the turn.
  ///
  /// - Throws: `CancellationError` at once if the task is cancelled, and
  ///   `KinshipError.misuse(.waitsForItself)`.
  func takeTurn() async throws -> TurnQueue.Ticket {
    let ticket = turns.reserve()
    let path = CallPath.current
    let error = state.withLock { state -> KinshipError? in
      guard let activity = state.waits.innermost(of: path) else { return nil }
      state.waits.assignTicket(ticket.number, for: activity)
      // No one waits yet for an activity that is not within another.
      guard state.waits.isWithinAnother(activity), state.isStuck(activity) else { return nil }
      return state.waitsForItself(.write, activity)
    }
    do {
      if let error { throw error }
      try Task.checkCancellation()
      if recorder != nil || !turns.hasTurn(ticket) {
        try await traced(CacheWork(.turn)) { try await turns.wait(for: ticket) }
      }
    } catch {
      passTurn(ticket)
      throw error
    }
    return ticket
  }

  /// Takes the next place in the queue for a write to be committed in the background.
  func reserveTurn() -> TurnQueue.Ticket {
    let ticket = turns.reserve()
    let activity = CallPath.next()
    state.withLock { state in
      state.waits.begin(activity, in: []) { .write }
      state.waits.assignTicket(ticket.number, for: activity)
    }
    return ticket
  }

  /// Runs the work of a reserved place in the queue.
  func workingInBackground(
    _ ticket: TurnQueue.Ticket, _ body: @Sendable () async -> Void
  ) async {
    let activity = state.withLock { $0.waits.holder(of: ticket.number) }
    await CallPath.$current.withValue(activity.map { [$0] } ?? [], operation: body)
    if let activity { state.withLock { $0.waits.end(activity) } }
  }

  /// Gives up a place in the queue; giving up the first place ends its turn.
  func passTurn(_ ticket: TurnQueue.Ticket) {
    state.withLock { $0.waits.leave(ticket.number) }
    turns.pass(ticket)
  }

  // MARK: Waits that could be for the caller itself

  /// Runs a closure that waits for an activity, unless it would wait forever.
  ///
  /// - Throws: `KinshipError.misuse(.waitsForItself)`, and the errors of the closure.
  nonisolated(nonsending) func waiting<Value>(
    for activity: WaitGraph.ActivityID, _ call: CacheCall,
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let path = CallPath.current
    if path.isEmpty { return try await body() }
    let (waiting, error) = state.withLock { state -> (WaitGraph.ActivityID?, KinshipError?) in
      guard let waiting = state.waits.innermost(of: path) else { return (nil, nil) }
      state.waits.add(.activity(activity), to: waiting)
      guard state.isStuck(waiting) else { return (waiting, nil) }
      let error = state.waitsForItself(call, waiting)
      state.waits.remove(.activity(activity), from: waiting)
      return (nil, error)
    }
    if let error { throw error }
    defer {
      if let waiting { state.withLock { $0.waits.remove(.activity(activity), from: waiting) } }
    }
    return try await body()
  }

  /// Throws if changes concern records whose fetch in progress waits for these changes.
  ///
  /// Otherwise the changes would cancel the fetch, which would start again, without end. Call it
  /// before the changed records are held.
  ///
  /// - Throws: `KinshipError.misuse(.waitsForItself)`.
  func refuseToAwaitItself(_ changes: ChangeSet) throws(KinshipError) {
    let path = CallPath.current
    if path.isEmpty { return }
    let error = state.withLock { state -> KinshipError? in
      guard state.loader.flightCount > 0, let writing = state.waits.innermost(of: path) else {
        return nil
      }
      for ids in changes.ids(in: schema) {
        for batch in state.loader.batches(of: ids, state.map) {
          guard let fetch = state.waits.fetch(of: batch), state.awaits(fetch, writing) else {
            continue
          }
          return state.waits.call(fetch).map {
            .misuse(.waitsForItself(.apply(changes.refs), within: $0))
          }
        }
      }
      return nil
    }
    if let error { throw error }
  }
}
