/// The asynchronous part of following a store.
extension GraphCache {
  /// Polls a store repeatedly for changes.
  func pollRepeatedly(_ store: any SharedStore, _ number: UInt64) async {
    while !Task.isCancelled, await poll(store, number) {
      while let rest = rest(number) {
        let alarm = startAlarm(after: rest.most) { rest.promise.resolve() }
        defer { alarm.cancel() }
        do { try await rest.promise.value() } catch { return }
      }
    }
  }

  private func rest(_ number: UInt64) -> (promise: Promise<Void>, most: Duration)? {
    let now = elapsed()
    return state.withLock { $0.withFollowing(number) { $0.rest(at: now) } } ?? nil
  }

  /// Polls a store once for changes, and drops them from memory.
  ///
  /// - Returns: Whether the cache still follows the store.
  private func poll(_ store: any SharedStore, _ number: UInt64) async -> Bool {
    let now = elapsed()
    let poll = state.withLock { $0.withFollowing(number) { $0.beginPoll(at: now) } }
    guard let poll else { return false }
    poll.listener?.resolve()
    do {
      var answers: [StoreChanges] = []
      for place in poll.places { answers.append(try await store.changes(since: place)) }
      // The next poll asks again for everything after the earliest answer.
      let changes = StoreChanges(answers.flatMap(\.changes), upTo: answers[0].cursor)
      apply(changes, to: poll, number)
      for request in poll.requests { request.resolve() }
    } catch {
      let now = elapsed()
      state.withLock { _ = $0.withFollowing(number) { $0.end(poll, failing: error, at: now) } }
      for request in poll.requests { request.resolve(.failure(error)) }
    }
    return true
  }

  private func apply(_ answer: StoreChanges, to poll: FollowingState.Poll, _ number: UInt64) {
    let changed = state.withLock { state in
      state.withFollowing(number) { $0.foreignChanges(in: answer, of: poll) }
    }
    // P2: loads in flight are restarted, because they may have read the values before the changes.
    invalidate(changed: changed ?? [])
    let now = elapsed()
    state.withLock { _ = $0.withFollowing(number) { $0.end(poll, answer, at: now) } }
  }

  /// Drops records in time, so that none is served beyond its limit.
  func watch(_ number: UInt64) async {
    while !Task.isCancelled {
      let now = elapsed()
      switch state.withLock({ $0.withFollowing(number) { $0.watch(at: now) } }) {
      case .wait(let duration):
        do { try await clock.sleep(for: duration) } catch { return }
      case .drop: dropAll(notifiesObservers: false)
      case nil: return
      }
    }
  }

  /// Drops records that must not be served any longer, if the timer is late, for example after the
  /// process was suspended.
  @usableFromInline
  func dropIfTooStale() {
    guard state.withLock({ $0.isTooStale }) else { return }
    let now = elapsed()
    let watch = state.withLock { $0.following?.watch(at: now) }
    if case .drop = watch { dropAll(notifiesObservers: false) }
  }

  /// Polls when the store signals a change.
  nonisolated func listen(to store: any SharedStore, _ number: UInt64) async {
    while !Task.isCancelled {
      do {
        try await store.waitForChange()
        wake(number)
        let poll = state.withLock { $0.withFollowing(number) { $0.awaitPoll() } } ?? nil
        try await poll?.value()
      } catch {
        let interval = state.withLock { $0.withFollowing(number) { $0.limits.interval } }
        guard let interval else { return }
        do { try await clock.sleep(for: interval) } catch { return }
      }
    }
  }

  nonisolated func wake(_ number: UInt64, for request: Promise<Void>? = nil) {
    let pause = state.withLock { $0.withFollowing(number) { $0.wake(for: request) } }
    guard let pause else {
      request?.resolve(.failure(CancellationError()))
      return
    }
    pause?.resolve()
  }

  /// Waits until everything committed before is known.
  nonisolated func catchUp(_ number: UInt64) async throws {
    let request = Promise<Void>()
    wake(number, for: request)
    try await request.value()
  }

  nonisolated func endFollowing(_ number: UInt64) {
    let requests = state.withLock { state -> [Promise<Void>] in
      guard state.following?.number == number else { return [] }
      defer { state.following = nil }
      return state.following?.takeRequests() ?? []
    }
    for request in requests { request.resolve(.failure(CancellationError())) }
  }

