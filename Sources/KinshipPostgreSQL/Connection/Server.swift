#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// A connection with its own thread, opened on first use and again after it was lost.
  actor Server {
    private let settings: ConnectionSettings
    private let types: TypeCatalog
    private var connection: Connection?
    private let executor = SerialQueueExecutor(label: "Kinship.PostgreSQLStore")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ settings: ConnectionSettings, types: TypeCatalog) {
      self.settings = settings
      self.types = types
    }

    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      let connection = try usable()
      defer {
        // A transaction that a closure leaves open would include the next closure's work.
        if connection.isBroken || connection.isInTransaction { self.connection = nil }
      }
      return try body(connection)
    }

    private func usable() throws -> Connection {
      if let connection, connection.isAlive() { return connection }
      // Close it before opening another, because the server may allow only a few.
      connection = nil
      let connection = try Connection(settings, types: types)
      self.connection = connection
      return connection
    }
  }

  extension ConnectionPool where Server == KinshipPostgreSQL.Server {
    /// Runs a closure with exclusive use of a connection, if one becomes free in time.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withServer(orElse: PostgreSQLError.timedOut("all connections are in use")) {
        try await $0.run(body)
      }
    }
  }
#endif
