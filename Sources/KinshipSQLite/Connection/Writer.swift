#if SQLite
  internal import Kinship

  /// The one connection that writes.
  actor Writer: ConnectionServer {
    /// `nil` when it is closed.
    private var connection: Connection?
    private let path: String
    private let executor = SerialQueueExecutor(label: "Kinship.SQLiteStore.Writer")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ connection: sending Connection, path: String) {
      self.connection = connection
      self.path = path
    }

    /// Runs a closure with the connection to itself.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      guard let connection else { throw KinshipError.closed(path: path) }
      defer { connection.settleStatistics() }
      return try body(connection)
    }

    /// Closes the connection, which nobody uses any longer.
    func close() { connection = nil }
  }
#endif
