/// A value that one task waits for and that others may set: the first result counts.
///
/// A waiter that is cancelled sets a `CancellationError` itself. So the result and the cancellation
/// have one order, and ``resolve(_:)`` says whether the result was first.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case awaited(CheckedContinuation<Value, any Error>)
    case resolved(Result<Value, any Error>)
    case taken
  }

  private let state = Lock(State.pending)

  package init() {}

  /// Sets a result.
  ///
  /// - Returns: Whether it is the first; if not, it is discarded.
  @discardableResult
  package func resolve(_ result: Result<Value, any Error>) -> Bool {
    typealias Waiting = CheckedContinuation<Value, any Error>
    let (isFirst, waiting) = state.withLock { state -> (Bool, Waiting?) in
      switch state {
      case .pending:
        state = .resolved(result)
        return (true, nil)
      case .awaited(let waiting):
        state = .taken
        return (true, waiting)
      case .resolved, .taken: return (false, nil)
      }
    }
    waiting?.resume(with: result)
    return isFirst
  }

  /// Waits for the first result; to be called once.
  ///
  /// - Returns: The value.
  /// - Throws: The error that is the result; `CancellationError` at once when the task is
  ///   cancelled.
  package nonisolated(nonsending) func value() async throws -> Value {
    try await value { self.resolve(.failure(CancellationError())) }
  }

  /// Waits for the first result, even if the task is cancelled.
  ///
  /// Call it once.
  ///
  /// - Parameter onCancel: The action when the task is cancelled, at once if it is so already.
  /// - Returns: The value.
  /// - Throws: The error that is the result.
  package nonisolated(nonsending) func value(
    onCancel: @Sendable () -> Void
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          guard case .resolved(let result) = state else {
            state = .awaited(continuation)
            return nil
          }
          state = .taken
          return result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      onCancel()
    }
  }
}

extension Promise where Value == Void {
  /// Resumes the waiting task.
  package func resolve() { resolve(.success(())) }
}