  // MARK: Changes

  /// Invalidates what others have changed, so that the next reads load it from the store.
  ///
  /// A caller that is already waiting for one of these records gets a value that the store returns
  /// from now on. Observers see all of the changes at once. A cache that follows a store with
  /// ``follow(_:since:limits:)`` calls this itself.
  ///
  /// - Parameter changed: The records that changed. Types that the cache does not know are ignored.
  /// - Complexity: O(*n*) in the records that are named; if a whole type is named, in its records
  ///   in memory.
  public func invalidate(changed: some Sequence<StoreChange.Extent>) {
    beginMoment()
    defer { endMoment() }
    var whole: Set<ObjectIdentifier> = []
    var refs: [ObjectIdentifier: [AnyRef]] = [:]
    for extent in changed {
      switch extent {
      // P3: for example, the store's log no longer goes back far enough.
      case .everything: return removeAll()
      case .all(let type): whole.insert(ObjectIdentifier(type))
      case .records(let changed):
        for ref in changed { refs[ObjectIdentifier(ref.type), default: []].append(ref) }
      }
    }
    func drop<R: GraphRecord>(_ refs: [AnyRef], _ type: R.Type) {
      invalidate(refs.compactMap { $0.as(type)?.id }.filter { R.isStable($0) }, of: type)
    }
    for type in schema.types {
      if whole.contains(ObjectIdentifier(type)) {
        invalidateAll(of: type)
      } else if let refs = refs[ObjectIdentifier(type)] {
        drop(refs, type)
      }
    }
  }

  /// Drops everything known about the records of a type.
  private func invalidateAll<R: GraphRecord>(of type: R.Type) {
    guard let number = schema.number(of: type) else { return }
    if let committing {
      invalidatedDuringCommit?.formUnion(committing.refs.filter { $0.type == type })
    }
    var ids: [R.ID] = []
    for pages in Chunk.ranges(state.withLock { $0.map.pages.bases.count }, of: Chunk.pages) {
      let found = state.withLock { state -> [R.ID] in
        var ids: [R.ID] = []
        state.map.forEachPointer(type, inPages: pages) { ids.append($1) }
        return ids
      }
      ids += found
    }
    ids += state.withLock { $0.map.pendingIDs(of: type) }
    invalidate(ids, of: type)
    let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
      state.map.dropMissingIDs(of: type)
      let outcome = state.loader.restartAll(of: number, &state.map)
      state.publishChangeOfAll()
      return (state.effects(of: outcome), state.mustGather())
    }
    effects.perform()
    if mustGather { gather() }
  }

  // MARK: Commits

  /// Runs a store write as a commit that the store's log may name.
  func makingCommit<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    commit = state.withLock { $0.following?.beginCommit() }
    guard let commit else { return try await body() }
    return try await CommitID.$current.withValue(commit, operation: body)
  }

  /// Ends a commit, when memory has followed the store or its outcome is unknown.
  func endCommit(changing changes: ChangeSet?) {
    guard let ended = commit else { return }
    commit = nil
    let refs = changes.map { Set($0.refs) }
    let changed = state.withLock { $0.following?.endCommit(ended, changing: refs) }
    invalidate(changed: changed ?? [])
  }
}

extension CacheState {
  /// The log positions from which a snapshot of memory must be brought up to date.
  var cursors: [StoreCursor] { following?.cursors ?? restoredPlaces }

  /// Prepares for the restoration of data that is known up to a log position.
  ///
  /// - Returns: The number of the following that must poll from there, if there is one.
  mutating func prepareForRestoration(since place: StoreCursor, at now: Duration) -> UInt64? {
    following?.prepareForRestoration(since: place, at: now)
    if following == nil, !restoredPlaces.contains(place) { restoredPlaces.append(place) }
    return following?.number
  }

  /// Runs a closure with the following's state, if it is still the current one.
  mutating func withFollowing<Result>(
    _ number: UInt64, _ body: (inout FollowingState) -> Result
  ) -> Result? {
    following?.number == number ? following?.run(body) : nil
  }
}
