#if SQLite
  /// A connection that reads, opened on first use.
  actor Reader: ConnectionServer {
    private let file: DatabaseFile
    private let tally: Tally
    private var connection: Connection?

    init(_ file: DatabaseFile, _ tally: Tally) {
      self.file = file
      self.tally = tally
    }

    /// Runs a closure with exclusive use of the connection, in the calling task.
    func run<Result: Sendable>(
      isBrief: Bool, _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
      let connection = try self.connection ?? file.reader(tally)
      self.connection = connection
      defer { connection.settleStatistics() }
      return try body(connection)
    }

    /// Closes the connection, which is no longer in use.
    func close() { connection = nil }
  }
#endif
