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
  /// The task that has fetched it goes on with the next, unless nobody waited for it any longer:
  /// then the task is cancelled, or is about to be.
  mutating func end(
    _ batch: Loader.Batch, with answer: FetchResult
  ) -> (Effects, next: Loader.Batch?) {
    waits.endFetch(of: batch.id)
    // Past its deadline, it has been ended already.
    guard let fetch = fetches.removeValue(forKey: batch.id) else { return (effects(), nil) }
    let isAbandoned = loader.isAbandoned(batch.id)
    let outcome =
      switch answer {
      case .answer(let answer): complete(batch, with: answer)
      case .failure(let error): fail(batch, cause: error)
      }
    let next = isAbandoned ? nil : nextBatch()
    if let next { fetches[next.id] = fetch }
    return (effects(of: outcome), next)
  }
}

/// What came of a call to the store.
enum FetchResult: Sendable {
  /// An answer, or what is wrong with it.
  case answer(Result<BatchAnswer, KinshipError>)
  case failure(any Error)
}

extension CacheState {
  /// Ends a batch that takes too long; whoever comes next can have its place.
  mutating func expire(_ batch: Loader.Batch, _ error: KinshipError) -> Effects {
    guard let fetch = fetches.removeValue(forKey: batch.id) else { return effects() }
    var effects = effects(of: loader.fail(batch.id, cause: error, &map))
    effects.abandoned.append(fetch)
    return effects
  }

  /// Notes that a waiter waits within a call of the store or a transaction, unless that would be
  /// for ever.
  mutating func beginWait(
    _ waiter: Loader.WaiterID, for claims: [Claims], in path: [WaitGraph.ActivityID],
    _ schema: GraphSchema
  ) -> KinshipError? {
    guard let activity = waits.innermost(of: path) else { return nil }
    waits.add(.waiter(waiter), to: activity)
    guard isStuck(activity) else { return nil }
    waits.remove(.waiter(waiter), from: activity)
    let refs = claims.flatMap { claim in
      schema.type(claim.type).refs(of: map.ids(of: claim))
    }
    return waitsForItself(.load(refs), activity)
  }
}

extension GraphCache {
  /// Waits until claimed ids are in memory or known missing, or were so for a moment.
  ///
  /// - Throws: What the store threw, `KinshipError.waitsForItself`, or `CancellationError`.
  func wait(for claims: [Claims]) async throws {
    try await wait(for: claims, as: state.withLock { $0.loader.nextWaiter() })
  }

  /// Waits as the waiter with a number; one that bears failures goes on without what cannot be
  /// loaded.
  func wait(
    for claims: [Claims], as waiter: Loader.WaiterID, bearingFailures bears: Bool = false
  ) async throws {
    let path = CallPath.current
    defer { if !path.isEmpty { state.withLock { $0.waits.endWait(of: waiter) } } }
    enum Start: Sendable {
      case ready, unstable(TypeNumber), waiting(Promise<Void>, mustGather: Bool)
      case refused(KinshipError, Effects)
    }
    let start = state.withLock { state -> Start in
      if let claim = state.map.firstUnstable(of: claims) { return .unstable(claim.type) }
      guard
        state.loader.request(claims, for: waiter, bearsFailures: bears, &state.map)
      else { return .ready }
      if let error = state.beginWait(waiter, for: claims, in: path, schema) {
        let abandoned = state.loader.leave(waiter, &state.map).abandoned
        return .refused(error, state.effects(of: Loader.Outcome(abandoned: abandoned)))
      }
      let answer = Promise<Void>()
      state.loads[waiter] = answer
      return .waiting(answer, mustGather: state.mustGather())
    }
    switch start {
    case .ready: return
    case .unstable(let type):
      throw KinshipError.unstableID(type: schema.type(type).recordName)
    case .waiting(let answer, let mustGather):
      if mustGather { gather() }
      try await answer.value { cancel(waiter) }
    case .refused(let error, let effects):
      effects.perform()
      throw error
    }
  }

  private nonisolated func cancel(_ waiter: Loader.WaiterID) {
    let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
      let (wasWaiting, abandoned) = state.loader.leave(waiter, &state.map)
      let outcome = Loader.Outcome(
        failed: wasWaiting ? [(waiter, CancellationError())] : [], abandoned: abandoned)
      return (state.effects(of: outcome), state.mustGather())
    }
    effects.perform()
    if mustGather { gather() }
  }

  /// Starts a task that makes batches once everybody has asked who was about to.
  nonisolated func gather() {
    Task(executorPreference: executor) { await self.fetchBacklog() }
  }

  private func fetchBacklog() async {
    // Callers that are ready to run get their turn first, so that what is asked for at one moment
    // goes into one batch: a few turns without a new request end the moment. Under requests that
    // never cease, so does a limit.
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
      let type = schema.type(batch.ids.type)
      let activity = CallPath.next()
      state.withLock { state in
        state.waits.beginFetch(activity, of: batch.id) { .fetch(type.refs(of: batch.ids)) }
      }
      let alarm = deadlines.fetch.map { deadline in
        startAlarm(after: deadline) { await self.expire(batch, after: deadline) }
      }
      let answer = await CallPath.$current.withValue([activity]) {
        await Self.answer(
          to: batch, of: type, schema.entries[batch.ids.type].tableOperations, from: store)
      }
      alarm?.cancel()
      next = end(batch, with: answer)
      // What memory does not take of it ends outside of the lock.
      withExtendedLifetime(answer) {}
      startBatches()
    }
  }

  /// Takes in what the store has answered, in portions, so that `peek` never waits for long.
  ///
  /// - Returns: The next batch.
  private func end(_ batch: Loader.Batch, with result: FetchResult) -> Loader.Batch? {
    var result = result
    if case .answer(.success(var answer)) = result {
      while answer.rest > Portion.size {
        state.withLock { state in
          let outcome = state.takeIn(&answer, to: batch, limit: Portion.size)
          return state.effects(of: outcome)
        }.perform()
      }
      result = .answer(.success(answer))
    }
    let (effects, next) = state.withLock { state in state.end(batch, with: result) }
    effects.perform()
    return next
  }

  private func expire(_ batch: Loader.Batch, after deadline: Duration) {
    let refs = schema.type(batch.ids.type).refs(of: batch.ids)
    state.withLock { $0.expire(batch, .deadlineExceeded(.fetch(refs), deadline)) }.perform()
    startBatches()
  }

  private static func answer<R: GraphRecord>(
    to batch: Loader.Batch, of type: R.Type, _ operations: TableOperations,
    from store: any BackingStore
  ) async -> FetchResult {
    func answer(_ records: [R], _ partial: PartialAnswer<R>?) -> FetchResult {
      do throws(KinshipError) {
        return .answer(
          .success(try BatchAnswer(records, partial: partial, to: batch.ids, of: type, operations)))
      } catch {
        return .answer(.failure(error))
      }
    }
    do {
      return answer(try await store.fetch(type, ids: batch.ids.of(type)), nil)
    } catch let partial as PartialAnswer<R> {
      return answer(partial.records, partial)
    } catch {
      return .failure(error)
    }
  }
}
