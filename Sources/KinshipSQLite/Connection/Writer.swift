#if SQLite
  internal import Kinship

  /// The one connection that writes.
  ///
  /// The pool gives it to one task at a time. To wake another thread and to be woken by it takes
  /// longer than a small write: so what is brief, and waits for no disk, is done in the task that
  /// asks, and everything else on a thread of its own.
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

    /// `nil` when it is closed.
    ///
    /// Nobody waits for the lock: who has the server has it alone.
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

    /// The last connection to end brings the log into the database, and waits for the disk.
    func close() async { await thread.run { self.connection.withLock { $0 = nil } } }
  }
#endif
