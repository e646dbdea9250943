internal import Kinship

/// Connections that each serve one task at a time; tasks beyond that wait, suspended, in the
/// order in which they came.
///
/// Nobody waits in the database: so whoever is cancelled ends at once.
package final class ConnectionPool<Server: Sendable>: Sendable {
  private struct State {
    var idle: [Server]
    /// How many serve somebody.
    var busy = 0
    /// What whoever comes is refused with; `nil` until it is shut.
    var refusal: (any Error)?
    /// Resolved when nobody is served any longer.
    var end: Promise<Void>?
    var waiters: [UInt64: Promise<Server>] = [:]
    var lastNumber: UInt64 = 0
    /// No waiter has a number below it.
    var first: UInt64 = 1

    mutating func popFirst() -> Promise<Server>? {
      guard !waiters.isEmpty else { return nil }
      while true {
        defer { first += 1 }
        if let waiter = waiters.removeValue(forKey: first) { return waiter }
      }
    }
  }

  private let state: Lock<State>
  /// How long a database that others hold is asked again, or a free server waited for.
  package let timeout: Duration

  package init(_ servers: [Server], timeout: Duration) {
    self.timeout = timeout
    state = Lock(State(idle: servers))
  }

  /// Runs a closure with a server to itself, once it is its turn.
  ///
  /// Where a failure is given, it is thrown if it is not its turn within the timeout.
  package func withServer<Result: Sendable>(
    orElse failure: (any Error)? = nil, _ body: (Server) async throws -> Result
  ) async throws -> Result {
    let server = try await acquire(orElse: failure)
    defer { release(server) }
    return try await body(server)
  }

  /// Closes the connections that nobody uses.
  package func close() { state.withLock { $0.idle = [] } }

  /// Refuses whoever comes or waits from now on, and waits until those who are served are done; to
  /// be called once.
  ///
  /// - Parameter refusal: What they are refused with.
  /// - Returns: The servers.
  package func shut(refusing refusal: any Error) async -> [Server] {
    let end = Promise<Void>()
    let waiters = state.withLock { state in
      state.refusal = refusal
      if state.busy == 0 { end.resolve() } else { state.end = end }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resolve(.failure(refusal)) }
    // Whoever is cancelled waits all the same: or connections would be closed that are in use.
    try? await end.value {}
    return state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
  }

  private func acquire(orElse failure: (any Error)?) async throws -> Server {
    try Task.checkCancellation()
    let waiter = Promise<Server>()
    let (server, number) = try state.withLock { state throws -> (Server?, UInt64) in
      if let refusal = state.refusal { throw refusal }
      if let server = state.idle.popLast() {
        state.busy += 1
        return (server, 0)
      }
      state.lastNumber += 1
      state.waiters[state.lastNumber] = waiter
      return (nil, state.lastNumber)
    }
    if let server { return server }
    let alarm = failure.map { failure in
      Task {
        try await Task.sleep(for: timeout)
        waiter.resolve(.failure(failure))
      }
    }
    defer {
      alarm?.cancel()
      state.withLock { $0.waiters[number] = nil }
    }
    return try await waiter.value()
  }

  private func release(_ server: Server) {
    let (waiter, end) = state.withLock { state -> (Promise<Server>?, Promise<Void>?) in
      if let waiter = state.popFirst() { return (waiter, nil) }
      state.idle.append(server)
      state.busy -= 1
      return (nil, state.busy == 0 ? state.end : nil)
    }
    end?.resolve()
    // Whoever is cancelled at this moment does not take it.
    if let waiter, !waiter.resolve(.success(server)) { release(server) }
  }
}
