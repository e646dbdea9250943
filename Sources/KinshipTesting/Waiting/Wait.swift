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

  /// Waits for an event that a test awaits, until an ``Alarm`` goes off.
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
      throw NeverHeld(place: place, event: shortfall())
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

/// Runs an action when an event that a test awaits will probably never happen.
///
/// The alarm does not count the time that a test waits for its turn: hundreds of tests may share
/// two busy cores. It goes off when the whole process has rested for so long, or has computed for
/// fifteen times as long, because endless tasks never rest.
package final class Alarm: Sendable {
  private struct Pending {
    let limit: Int
    var rest = 0
    var computed = 0.0
    let ring: @Sendable () -> Void
  }

  /// The alarms of the process, for which one thread counts: endless tasks may hold all threads of
  /// the cooperative pool.
  private static let state = Lock((pending: [ObjectIdentifier: Pending](), isCounting: false))

  /// Sets an alarm for when the process has rested for `limit` tenths of a second.
  package init(after limit: Int, _ ring: @escaping @Sendable () -> Void) {
    let isCounting = Self.state.withLock { state in
      state.pending[ObjectIdentifier(self)] = Pending(limit: limit, ring: ring)
      defer { state.isCounting = true }
      return state.isCounting
    }
    if !isCounting { Thread.detachNewThread { Self.count() } }
  }

  deinit { stop() }

  package func stop() {
    Self.state.withLock { $0.pending[ObjectIdentifier(self)] = nil }
  }

  private static func count() {
    var last = processorTime()
    while true {
      // One tick after another, so that a machine that stops for a while does not use them up.
      Thread.sleep(forTimeInterval: 0.1)
      let now = processorTime()
      let used = now - last
      last = now
      let (due, isOver) = state.withLock { state in
        var due: [@Sendable () -> Void] = []
        for (id, var alarm) in state.pending {
          alarm.rest = used < 0.005 ? alarm.rest + 1 : 0
          alarm.computed += used
          let isDue = alarm.rest >= alarm.limit || alarm.computed >= 1.5 * Double(alarm.limit)
          if isDue { due.append(alarm.ring) }
          state.pending[id] = isDue ? nil : alarm
        }
        state.isCounting = !state.pending.isEmpty
        return (due, state.pending.isEmpty)
      }
      for ring in due { ring() }
      if isOver { return }
    }
  }

  /// The processor time of this process, in seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A state with a count that tests wait for.
protocol CountedState {
  var count: Int { get }
  var observers: [(count: Int, wait: Wait)] { get set }
}

extension Lock where Value: CountedState {
  /// Changes the state, and ends the waits for the counts that it reaches.
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, reached) = withLock { state in
      let result = body(&state)
      let count = state.count
      let reached = state.observers.filter { $0.count <= count }.map(\.wait)
      state.observers.removeAll { $0.count <= count }
      return (result, reached)
    }
    for wait in reached { wait.end() }
    return result
  }

  /// Waits until a count is reached; `event` says what did not happen if that takes too long.
  nonisolated(nonsending) func wait(
    for count: Int, at place: String, _ event: (_ current: Int) -> String
  ) async throws {
    let wait: Wait? = withLock { state in
      guard state.count < count else { return nil }
      let wait = Wait()
      state.observers.append((count, wait))
      return wait
    }
    do {
      try await wait?.untilAwaited(at: place) { event(withLock(\.count)) }
    } catch {
      withLock { state in state.observers.removeAll { $0.wait === wait } }
      throw error
    }
  }
}

/// A test waited for an event that did not happen.
public struct NeverHeld: LocalizedError, CustomStringConvertible {
  package let place: String

  package let event: String

  package init(place: String, event: String) {
    self.place = place
    self.event = event
  }

  /// The place in the test, and the missing event.
  public var description: String { "\(place): \(event)" }
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
