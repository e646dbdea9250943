/// A write that is shown already and that the backing store is still to make.
public final class PendingWrite: Sendable {
  private struct State {
    var result: Result<ChangeSet, any Error>?
    var lastWaiter: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<ChangeSet, any Error>] = [:]
  }

  private let state = Lock(State())

  init() {}

  /// Whether the store has neither made the write nor refused it yet.
  public var isPending: Bool { state.withLock { $0.result == nil } }

  /// Waits until the backing store has made the write.
  ///
  /// - Returns: What has changed.
  /// - Throws: Why the store refused, which took the write back; what the write's closure throws, if it
  ///   could not be made without an earlier one that was refused; `CancellationError` at once when the
  ///   task is cancelled, which does not cancel the write.
  @discardableResult
  public func outcome() async throws -> ChangeSet {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<ChangeSet, any Error>? in
          if let result = state.result { return result }
          // Cancelled before it waits: the handler has run already and found no one.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[waiter] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: waiter) }?
        .resume(throwing: CancellationError())
    }
  }

  func settle(_ result: Result<ChangeSet, any Error>) {
    let waiting = state.withLock { state in
      state.result = state.result ?? result
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for waiter in waiting { waiter.resume(with: result) }
  }
}
