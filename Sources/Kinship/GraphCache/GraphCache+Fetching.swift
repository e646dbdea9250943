extension CacheState {
  /// Whether a task must be started that makes batches of what is asked for.
  mutating func mustGather() -> Bool {
    guard !isGathering, loader.backlogCount > 0 else { return false }
    isGathering = true
    return true
  }

  /// Makes a batch of what is asked for, unless that waits for what others are about to ask for.
  mutating func nextBatch() -> Loader.Batch? { isGathering ? nil : loader.nextBatch(map) }

  /// Ends a batch with what the store has answered.
  ///
  /// The task that has fetched it goes on with the next, unless nobody waited for it any longer: then the
  /// task is cancelled, or is about to be.
  mutating func end(
    _ batch: Loader.Batch, with answer: Result<any Sendable, any Error>
  ) -> (Effects, next: Loader.Batch?) {
    let fetch = fetches.removeValue(forKey: batch.id)
    let isAbandoned = loader.isAbandoned(batch.id)
    let outcome =
      switch answer {
      case .success(let records): complete(batch, with: records)
      case .failure(let error): fail(batch, cause: error)
      }
    let next = isAbandoned ? nil : nextBatch()
    if let next { fetches[next.id] = fetch }
    return (effects(of: outcome), next)
  }
}

extension GraphCache {
  /// Waits until claimed ids are in memory or known missing, or were so for a moment.
  ///
  /// - Throws: What the store threw, or `CancellationError`.
  func wait(for claims: [Claims]) async throws {
    try await wait(for: claims, as: state.withLock { $0.loader.nextWaiter() })
  }

  /// Waits as the waiter with a number; one that bears failures goes on without what cannot be loaded.
  func wait(
    for claims: [Claims], as waiter: Loader.WaiterID, bearingFailures bears: Bool = false
  ) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Start: Sendable { case ready, cancelled, unstable(Int), waiting(mustGather: Bool) }
        let start = state.withLock { state -> Start in
          // Cancelled before it waits: the handler has run already and found no one.
          if Task.isCancelled { return .cancelled }
          if let claim = state.map.firstUnstable(of: claims) { return .unstable(claim.type) }
          guard
            state.loader.request(claims, for: waiter, bearsFailures: bears, &state.map)
          else { return .ready }
          state.continuations[waiter] = continuation
          return .waiting(mustGather: state.mustGather())
        }
        switch start {
        case .ready: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .unstable(let type):
          let name = schema.entries[type].type.recordName
          continuation.resume(throwing: KinshipError.unstableID(type: name))
        case .waiting(let mustGather): if mustGather { gather() }
        }
      }
    } onCancel: {
      cancel(waiter)
    }
  }

  private nonisolated func cancel(_ waiter: Loader.WaiterID) {
    state.withLock { state in
      let (wasWaiting, abandoned) = state.loader.leave(waiter, &state.map)
      return state.effects(
        of: Loader.Outcome(
          failed: wasWaiting ? [(waiter, CancellationError())] : [], abandoned: abandoned))
    }.perform()
  }

  /// Starts a task that makes batches once everybody has asked who was about to.
  nonisolated func gather() {
    Task(executorPreference: executor) { await self.fetchBacklog() }
  }

  private func fetchBacklog() async {
    // Callers that are ready to run get their turn first, so that what is asked for at one moment
    // goes into one batch: a few turns without a new request end the moment. Under requests that never
    // cease, so does a limit.
    var size = 0
    var turns = 0
    var quietTurns = 0
    while quietTurns < 3, turns < 100 {
      await Task.yield()
      let now = state.withLock { $0.loader.backlogCount }
      turns += 1
      quietTurns = now == size ? quietTurns + 1 : 0
      size = now
    }
    state.withLock { $0.isGathering = false }
    startBatches()
  }

  private func startBatches() {
    guard let store else { return }
    while let batch = state.withLock({ $0.nextBatch() }) {
      let fetch = Task(executorPreference: executor) { await self.run(batch, on: store) }
      state.withLock { $0.fetches[batch.id] = fetch }
    }
  }

  /// Fetches a batch, and what its answer leads to.
  private func run(_ first: Loader.Batch, on store: any BackingStore) async {
    var next: Loader.Batch? = first
    while let batch = next {
      let answer = await Self.answer(to: batch, of: schema.entries[batch.type].type, from: store)
      let effects: Effects
      (effects, next) = state.withLock { state in state.end(batch, with: answer) }
      effects.perform()
      // What memory does not take of it ends outside of the lock.
      withExtendedLifetime(answer) {}
      startBatches()
    }
  }

  private static func answer<R: Record>(
    to batch: Loader.Batch, of type: R.Type, from store: any BackingStore
  ) async -> Result<any Sendable, any Error> {
    do {
      return .success(try await store.fetch(type, ids: batch.ids as? [R.ID] ?? []))
    } catch {
      return .failure(error)
    }
  }
}
