#if PostgreSQL
  internal import KinshipSQL

  extension ConnectionPool where Server: ConnectionServer {
    /// Runs a closure with a connection to itself.
    ///
    /// - Parameter body: The closure.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; `PostgreSQLError.timedOut` if no connection is free for
    ///   too long; `CancellationError` if the task is cancelled.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withServer(orElse: PostgreSQLError.timedOut("all connections are in use")) {
        try await $0.run(body)
      }
    }
  }

  /// One that has a connection.
  protocol ConnectionServer: Actor {
    /// Runs a closure with the connection to itself.
    func run<Result: Sendable>(_ body: @Sendable (Connection) throws -> Result) throws -> Result
  }
#endif
