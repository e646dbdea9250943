#if PostgreSQL
  internal import KinshipSQL

  extension ConnectionPool where Server: ConnectionServer {
    /// Runs a closure with exclusive use of a connection.
    ///
    /// - Parameter body: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `PostgreSQLError.timedOut` if no connection becomes free in
    ///   time; `CancellationError` if the task is cancelled.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withServer(orElse: PostgreSQLError.timedOut("all connections are in use")) {
        try await $0.run(body)
      }
    }
  }

  /// A server of tasks that has a connection.
  protocol ConnectionServer: Actor {
    /// Runs a closure with exclusive use of the connection.
    func run<Result: Sendable>(_ body: @Sendable (Connection) throws -> Result) throws -> Result
  }
#endif
