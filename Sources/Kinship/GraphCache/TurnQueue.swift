/// One after another, in the order in which they came: a fair lock that is held across waits.
final class TurnQueue: Sendable {
  private struct State {
    var isTaken = false
    var lastTicket: UInt64 = 0
    var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state = Lock(State())

  /// How many have their turn or wait for it.
  var count: Int { state.withLock { $0.waiting.count + ($0.isTaken ? 1 : 0) } }

  /// Waits for the turn.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  nonisolated(nonsending) func take() async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Start: Sendable { case taken, waiting, cancelled }
        let start = state.withLock { state -> Start in
          // Cancelled before it waits: the handler has run already and found no one.
          if Task.isCancelled { return .cancelled }
          if state.isTaken {
            state.waiting.append((ticket, continuation))
            return .waiting
          }
          state.isTaken = true
          return .taken
        }
        switch start {
        case .taken: continuation.resume()
        case .waiting: break
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  /// Gives the turn to the next.
  func pass() {
    state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst().continuation
    }?.resume()
  }

  private func leave(_ ticket: UInt64) {
    state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
        return nil
      }
      return state.waiting.remove(at: index).continuation
    }?.resume(throwing: CancellationError())
  }
}
