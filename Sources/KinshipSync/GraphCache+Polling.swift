internal import Kinship

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
    return withFollowing(number) { $0.rest(at: now) } ?? nil
  }

  /// Polls a store once for changes, and drops them from memory.
  ///
  /// - Returns: Whether the cache still follows the store.
  private func poll(_ store: any SharedStore, _ number: UInt64) async -> Bool {
    let now = elapsed()
    guard let poll = withFollowing(number, { $0.beginPoll(at: now) }) else { return false }
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
      _ = withFollowing(number) { $0.end(poll, failing: error, at: now) }
      for request in poll.requests { request.resolve(.failure(error)) }
    }
    return true
  }

  private func apply(_ answer: StoreChanges, to poll: FollowingState.Poll, _ number: UInt64) {
    let changed = withFollowing(number) { $0.foreignChanges(in: answer, of: poll) }
    // P2: loads in flight are restarted, because they may have read the values before the changes.
    invalidate(changed: changed ?? [])
    let now = elapsed()
    _ = withFollowing(number) { $0.end(poll, answer, at: now) }
  }

  /// Drops records in time, so that none is served beyond its limit.
  func watch(_ number: UInt64) async {
    while !Task.isCancelled {
      let now = elapsed()
      guard let rest = withFollowing(number, { $0.watch(at: now) }) else { return }
      guard let rest else {
        dropAll(notifiesObservers: false)
        continue
      }
      do { try await clock.sleep(for: rest) } catch { return }
    }
  }

  /// Polls when the store signals a change.
  nonisolated func listen(to store: any SharedStore, _ number: UInt64) async {
    while !Task.isCancelled {
      do {
        try await store.waitForChange()
        (withFollowing(number) { $0.wake(for: nil) } ?? nil)?.resolve()
        let poll = withFollowing(number) { $0.awaitPoll() } ?? nil
        try await poll?.value()
      } catch {
        guard let interval = withFollowing(number, { $0.limits.interval }) else { return }
        do { try await clock.sleep(for: interval) } catch { return }
      }
    }
  }

  /// Waits until everything committed before is known.
  nonisolated func catchUp(_ number: UInt64) async throws {
    let request = Promise<Void>()
    guard let pause = withFollowing(number, { $0.wake(for: request) }) else {
      throw CancellationError()
    }
    pause?.resolve()
    try await request.value()
  }

  nonisolated func endFollowing(_ number: UInt64) {
    let ended = withFollower { follower, _ -> FollowingState? in
      guard let state = follower as? FollowingState, state.number == number else { return nil }
      follower = nil
      return state
    }
    ended?.refuseRequests()
  }

  /// Runs a closure with the state of a following, if it is still the current one.
  nonisolated func withFollowing<Result: Sendable>(
    _ number: UInt64, _ body: (inout FollowingState) -> Result
  ) -> Result? {
    withFollower { follower, _ in
      guard var state = follower as? FollowingState, state.number == number else { return nil }
      defer { follower = state }
      return body(&state)
    }
  }
}
