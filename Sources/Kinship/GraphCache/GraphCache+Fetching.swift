extension CacheState {
  /// Whether a task must be started that makes batches of what is asked for.
  mutating func mustGather() -> Bool {
    guard !isGathering, loader.backlogCount > 0 else { return false }
    isGathering = true
    return true
  }
}

extension GraphCache {
  /// Waits until claimed ids are in memory or known missing, or were so for a moment.
  ///
  /// - Throws: What the store threw, or `CancellationError`.
  nonisolated func wait(for claims: [Claims]) async throws {
    let waiter = state.withLock { $0.loader.nextWaiter() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Start: Sendable { case ready, cancelled, waiting(mustGather: Bool) }
        let start = state.withLock { state -> Start in
          // Cancelled before it waits: the handler has run already and found no one.
          if Task.isCancelled { return .cancelled }
          guard state.loader.request(claims, for: waiter, &state.map) else { return .ready }
          state.continuations[waiter] = continuation
          return .waiting(mustGather: state.mustGather())
        }
        switch start {
        case .ready: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
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
    // goes into one batch: a few turns without a new request end the moment.
    var size = 0
    var quietTurns = 0
    while quietTurns < 3 {
      await Task.yield()
      let now = state.withLock { $0.loader.backlogCount }
      quietTurns = now == size ? quietTurns + 1 : 0
      size = now
    }
    state.withLock { $0.isGathering = false }
    startBatches()
  }

  private func startBatches() {
    guard let store else { return }
    while let batch = state.withLock({ $0.loader.nextBatch($0.map) }) {
      let fetch = Task(executorPreference: executor) { await self.run(batch, on: store) }
      state.withLock { $0.fetches[batch.id] = fetch }
    }
  }

  private func run(_ batch: Loader.Batch, on store: any BackingStore) async {
    let answer: Result<any Sendable, any Error>
    do {
      let type = schema.entries[batch.type].type
      answer = .success(try await Self.fetch(type, batch.ids, from: store))
    } catch {
      answer = .failure(error)
    }
    state.withLock { state in
      state.fetches[batch.id] = nil
      let outcome =
        switch answer {
        case .success(let records): state.complete(batch, with: records)
        case .failure(let error): state.loader.fail(batch.id, cause: error, &state.map)
        }
      return state.effects(of: outcome)
    }.perform()
    startBatches()
  }

  private static func fetch<R: Record>(
    _ type: R.Type, _ ids: any Sendable, from store: any BackingStore
  ) async throws -> any Sendable {
    try await store.fetch(type, ids: ids as? [R.ID] ?? [])
  }
}
