#if PostgreSQL
  internal import Kinship

  /// A connection that is made when it is first used, and again when it was lost; it waits for the
  /// server in a thread of its own.
  actor Server: ConnectionServer {
    private let settings: ConnectionSettings
    private let types: TypeCatalog
    private var connection: Connection?
    private let executor = SerialQueueExecutor(label: "Kinship.PostgreSQLStore")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ settings: ConnectionSettings, types: TypeCatalog) {
      self.settings = settings
      self.types = types
    }

    /// Runs a closure with the connection to itself.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      let connection = try usable()
      defer {
        // What a closure leaves open would be part of what the next one does.
        if connection.isBroken || connection.isInTransaction { self.connection = nil }
      }
      return try body(connection)
    }

    private func usable() throws -> Connection {
      if let connection, connection.isAlive() { return connection }
      // It is closed before another is made: the server may have few.
      connection = nil
      let connection = try Connection(settings, types: types)
      self.connection = connection
      return connection
    }
  }
#endif
