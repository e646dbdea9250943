#if SQLite
  internal import KinshipSQL

  extension ConnectionPool where Server: ConnectionServer {
    /// Runs a closure with a connection to itself.
    ///
    /// - Parameters:
    ///   - isBrief: Whether it may be run in the task that asks: it does not wait for the disk to
    ///     have what is written.
    ///   - body: The closure; it is run again as long as another program holds the database, and
    ///     must have changed nothing then.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; `CancellationError` if the task is cancelled.
    func run<Result: Sendable>(
      isBrief: Bool = false, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withServer { server in
        var delay = Duration.milliseconds(1)
        var start: ContinuousClock.Instant?
        while true {
          do {
            return try await server.run(isBrief: isBrief) { connection in
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
    }
  }

  /// One that has a connection.
  protocol ConnectionServer: Sendable {
    /// Runs a closure with the connection to itself; in the task that asks, if it is brief.
    func run<Result: Sendable>(
      isBrief: Bool, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result

    /// Closes the connection, which nobody uses any longer.
    func close() async
  }
#endif
