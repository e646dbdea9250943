internal import Kinship

/// Records the calls of concurrent callers and their answers, in the order in which they happen.
public final class HistoryRecorder<Operation: Sendable, Response: Sendable>: Sendable {
  private struct State {
    var time = 0
    var history = History<Operation, Response>()

    mutating func tick() -> Int {
      defer { time += 1 }
      return time
    }
  }

  private let state = Lock(State())

  /// Creates a recorder of an empty history.
  public init() {}

  /// The history recorded so far.
  public var history: History<Operation, Response> { state.withLock(\.history) }

  /// Performs an operation and records its call and its return.
  ///
  /// - Parameters:
  ///   - operation: The operation to record.
  ///   - perform: Performs the operation.
  /// - Returns: The answer.
  /// - Throws: Any error of `perform`. The operation then counts as one that may have taken effect.
  nonisolated(nonsending) public func record<Failure: Error>(
    _ operation: Operation,
    perform: nonisolated(nonsending) () async throws(Failure) -> Response
  ) async throws(Failure) -> Response {
    let index = state.withLock { state in
      let entry = History.Entry(operation, invoked: state.tick(), returned: nil as (Int, Response)?)
      state.history.entries.append(entry)
      return state.history.entries.count - 1
    }
    let response = try await perform()
    state.withLock { state in
      state.history.entries[index].returned = (state.tick(), response)
    }
    return response
  }
}
