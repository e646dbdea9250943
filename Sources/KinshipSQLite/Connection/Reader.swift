#if SQLite
  /// A connection that reads; it is opened when it is first used.
  actor Reader: ConnectionServer {
    private let file: DatabaseFile
    private let tally: Tally
    private var connection: Connection?

    init(_ file: DatabaseFile, _ tally: Tally) {
      self.file = file
      self.tally = tally
    }

    /// Runs a closure with the connection to itself, in the task that asks.
    func run<Result: Sendable>(
      isBrief: Bool, _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      let connection = try self.connection ?? file.reader(tally)
      self.connection = connection
      defer { connection.settleStatistics() }
      return try body(connection)
    }

    /// Closes the connection, which nobody uses any longer.
    func close() { connection = nil }
  }
#endif
