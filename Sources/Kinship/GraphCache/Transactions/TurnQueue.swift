/// One after another, in the order in which they came: a fair lock that is held across waits.
final class TurnQueue: Sendable {
  /// A place in the line.
  struct Ticket: Hashable, Sendable {
    let number: UInt64
  }

  private struct State {
    var lastNumber: UInt64 = 0
    /// The one that has the turn; the next number, if nobody has.
    var first = Ticket(number: 1)
    /// Those behind it that have given their places up.
    var left: Set<Ticket> = []
    var waiting: [Ticket: Promise<Void>] = [:]

    /// Takes a place out of the line; returns whose turn it is because of that.
    ///
    /// - Complexity: O(1) on average, amortised: each place is passed over once.
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

  /// How many have their turn or wait for it.
  var count: Int {
    state.withLock { Int($0.lastNumber + 1 - $0.first.number) - $0.left.count }
  }

  /// Whether a place is the first in the line.
  func hasTurn(_ ticket: Ticket) -> Bool { state.withLock { $0.first == ticket } }

  /// Takes the next place in the line.
  func reserve() -> Ticket {
    state.withLock { state in
      state.lastNumber += 1
      return Ticket(number: state.lastNumber)
    }
  }

  /// Takes the next place in the line and waits for the turn.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  nonisolated(nonsending) func take() async throws -> Ticket {
    let ticket = reserve()
    try await wait(for: ticket)
    return ticket
  }

  /// Waits until a place is the first; when the task is cancelled, gives the place up.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
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

  /// Gives a place up, and with the first one the turn.
  func pass(_ ticket: Ticket) { state.withLock { $0.remove(ticket) }?.resolve() }
}
