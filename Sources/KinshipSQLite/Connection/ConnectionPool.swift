#if SQLite
  internal import Kinship

  /// Connections that each serve one task at a time; tasks beyond that wait, suspended, in the
  /// order in which they came.
  ///
  /// Nobody waits in SQLite, neither for a connection nor for another program that holds the
  /// database: so whoever is cancelled ends at once.
  final class ConnectionPool<Server: ConnectionServer>: Sendable {
    private struct State {
      var idle: [Server]
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
    private let timeout: Duration

    init(_ servers: [Server], timeout: Duration) {
      self.timeout = timeout
      state = Lock(State(idle: servers))
    }

    /// Runs a closure with a connection to itself.
    ///
    /// - Parameter body: The closure; it is run again as long as another program holds the
    ///   database, and must have changed nothing then.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; `CancellationError` if the task is cancelled.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      let server = try await acquire()
      defer { release(server) }
      var delay = Duration.milliseconds(1)
      var start: ContinuousClock.Instant?
      while true {
        do {
          return try await server.run { connection in
            try Task.checkCancellation()
            return try body(connection)
          }
        } catch let error as SQLiteError where error.isInterruption && Task.isCancelled {
          throw CancellationError()
        } catch let error as SQLiteError where error.isBusy {
          // Only one program writes at a time. Without a write-ahead log, and while one is
          // recovered, it keeps readers out as well.
          let now = ContinuousClock.now
          if now - (start ?? now) >= timeout { throw error }
          start = start ?? now
          try await Task.sleep(for: delay)
          delay = min(delay * 2, .milliseconds(50))
        }
      }
    }

    /// Closes the connections that nobody uses.
    func close() { state.withLock { $0.idle = [] } }

    private func acquire() async throws -> Server {
      try Task.checkCancellation()
      let waiter = Promise<Server>()
      let (server, number) = state.withLock { state -> (Server?, UInt64) in
        if let server = state.idle.popLast() { return (server, 0) }
        state.lastNumber += 1
        state.waiters[state.lastNumber] = waiter
        return (nil, state.lastNumber)
      }
      if let server { return server }
      defer { state.withLock { $0.waiters[number] = nil } }
      return try await waiter.value()
    }

    private func release(_ server: Server) {
      let waiter = state.withLock { state in
        let waiter = state.popFirst()
        if waiter == nil { state.idle.append(server) }
        return waiter
      }
      // Whoever is cancelled at this moment does not take it.
      if let waiter, !waiter.resolve(.success(server)) { release(server) }
    }
  }

  /// One that has a connection.
  protocol ConnectionServer: Actor {
    /// Runs a closure with the connection to itself.
    func run<Result: Sendable>(_ body: @Sendable (Connection) throws -> Result) throws -> Result
  }
#endif
