#if SQLite
  internal import Kinship
  internal import KinshipSQL

  extension ConnectionPool where Server == ConnectionServer {
    /// Runs a closure with exclusive use of a connection; in the calling task, if it is brief and
    /// does not wait for the disk.
    ///
    /// The closure runs again as long as another program holds the database, and must have changed
    /// nothing in that case.
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

  /// A connection, which the pool gives to one task at a time.
  ///
  /// Switching to another thread and back takes longer than a small write. So reads, and brief work
  /// that does not wait for the disk, run in the calling task, and everything else on a separate
  /// thread.
  final class ConnectionServer: Sendable {
    private actor OwnThread {
      private let executor = SerialQueueExecutor(label: "Kinship.SQLiteStore.Writer")

      nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
      }

      func run<Result: Sendable, E: Error>(
        _ body: @Sendable () throws(E) -> Result
      ) throws(E) -> Result { try body() }
    }

    /// The connection, whose lock no task waits for; `nil` before it is opened, and when it is
    /// closed.
    private let connection: Lock<Connection?>
    private let open: @Sendable () throws -> sending Connection
    private let thread = OwnThread()

    /// Creates a server that opens a connection on first use, unless there is one already.
    init(
      _ connection: sending Connection? = nil,
      open: @escaping @Sendable () throws -> sending Connection
    ) {
      self.connection = Lock(connection)
      self.open = open
    }

    /// Runs a closure with exclusive use of the connection; in the calling task, if it is brief.
    func run<Result: Sendable>(
      isBrief: Bool, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      if isBrief { return try use(body) }
      return try await thread.run { try self.use(body) }
    }

    private func use<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      try connection.withLock { connection in
        let opened = try connection ?? open()
        connection = opened
        defer { opened.settleStatistics() }
        return try body(opened)
      }
    }

    /// Closes the connection, which is no longer in use.
    ///
    /// The last connection to close writes the log back to the database, and waits for the disk.
    func close() async { await thread.run { self.connection.withLock { $0 = nil } } }
  }
#endif
