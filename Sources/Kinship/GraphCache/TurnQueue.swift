/// Whose turn it is to write: one transaction after another, in the order in which they came.
struct TurnQueue {
  private var isTaken = false
  private var lastTicket: UInt64 = 0
  private var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []

  /// How many write or wait to write.
  var count: Int { waiting.count + (isTaken ? 1 : 0) }

  mutating func nextTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Takes the turn, or else waits for it.
  ///
  /// - Returns: Whether the turn is taken.
  mutating func take(
    _ ticket: UInt64, _ continuation: CheckedContinuation<Void, any Error>
  ) -> Bool {
    if isTaken {
      waiting.append((ticket, continuation))
      return false
    }
    isTaken = true
    return true
  }

  /// Gives the turn to the next; returns whom to tell.
  mutating func pass() -> CheckedContinuation<Void, any Error>? {
    if waiting.isEmpty {
      isTaken = false
      return nil
    }
    return waiting.removeFirst().continuation
  }

  /// Stops waiting; returns whom to tell.
  mutating func leave(_ ticket: UInt64) -> CheckedContinuation<Void, any Error>? {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return waiting.remove(at: index).continuation
  }
}

extension GraphCache {
  /// Waits until nobody else writes.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  nonisolated func takeTurn() async throws {
    let ticket = state.withLock { $0.turns.nextTicket() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Start: Sendable { case taken, waiting, cancelled }
        let start = state.withLock { state -> Start in
          // Cancelled before it waits: the handler has run already and found no one.
          if Task.isCancelled { return .cancelled }
          return state.turns.take(ticket, continuation) ? .taken : .waiting
        }
        switch start {
        case .taken: continuation.resume()
        case .waiting: break
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      state.withLock { $0.turns.leave(ticket) }?.resume(throwing: CancellationError())
    }
  }

  nonisolated func passTurn() { state.withLock { $0.turns.pass() }?.resume() }
}
