internal import Kinship

/// One task's wait, ended by whoever comes first: the event it waits for, or its cancellation.
///
/// It can be ended before it begins.
final class Wait: Sendable {
  /// How a wait ended.
  enum End {
    case event
    case cancellation
  }

  private enum State {
    case idle
    case waiting(CheckedContinuation<End, Never>)
    case ended(End)
  }

  private let state = Lock(State.idle)

  /// Ends the wait, unless something has ended it already.
  func end(_ end: End = .event) {
    let continuation: CheckedContinuation<End, Never>? = state.withLock { state in
      switch state {
      case .idle:
        state = .ended(end)
        return nil
      case .waiting(let continuation):
        state = .ended(end)
        return continuation
      case .ended:
        return nil
      }
    }
    // Outside the lock: resuming may run the task right here.
    continuation?.resume(returning: end)
  }

  /// Waits for the event, or for the task's cancellation.
  nonisolated(nonsending) func untilEndOrCancellation() async -> End {
    await withTaskCancellationHandler {
      await untilEnd()
    } onCancel: {
      end(.cancellation)
    }
  }

  /// Waits for the event alone.
  nonisolated(nonsending) func untilEnd() async -> End {
    await withCheckedContinuation { continuation in
      let end: End? = state.withLock { state in
        if case .ended(let end) = state { return end }
        state = .waiting(continuation)
        return nil
      }
      if let end { continuation.resume(returning: end) }
    }
  }
}
