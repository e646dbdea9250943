internal import Kinship

/// Connections that serve one task each; further tasks wait, suspended, in the order of their
/// calls.
///
/// No task waits in the database, so a cancelled task ends at once.
package final class ConnectionPool<Server: Sendable>: Sendable {
  private struct State {
    var idle: [Server]
    var busy = 0
    /// The error for new callers; `nil` while the pool is open.
    var refusal: (any Error)?
    /// Resolved when no connection is in use.
    var end: Promise<Void>?
    var waiters: [UInt64: Promise<Server>] = [:]
    var lastNumber: UInt64 = 0
    /// A lower bound of the waiters' numbers.
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
  /// The longest time to retry while others hold the database, or to wait for a free server.
  package let timeout: Duration

  package init(_ servers: [Server], timeout: Duration) {
    self.timeout = timeout
    state = Lock(State(idle: servers))
  }

  /// Runs a closure with exclusive use of a server, when it is the caller's turn.
  ///
  /// If you pass a failure, it is thrown when the turn does not come within the timeout.
  package func withServer<Result: Sendable>(
    orElse failure: (any Error)? = nil, _ body: (Server) async throws -> Result
  ) async throws -> Result {
    let server = try await acquire(orElse: failure)
    defer { release(server) }
    return try await body(server)
  }

  package func close() { state.withLock { $0.idle = [] } }

  /// Rejects new and waiting callers, and waits until the current ones are done.
  ///
  /// Call it once; it returns the servers.
  package func shut(refusing refusal: any Error) async -> [Server] {
    let end = Promise<Void>()
    let waiters = state.withLock { state in
      state.refusal = refusal
      if state.busy == 0 { end.resolve() } else { state.end = end }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resolve(.failure(refusal)) }
    // Wait even if this task is cancelled, so that no connection is closed while it is in use.
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
    // A waiter that is cancelled at this moment does not take the server.
    if let waiter, !waiter.resolve(.success(server)) { release(server) }
  }
}

extension Duration {
  /// The whole milliseconds, limited to the range of an Int32.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return Int(min(max(0, milliseconds), Double(Int32.max)).rounded(.up))
  }
}
