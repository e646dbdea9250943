extension GraphCache {
  /// Drops all records that are past the lifetime of their types.
  ///
  /// The cache also does this itself, at most a thirtieth of the lifetime after a record expires.
  /// Leased records stay, and so do records with pending writes.
  ///
  /// - Returns: The number of records dropped.
  /// - Complexity: O(*n*) in the records that have expired since they were loaded, or would have if
  ///   they had not been written or reloaded.
  @discardableResult
  public func removeExpired() -> Int {
    let before = state.withLock { $0.map.tally.expired }
    var isDone = false
    while !isDone {
      state.withLock { state in
        isDone = state.map.removeExpired(limit: Chunk.medium)
        return state.effects()
      }.perform()
    }
    return state.withLock { $0.map.tally.expired } - before
  }

  /// Starts to drop records of types with a lifetime.
  nonisolated func beginExpiring() {
    guard hasFreshness else { return }
    state.withLock { state in
      for (number, freshness) in zip(schema.types.typeNumbers, freshness) {
        guard let freshness, freshness.removesExpired, let bound = freshness.lastBound else {
          continue
        }
        state.map.setLifetime(Age(bound), of: number)
        state.awaitExpiry = { [weak self] in self?.awaitExpiry() }
      }
    }
  }

  /// Waits for the next expiry, unless a task already does; then for the one after it.
  private nonisolated func awaitExpiry() {
    let first = state.withLock { state -> (Stamp, Duration)? in
      guard let first = state.map.firstDue, first < state.nextExpiry ?? Stamp(.max) else {
        return nil
      }
      state.nextExpiry = first
      return (first, state.map.clock.now.age(at: first).duration)
    }
    guard let (moment, wait) = first else { return }
    Task(executorPreference: executor) { [weak self, clock] in
      do { try await clock.sleep(for: wait) } catch { return }
      await self?.expire(at: moment)
    }
  }

  private func expire(at moment: Stamp) {
    let isCurrent = state.withLock { state in
      defer { if state.nextExpiry == moment { state.nextExpiry = nil } }
      return state.nextExpiry == moment
    }
    // Another task waits for an earlier moment.
    guard isCurrent else { return }
    removeExpired()
    awaitExpiry()
  }
}
