extension GraphCache {
  /// A write that is shown already and that the backing store is still to make.
  public final class PendingWrite: Sendable {
    private struct State {
      var result: Result<ChangeSet, any Error>?
      var waiting: [ObjectIdentifier: Promise<ChangeSet>] = [:]
      /// Who makes it, until it is settled.
      var maker: (cache: GraphCache, activity: WaitGraph.ActivityID)?
    }

    private let state = Lock(State())

    init() {}

    /// Whether the store has neither made the write nor refused it yet.
    public var isPending: Bool { state.withLock { $0.result == nil } }

    /// Waits until the backing store has made the write.
    ///
    /// - Returns: What has changed.
    /// - Throws: Why the store refused, which took the write back; what the write's closure throws,
    ///   if it could not be made without an earlier one that was refused;
    ///   `KinshipError.waitsForItself` within a call of the store that the write waits for;
    ///   `CancellationError` at once when the task is cancelled, which does not cancel the write.
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
      let caller = try maker.flatMap { try $0.cache.beginWait(for: $0.activity, .pendingWrite) }
      defer {
        if let maker, let caller { maker.cache.endWait(of: caller, for: maker.activity) }
      }
      return try await outcome.value()
    }

    /// Waits until the write is settled, either way.
    ///
    /// - Throws: Why it cannot be waited for.
    func untilSettled() async throws {
      do {
        _ = try await outcome()
      } catch {
        if isPending { throw error }
      }
    }

    /// Notes who makes the write: whose task has a place in the line.
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
      // The cache is not let go of under the lock.
      withExtendedLifetime(maker) {}
      for outcome in waiting { outcome.resolve(result) }
    }
  }
}
