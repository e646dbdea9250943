extension GraphCache {
  /// A write that is already visible and that the backing store has not committed yet.
  public final class PendingWrite: Sendable {
    private struct State {
      var result: Result<ChangeSet, any Error>?
      var waiting: [ObjectIdentifier: Promise<ChangeSet>] = [:]
      /// The cache and the activity that commit it, until it is settled.
      var maker: (cache: GraphCache, activity: WaitGraph.ActivityID)?
    }

    private let state = Lock(State())

    init() {}

    /// Whether the store has neither committed nor rejected the write yet.
    public var isPending: Bool { state.withLock { $0.result == nil } }

    /// Waits until the backing store has committed the write.
    ///
    /// - Returns: The changes.
    /// - Throws: The reason why the store rejected the write, which was then rolled back; an error
    ///   that the write's closure throws, if it could not be re-run without an earlier, rejected
    ///   write; `KinshipError.misuse(.waitsForItself)` inside a store call that the write waits
    ///   for; `CancellationError` at once if the task is cancelled, which does not cancel the
    ///   write.
    @discardableResult
    public func outcome() async throws -> ChangeSet {
      let outcome = Promise<ChangeSet>()
      let id = ObjectIdentifier(outcome)
      let (result, maker) = state.withLock { state in
        if state.result == nil { state.waiting[id] = outcome }
        return (state.result, state.maker)
      }
      if let result { return try result.get() }
      defer { state.withLock { $0.waiting[id] = nil } }
      guard let maker else { return try await outcome.value() }
      return try await maker.cache.waiting(for: maker.activity, .pendingWrite) {
        try await outcome.value()
      }
    }

    /// Waits until the write is settled, either way.
    ///
    /// - Throws: The reason why the caller cannot wait.
    func untilSettled() async throws {
      do {
        _ = try await outcome()
      } catch {
        if isPending { throw error }
      }
    }

    /// Notes which cache commits the write, and the place of its task in the queue.
    func isMade(by cache: GraphCache, _ turn: TurnQueue.Ticket) {
      guard let activity = cache.state.withLock({ $0.waits.holder(of: turn.number) }) else {
        return
      }
      state.withLock { $0.maker = (cache, activity) }
    }

    func settle(_ result: Result<ChangeSet, any Error>) {
      let (waiting, maker) = state.withLock { state in
        state.result = state.result ?? result
        defer { (state.waiting, state.maker) = ([:], nil) }
        return (Array(state.waiting.values), state.maker)
      }
      // The cache is not released under the lock.
      withExtendedLifetime(maker) {}
      for outcome in waiting { outcome.resolve(result) }
    }
  }
}
