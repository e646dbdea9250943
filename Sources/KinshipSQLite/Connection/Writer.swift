#if SQLite
  internal import Kinship

  /// The one connection that writes.
  actor Writer: ConnectionServer {
    private let connection: Connection
    private let executor = SerialQueueExecutor(label: "Kinship.SQLiteStore.Writer")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ connection: sending Connection) { self.connection = connection }

    /// Runs a closure with the connection to itself.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      defer { connection.settleStatistics() }
      return try body(connection)
    }
  }
#endif
