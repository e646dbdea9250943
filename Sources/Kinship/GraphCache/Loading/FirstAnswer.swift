/// The first of several answers, for one who waits; the others are discarded.
final class FirstAnswer<Answer: Sendable>: Sendable {
  private struct State {
    var result: Result<Answer, any Error>?
    var isGiven = false
    var continuation: CheckedContinuation<Answer, any Error>?
  }

  private let state = Lock(State())

  /// Gives an answer.
  ///
  /// - Returns: Whether it is the first.
  @discardableResult
  func give(_ result: Result<Answer, any Error>) -> Bool {
    typealias Waiting = CheckedContinuation<Answer, any Error>
    let (isFirst, waiting) = state.withLock { state -> (Bool, Waiting?) in
      if state.isGiven { return (false, nil) }
      state.isGiven = true
      if state.continuation == nil { state.result = result }
      defer { state.continuation = nil }
      return (true, state.continuation)
    }
    waiting?.resume(with: result)
    return isFirst
  }

  /// Waits for the first answer; to be called once.
  nonisolated(nonsending) func wait() async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.continuation = continuation }
        defer { state.result = nil }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
