#if SQLite
  internal import Kinship

  /// The one connection that writes.
  ///
  /// The pool gives it to one task at a time. Switching to another thread and back takes longer
  /// than a small write. So brief work that does not wait for the disk runs in the calling task,
  /// and everything else on a separate thread.
  final class Writer: ConnectionServer {
    private actor OwnThread {
      private let executor = SerialQueueExecutor(label: "Kinship.SQLiteStore.Writer")

      nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
      }

      func run<Result: Sendable, E: Error>(
        _ body: @Sendable () throws(E) -> Result
      ) throws(E) -> Result { try body() }
    }

    /// The connection; `nil` when it is closed.
    ///
    /// No task waits for the lock, because the pool gives exclusive use of the server.
    private let connection: Lock<Connection?>
    private let path: String
    private let thread = OwnThread()

    init(_ connection: sending Connection, path: String) {
      self.connection = Lock(connection)
      self.path = path
    }

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
        guard let connection else { throw KinshipError.closed(path: path) }
        defer { connection.settleStatistics() }
        return try body(connection)
      }
    }

    /// The last connection to close writes the log back to the database, and waits for the disk.
    func close() async { await thread.run { self.connection.withLock { $0 = nil } } }
  }
#endif
