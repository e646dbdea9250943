#if SQLite
  internal import KinshipSQL

  extension ConnectionPool where Server: ConnectionServer {
    /// Runs a closure with exclusive use of a connection.
    ///
    /// - Parameters:
    ///   - isBrief: Whether the closure may run in the calling task, because it does not wait for
    ///     the disk.
    ///   - body: The closure. It runs again as long as another program holds the database, and must
    ///     have changed nothing in that case.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `CancellationError` if the task is cancelled.
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
            // Only one program writes at a time. Without a write-ahead log, or while a log is being
            // recovered, it blocks readers too.
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

  /// A server of tasks that has a connection.
  protocol ConnectionServer: Sendable {
    /// Runs a closure with exclusive use of the connection; in the calling task, if it is brief.
    func run<Result: Sendable>(
      isBrief: Bool, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result

    /// Closes the connection, which is no longer in use.
    func close() async
  }
#endif
