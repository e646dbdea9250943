/// A fair lock that is held across waits: its holders run one after another, in the order in which
/// they came.
final class TurnQueue: Sendable {
  /// A place in the queue.
  struct Ticket: Hashable, Sendable {
    let number: UInt64
  }

  private struct State {
    var lastNumber: UInt64 = 0
    /// The place that has the turn; the next number if the queue is empty.
    var first = Ticket(number: 1)
    /// The given-up places behind it.
    var left: Set<Ticket> = []
    var waiting: [Ticket: Promise<Void>] = [:]

    /// Removes a place from the queue, and returns the promise of the place that now has the turn.
    ///
    /// - Complexity: O(1) on average, amortised: each place is skipped once.
    mutating func remove(_ ticket: Ticket) -> Promise<Void>? {
      guard ticket.number >= first.number else { return nil }
      if ticket == first, left.isEmpty {
        first = Ticket(number: first.number + 1)
        return waiting.isEmpty ? nil : waiting.removeValue(forKey: first)
      }
      left.insert(ticket)
      waiting[ticket] = nil
      guard ticket == first else { return nil }
      while left.remove(first) != nil { first = Ticket(number: first.number + 1) }
      return waiting.removeValue(forKey: first)
    }
  }

  private let state = Lock(State())

  /// The number of places that have the turn or wait for it.
  var count: Int {
    state.withLock { Int($0.lastNumber + 1 - $0.first.number) - $0.left.count }
  }

  /// Returns whether a place is the first in the queue.
  func hasTurn(_ ticket: Ticket) -> Bool { state.withLock { $0.first == ticket } }

  /// Takes the next place in the queue.
  func reserve() -> Ticket {
    state.withLock { state in
      state.lastNumber += 1
      return Ticket(number: state.lastNumber)
    }
  }

  /// Takes the next place in the queue and waits for the turn.
  ///
  /// - Throws: `CancellationError` at once if the task is cancelled.
  nonisolated(nonsending) func waitForTurn() async throws -> Ticket {
    let ticket = reserve()
    try await wait(for: ticket)
    return ticket
  }

  /// Waits until a place is the first; if the task is cancelled, gives the place up.
  ///
  /// - Throws: `CancellationError` at once if the task is cancelled.
  nonisolated(nonsending) func wait(for ticket: Ticket) async throws {
    do {
      try Task.checkCancellation()
      let turn = state.withLock { state -> Promise<Void>? in
        if state.first == ticket { return nil }
        let turn = Promise<Void>()
        state.waiting[ticket] = turn
        return turn
      }
      try await turn?.value()
    } catch {
      pass(ticket)
      throw error
    }
  }

  /// Gives up a place; giving up the first place ends its turn.
  func pass(_ ticket: Ticket) { state.withLock { $0.remove(ticket) }?.resolve() }
}
