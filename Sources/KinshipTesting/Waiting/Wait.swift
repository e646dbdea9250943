public import Foundation
internal import Kinship

/// One task's wait, which ends with its event or its cancellation, even before it begins.
package final class Wait: Sendable {
  package enum End {
    case event
    case cancellation
    /// It took too long.
    case exhaustion
  }

  private enum State {
    case idle
    case waiting(CheckedContinuation<End, Never>)
    case ended(End)
  }

  private let state = Lock(State.idle)

  package init() {}

  /// Ends the wait, unless it has ended already.
  package func end(_ end: End = .event) {
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
  nonisolated(nonsending) package func untilEndOrCancellation() async -> End {
    await withTaskCancellationHandler {
      await untilEnd()
    } onCancel: {
      end(.cancellation)
    }
  }

  /// Waits up to a minute for an event that a test awaits.
  ///
  /// A test that waits in vain fails.
  ///
  /// - Throws: ``NeverHeld`` if the event does not happen, `CancellationError` at once if the task
  ///   is cancelled.
  nonisolated(nonsending) package func untilAwaited(
    at place: String, limit: Int = 600, _ shortfall: () -> String
  ) async throws {
    let alarm = Alarm(after: limit) { self.end(.exhaustion) }
    defer { alarm.stop() }
    switch await untilEndOrCancellation() {
    case .event: return
    case .cancellation: throw CancellationError()
    case .exhaustion:
      throw NeverHeld(place: place, event: "after \(limit / 10) s, \(shortfall())")
    }
  }

  nonisolated(nonsending) package func untilEnd() async -> End {
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

/// Runs an action when too much time has passed, on a thread of its own, because endless tasks may
/// hold all threads of the cooperative pool.
package final class Alarm: Sendable {
  private let isStopped = Lock(false)

  /// Calls a closure after `limit` tenths of a second, unless it is stopped.
  package init(after limit: Int, _ ring: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      // One after another, so that a machine that stops for a while does not use them up.
      for _ in 0..<limit {
        Thread.sleep(forTimeInterval: 0.1)
        if isStopped.withLock({ $0 }) { return }
      }
      ring()
    }
  }

  package func stop() { isStopped.withLock { $0 = true } }
}

/// The waits for a count to be reached.
struct Headcount {
  private var observers: [(count: Int, wait: Wait)] = []

  /// Begins to wait for a count; returns `nil` if it is reached already.
  mutating func observer(of count: Int, current: Int) -> Wait? {
    guard current < count else { return nil }
    let wait = Wait()
    observers.append((count, wait))
    return wait
  }

  /// Removes the waits whose count is reached, for the caller to end outside its lock.
  mutating func reached(by current: Int) -> [Wait] {
    let reached = observers.filter { $0.count <= current }.map(\.wait)
    observers.removeAll { $0.count <= current }
    return reached
  }

  /// Removes a wait that has given up.
  mutating func remove(_ wait: Wait) {
    observers.removeAll { $0.wait === wait }
  }
}

/// A test waited for an event that did not happen.
public struct NeverHeld: Error, CustomStringConvertible {
  package let place: String

  package let event: String

  package init(place: String, event: String) {
    self.place = place
    self.event = event
  }

  /// The place in the test, and the missing event.
  public var description: String { "\(place): \(event)" }
}

extension NeverHeld: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
