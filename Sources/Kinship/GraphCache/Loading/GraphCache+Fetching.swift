extension CacheState {
  /// Returns whether a task must be started to make batches of the requested ids.
  mutating func mustGather() -> Bool {
    guard !isGathering, loader.backlogCount > 0 else { return false }
    isGathering = true
    return true
  }

  /// Makes a batch of a chunk of the requested ids, unless it waits for requests that are about to
  /// come.
  mutating func nextBatch() -> Loader.Batch? {
    isGathering ? nil : loader.nextBatch(map, limit: Chunk.size)
  }

  /// Ends a batch with the store's answer, or the rest of it.
  ///
  /// - Returns: The work to do, and the batch's task if it may continue with the next batch. If no
  ///   caller waited any longer, it may not, because it is cancelled or about to be.
  mutating func end(
    _ batch: Loader.Batch, with answer: BatchAnswer
  ) -> (Effects, fetch: Task<Void, Never>?) {
    waits.endFetch(of: batch.id)
    // Its deadline has already ended it.
    guard let fetch = fetches.removeValue(forKey: batch.id) else { return (effects(), nil) }
    let isAbandoned = loader.isAbandoned(batch.id)
    let outcome = complete(batch, with: answer)
    return (effects(of: outcome), isAbandoned ? nil : fetch)
  }

  /// Notes that a waiter waits inside a store call or a transaction, unless it would wait forever.
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
  /// Waits until claimed ids have been in memory or known missing, as fresh as required.
  ///
  /// - Throws: The store's error, `KinshipError.misuse(.waitsForItself)`, or `CancellationError`.
  func wait(for claims: [Claims], _ demand: AgeDemand? = nil) async throws {
    try await wait(for: claims, as: state.withLock { $0.loader.nextWaiter() }, demand)
  }

  /// Waits as a numbered waiter; one that tolerates failures continues without records that cannot
  /// be loaded.
  func wait(
    for claims: [Claims], as waiter: Loader.WaiterID, toleratingFailures tolerates: Bool = false,
    _ demand: AgeDemand? = nil
  ) async throws {
    let path = CallPath.current
    defer { if !path.isEmpty { state.withLock { $0.waits.endWait(of: waiter) } } }
    enum Start: Sendable {
      case ready
      case waiting(Promise<Void>, mustGather: Bool)
      case refused(KinshipError, Effects)
    }
    let last = request(claims, for: waiter, toleratingFailures: tolerates, demand)
    let start = state.withLock { state -> Start in
      var error = state.map.firstUnstable(of: last).map {
        KinshipError.invalidSchema(.unstableID(type: schema.type($0.type).recordName))
      }
      if error == nil {
        guard
          state.loader.request(
            last, for: waiter, toleratesFailures: tolerates, within: demand, &state.map)
        else { return .ready }
        error = state.beginWait(waiter, for: claims, in: path, schema)
      }
      if let error {
        let abandoned = state.loader.leave(waiter, &state.map).abandoned
        return .refused(error, state.effects(of: Loader.Outcome(abandoned: abandoned)))
      }
      let answer = Promise<Void>()
      state.loads[waiter] = answer
      return .waiting(answer, mustGather: state.mustGather())
    }
    switch start {
    case .ready: return
    case .waiting(let answer, let mustGather):
      if mustGather { await fetchBacklog(for: waiter) }
      try await traced(work(.load, of: claims)) {
        try await answer.value { cancel(waiter) }
      }
    case .refused(let error, let effects):
      effects.perform()
      finishLeaving()
      throw error
    }
  }

  private nonisolated func work(_ kind: CacheWork.Kind, of claims: [Claims]) -> CacheWork {
    let types = Set(claims.map(\.type))
    let type = types.count == 1 ? types.first.map { schema.type($0).recordName } : nil
    return CacheWork(kind, of: type, count: claims.reduce(0) { $0 + $1.count })
  }

  /// Requests many claimed ids except the last chunk, so that `peek` never waits for long.
  ///
  /// - Returns: The claims that are still to be requested.
  private func request(
    _ claims: [Claims], for waiter: Loader.WaiterID, toleratingFailures tolerates: Bool,
    _ demand: AgeDemand?
  ) -> [Claims] {
    if claims.reduce(0, { $0 + $1.count }) <= Chunk.size { return claims }
    let chunks = claims.flatMap(\.chunks)
    for chunk in chunks.dropLast() {
      let isStable = state.withLock { state in
        if state.map.firstUnstable(of: [chunk]) != nil { return false }
        _ = state.loader.request(
          [chunk], for: waiter, toleratesFailures: tolerates, within: demand, &state.map)
        return true
      }
      if !isStable { return [chunk] }
    }
    return chunks.suffix(1)
  }

  private nonisolated func cancel(_ waiter: Loader.WaiterID) {
    let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
      let (wasWaiting, abandoned) = state.loader.leave(waiter, &state.map)
      let outcome = Loader.Outcome(
        failed: wasWaiting ? [(waiter, CancellationError())] : [], abandoned: abandoned)
      return (state.effects(of: outcome), state.mustGather())
    }
    effects.perform()
    finishLeaving()
    if mustGather { gather() }
  }

  /// Removes cancelled waiters with many requested ids, in chunks, so that `peek` never waits for
  /// long.
  private nonisolated func finishLeaving() {
    while let effects = state.withLock({ state in
      state.loader.continueLeaving(&state.map).map { state.effects(of: $0) }
    }) {
      effects.perform()
    }
  }

  /// Starts a task that makes batches once all callers that are about to request have done so.
  nonisolated func gather() {
    Task(executorPreference: executor) { await self.fetchBacklog() }
  }

  /// Makes batches once all callers that are about to request have done so.
  ///
  /// - Parameter waiter: The first caller to request, which does this itself because starting a
  ///   task would take longer. Once it is cancelled, it requests nothing and leaves.
  private func fetchBacklog(for waiter: Loader.WaiterID? = nil) async {
    // Callers that are ready to run get their turn first, so that simultaneous requests go into one
    // batch. A few turns without a new request end the moment; under continuous requests, a limit
    // does.
    var size = 0
    var turns = 0
    var quietTurns = 0
    while quietTurns < 3, turns < 100, waiter == nil || !Task.isCancelled {
      await Task.yield()
      let now = state.withLock { $0.loader.backlogCount }
      turns += 1
      quietTurns = now == size ? quietTurns + 1 : 0
      size = now
    }
    if let waiter, Task.isCancelled { cancel(waiter) }
    state.withLock { $0.isGathering = false }
    startBatches()
  }

  private func startBatches() {
    guard let store else { return }
    while let batch = nextBatch() {
      let fetch = Task(executorPreference: executor) { await self.run(batch, on: store) }
      state.withLock { $0.fetches[batch.id] = fetch }
    }
  }

  /// Makes a batch of the requested ids, one chunk at a time.
  private func nextBatch() -> Loader.Batch? {
    guard let first = state.withLock({ $0.nextBatch() }) else { return nil }
    let type = first.ids.type
    var lists = [first.ids]
    while let last = lists.last, last.count == Chunk.size {
      lists.append(
        state.withLock { $0.loader.extend(first.id, of: type, $0.map, limit: Chunk.size) })
    }
    var batch = Loader.Batch(id: first.id, ids: schema.type(type).joined(lists, of: type))
    let (next, ages) = state.withLock { [ids = batch.ids] state in
      (
        state.continuations.removeCommon(for: ids, limits: state.map.limits),
        state.loader.ages(of: first.id)
      )
    }
    batch.ages = ages
    batch.plan = next.map { next, limit in
      FetchPlan(next.plan, from: next.generation, of: schema, limit: limit)
    }
    return batch
  }

  /// Fetches a batch, and then the batches that follow.
  private func run(_ first: Loader.Batch, on store: any BackingStore) async {
    var next: Loader.Batch? = first
    while let batch = next {
      let type = schema.type(batch.ids.type)
      let activity = CallPath.next()
      var terms = state.withLock { state in
        state.waits.beginFetch(activity, of: batch.id) { .fetch(type.refs(of: batch.ids)) }
        return CacheState.AnswerTerms(moment: state.moment)
      }
      let alarm = deadlines.fetch.map { deadline in
        startAlarm(after: deadline) { await self.expire(batch, after: deadline) }
      }
      let (answer, related) = await CallPath.$current.withValue([activity]) {
        await self.answer(
          to: batch, of: type, schema.operations[batch.ids.type].table, from: store)
      }
      alarm?.cancel()
      merge(related, by: &terms)
      var answered = batch
      answered.hasRelatedRecords = !related.isEmpty
      next = end(answered, with: answer)
      // Values that memory does not keep are destroyed outside the lock.
      withExtendedLifetime((answer, related)) {}
      startBatches()
    }
  }

  /// Adds the records fetched along with others to memory, before the callers for these continue.
  func merge(_ related: [any FetchedRecords], by terms: inout CacheState.AnswerTerms) {
    if related.isEmpty { return }
    let before = state.withLock { $0.loader.tally.loaded }
    var count = 0
    // The last to arrive are evicted last: these are the nearest.
    for fetched in related.reversed() {
      _ = merge(fetched, by: &terms)
      count += fetched.records.count
    }
    state.withLock { $0.continuations.recordLoaded($0.loader.tally.loaded - before, of: count) }
  }

  private func refs<Fetched: FetchedRecords>(of fetched: Fetched) -> [AnyRef] {
    fetched.records.map { AnyRef($0.ref) }
  }

  /// Adds records to memory, unless anything was written since the store was asked.
  ///
  /// - Returns: Whether it has stored them.
  private func merge<Fetched: FetchedRecords>(
    _ fetched: Fetched, by terms: inout CacheState.AnswerTerms
  ) -> Bool {
    let records = fetched.records
    // Types that the cache does not know, and ids that it could not find again, are left out.
    guard let number = schema.number(of: Fetched.R.self),
      (try? Fetched.R.requireStable(records)) != nil
    else { return false }
    let nearestLast = fetched.areOfOneGeneration ? records : records.reversed()
    return merge(nearestLast, number: number, by: &terms) != nil
  }

  /// Returns what a store may fetch along with roots by a plan, if it leads anywhere.
  func fetchPlan(_ rules: PlanRules, from roots: Int) throws(KinshipError) -> FetchPlan? {
    let plan = try CompiledPlan(rules, schema: schema)
    // Nobody claims these records: those of a one-off scan would be evicted unread.
    if plan.isPassing || !plan.leads(beyond: 0) { return nil }
    let (most, overflows) = plan.budget.multipliedReportingOverflow(by: roots)
    let room = state.withLock { $0.map.limits.count }
    return FetchPlan(plan, from: 0, of: schema, limit: overflows ? room : min(most, room))
  }

  /// Fetches a record and the records that a plan reaches from it again, whatever is in memory.
  ///
  /// It uses a store that has already done so in one call.
  ///
  /// - Returns: The refs that are now up to date: none if the store must be asked by ids, or
  ///   something was written meanwhile.
  func fetchAgain<Root: GraphRecord>(
    _ root: Ref<Root>, _ plan: Plan<Root>
  ) async throws -> Set<AnyRef> {
    let (before, areFetchedAlong) = state.withLock { ($0.moment, $0.continuations.areFetchedAlong) }
    guard let store, areFetchedAlong, let leads = try fetchPlan(plan.rules, from: 1) else {
      return []
    }
    try Root.requireStable(root.id)
    let ages = AnswerAges(AgeBounds.nothing.limits)
    let fetched: FetchedGraph<Root>? = try await AnswerAges.$current.withValue(ages) {
      try await read({ .fetch([AnyRef(root)]) }) {
        .fetchFailed(type: Root.recordName, ids: [AnyRef(root)], cause: $0)
      } _: {
        do {
          return try await store.fetch(Root.self, ids: [root.id], following: leads)
        } catch is PartialAnswer<Root> {
          // A fetch by ids names the records that cannot be read.
          return nil
        }
      }
    }
    guard let fetched, ages.noted.ages.isEmpty, fetched.records.map({ $0.id }) == [root.id] else {
      return []
    }
    var terms = CacheState.AnswerTerms(
      moment: before, wanted: WantedAges(oldest: AgeBounds.nothing.oldest, age: nil))
    var fresh: Set<AnyRef> = []
    let own = RecordsOfType(fetched.records, areOfOneGeneration: true)
    // The last to arrive are evicted last: these are the nearest.
    for records in fetched.related.reversed() + [own]
    where merge(records, by: &terms) {
      fresh.formUnion(refs(of: records))
    }
    return fresh
  }

  /// Adds the answer to a batch to memory, and continues with the next batch.
  ///
  /// - Returns: The next batch.
  private func end(_ batch: Loader.Batch, with answer: BatchAnswer) -> Loader.Batch? {
    let rest = merge(answer, to: batch)
    let (effects, fetch) = state.withLock { $0.end(batch, with: rest) }
    effects.perform()
    finishLeaving()
    guard let fetch, let next = nextBatch() else { return nil }
    state.withLock { $0.fetches[next.id] = fetch }
    return next
  }

  /// Adds an answer except its last chunk to memory, so that `peek` never waits for long.
  ///
  /// - Returns: The rest.
  private func merge(_ answer: BatchAnswer, to batch: Loader.Batch) -> BatchAnswer {
    var answer = answer
    let limit = answer.hasFailures ? Chunk.small : Chunk.size
    while answer.rest > limit {
      state.withLock { state in
        let outcome = state.merge(&answer, to: batch, limit: limit)
        return state.effects(of: outcome)
      }.perform()
      finishLeaving()
    }
    return answer
  }

  /// Ends a batch that takes too long, so that another can take its place.
  private func expire(_ batch: Loader.Batch, after deadline: Duration) {
    func answer<R: GraphRecord>(of type: R.Type) -> BatchAnswer {
      let call = CacheCall.fetch(type.refs(of: batch.ids))
      return BatchAnswer(
        failing: batch.ids, of: type, cause: KinshipError.deadlineExceeded(call, deadline))
    }
    // A late answer is discarded.
    guard let fetch = state.withLock({ $0.fetches.removeValue(forKey: batch.id) }) else { return }
    fetch.cancel()
    let rest = merge(answer(of: schema.type(batch.ids.type)), to: batch)
    state.withLock { state in
      let outcome = state.complete(batch, with: rest)
      return state.effects(of: outcome)
    }.perform()
    finishLeaving()
    startBatches()
  }

  private nonisolated func answer<R: GraphRecord>(
    to batch: Loader.Batch, of type: R.Type, _ operations: TableOperations,
    from store: any BackingStore
  ) async -> (BatchAnswer, related: [any FetchedRecords]) {
    func answer(_ records: [R], _ partial: PartialAnswer<R>?) -> BatchAnswer {
      do throws(KinshipError) {
        return try BatchAnswer(records, partial: partial, to: batch.ids, of: type, operations)
      } catch {
        return BatchAnswer(failing: batch.ids, of: type, error)
      }
    }
    func fetch() async -> (BatchAnswer, related: [any FetchedRecords]) {
      do {
        let ids = batch.ids.of(type)
        let fetched = try await traced(CacheWork(.fetch, of: R.recordName, count: ids.count)) {
          if let plan = batch.plan,
            let graph = try await store.fetch(type, ids: ids, following: plan)
          {
            return (graph.records, graph.related)
          }
          return (try await store.fetch(type, ids: ids), [])
        }
        return (answer(fetched.0, nil), fetched.1)
      } catch let partial as PartialAnswer<R> {
        return (answer(partial.records, partial), [])
      } catch {
        return (BatchAnswer(failing: batch.ids, of: type, cause: error), [])
      }
    }
    let ages = AnswerAges(batch.ages)
    var (answer, related) = await AnswerAges.$current.withValue(ages) { await fetch() }
    answer.age = ages.age
    // If the store reports ages, only the requested records have one, so the others are not kept.
    return (answer, answer.age == nil ? related : [])
  }
}
