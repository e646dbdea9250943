internal import Kinship

/// Holds tasks back until a test opens it, so that the test needs no sleep.
///
/// See ``ScriptedStore`` for an example.
///
/// A gate opens once and stays open.
public final class Gate: Sendable {
  private struct State: CountedState {
    var isOpen: Bool
    var waits: [Wait] = []
    var observers: [(count: Int, wait: Wait)] = []

    var count: Int { waits.count }
  }

  private let state: Lock<State>

  /// Creates a gate.
  ///
  /// - Parameter isOpen: Whether the gate is open at first.
  public init(isOpen: Bool = false) { state = Lock(State(isOpen: isOpen)) }

  /// Whether the gate is open.
  public var isOpen: Bool { state.withLock(\.isOpen) }

  /// The number of tasks that wait.
  public var waiterCount: Int { state.withLock(\.waits.count) }

  /// Opens the gate and resumes all waiting tasks, in the order in which they began to wait.
  ///
  /// - Complexity: O(*n*) in the waiting tasks.
  public func open() {
    let waits = state.withLock { state in
      state.isOpen = true
      defer { state.waits = [] }
      return state.waits
    }
    for wait in waits { wait.end() }
  }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while the gate is closed.
  nonisolated(nonsending) public func wait() async throws {
    guard let wait = join() else { return }
    if await wait.untilEndOrCancellation() == .cancellation {
      state.withLock { state in state.waits.removeAll { $0 === wait } }
      throw CancellationError()
    }
  }

  /// Waits until the gate is open, even if the task is cancelled.
  nonisolated(nonsending) public func waitIgnoringCancellation() async {
    _ = await join()?.untilEnd()
  }

  /// Waits until a number of tasks wait at the gate.
  ///
  /// - Parameters:
  ///   - count: The number of tasks.
  ///   - fileID: The file of the test that waits.
  ///   - line: The line of the test that waits.
  /// - Throws: ``NeverHeld`` after a minute; `CancellationError` if the task is cancelled.
  nonisolated(nonsending) public func waitForWaiters(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await state.wait(for: count, at: "\(fileID):\(line)") {
      "\($0) of \(count) tasks wait at the gate"
    }
  }

  /// Begins to wait; returns `nil` if the gate is open.
  private func join() -> Wait? {
    state.change { state in
      guard !state.isOpen else { return nil }
      let wait = Wait()
      state.waits.append(wait)
      return wait
    }
  }
}
