#if PostgreSQL
  internal import CPostgreSQL

  /// A connection of one actor, with its prepared statements.
  ///
  /// It waits in its thread, with a time limit. It waits for the server at the socket, and
  /// regularly checks whether the task is cancelled.
  final class Connection {
    let pointer: OpaquePointer
    let settings: ConnectionSettings
    let types: TypeCatalog
    /// Whether the connection is unusable, because it is lost or in an unknown state.
    var isBroken = false
    /// Whether it receives notifications of commits.
    var isListening = false
    /// Whether cancelling the task ends the wait.
    var isCancellable = true
    /// Whether the current pipeline has been passed to libpq completely.
    var isPipelineComplete = true
    /// The time since which the waiting task is known to be cancelled.
    var cancelled: ContinuousClock.Instant?
    /// The time at which the wait ends.
    var deadline = ContinuousClock.now
    /// The names of the prepared statements.
    var statements: [StatementKey: String] = [:]
    private var lastStatement = 0

    /// The most statements to keep; a program that needs more builds them from data.
    static let mostStatements = 256

    /// Connects; looking up the server's name blocks the thread for as long as the system takes.
    init(_ settings: ConnectionSettings, types: TypeCatalog) throws {
      try Task.checkCancellation()
      pointer = try Self.start(settings.conninfo)
      self.settings = settings
      self.types = types
      try connect()
      guard PQserverVersion(pointer) >= 140_000 else {
        throw PostgreSQLError.connectionFailed(
          state: nil, message: "it is older than PostgreSQL 14. Update the server.")
      }
      try execute(settings.opening)
      if let setup = settings.configuration.setup { try execute(setup) }
      try types.load(self)
    }

    deinit { PQfinish(pointer) }

    /// Begins to connect.
    ///
    /// An error in the connection string is reported without libpq's message, which may contain the
    /// password.
    private static func start(_ conninfo: String) throws(PostgreSQLError) -> OpaquePointer {
      var complaint: UnsafeMutablePointer<CChar>?
      guard let options = PQconninfoParse(conninfo, &complaint) else {
        PQfreemem(complaint)
        throw .connectionFailed(
          state: nil,
          message: "the conninfo cannot be parsed. Write it as host=db.example dbname=royal, or as "
            + "postgresql://db.example/royal.")
      }
      PQconninfoFree(options)
      // Later settings override the connection string, except for fallbacks.
      let keywords = ["dbname", "client_encoding", "fallback_application_name"]
      let values = [conninfo, "UTF8", "Kinship"]
      let opened = keywords.map { Parameter(0, text: $0) }.withPointers { keywords, _, _ in
        values.map { Parameter(0, text: $0) }.withPointers { values, _, _ in
          PQconnectStartParams(keywords + [nil], values + [nil], 1)
        }
      }
      guard let opened else {
        throw .connectionFailed(state: nil, message: "there is no memory for a connection.")
      }
      kinship_ignore_notices(opened)
      return opened
    }

    // MARK: Prepared statements

    func newName() -> String {
      lastStatement += 1
      return "kinship_\(lastStatement)"
    }

    func makeRoom(for count: Int) throws {
      guard !statements.isEmpty, statements.count + count > Self.mostStatements else { return }
      statements = [:]
      try execute("DEALLOCATE ALL")
    }

    // MARK: State

    /// Whether a transaction is open, including one that has failed.
    var isInTransaction: Bool {
      let status = PQtransactionStatus(pointer)
      return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Runs a closure that cancelling the task does not interrupt.
    func withoutCancellation<Result>(_ body: () throws -> Result) rethrows -> Result {
      let before = isCancellable
      isCancellable = false
      defer { isCancellable = before }
      return try body()
    }

    /// Marks the connection as unusable, and returns the reason.
    func lost() -> PostgreSQLError {
      isBroken = true
      return .connectionFailed(state: nil, message: message)
    }

    /// The reason why the server refused the connection, with what it was asked for.
    ///
    /// A database whose name looks like a conninfo is not named, because it may hold a password.
    func reason(for state: SQLSTATE?) -> String? {
      func text(_ pointer: UnsafePointer<CChar>?) -> String {
        let text = pointer.map { String(cString: $0) } ?? ""
        return text.contains { "@=".contains($0) } ? "…" : text
      }
      let place = "\(text(PQhost(pointer))):\(text(PQport(pointer)))"
      return state?.refusal(database: text(PQdb(pointer)), user: text(PQuser(pointer)))
        .map { withoutPassword("at \(place), \($0).") }
    }

    /// The message of libpq about the connection, without its password.
    var message: String {
      withoutPassword(PostgreSQLError.sentence(String(cString: PQerrorMessage(pointer))))
    }

    private func withoutPassword(_ message: String) -> String {
      guard let password = PQpass(pointer).map({ String(cString: $0) }), !password.isEmpty else {
        return message
      }
      return message.split(separator: password, omittingEmptySubsequences: false)
        .joined(separator: "…")
    }
  }

  struct StatementKey: Hashable {
    let sql: String
    let types: [UInt32]

    init(_ command: SQLCommand) {
      sql = command.sql
      types = command.parameters.map(\.type)
    }
  }

  struct SQLCommand: Sendable {
    let sql: String
    let parameters: [Parameter]

    init(_ sql: String, _ parameters: [Parameter] = []) {
      self.sql = sql
      self.parameters = parameters
    }
  }

  /// The address of a connection, and its time limits.
  struct ConnectionSettings: Sendable {
    /// The connection string for libpq: `host=… dbname=…`, or a URI.
    var conninfo: String
    var configuration = PostgreSQLConfiguration()
    /// The longest time to wait for data from a server that must answer; longer than a statement
    /// may take.
    var answerTimeout = Duration.seconds(60)
    /// The time for which a statement may continue after the task is cancelled.
    ///
    /// Asking the server to stop requires a new connection, which costs more than a quick
    /// statement.
    var cancellationDelay = Duration.milliseconds(50)
    /// The time to wait for the server to stop a cancelled statement, and for a rollback.
    var grace = Duration.seconds(5)

    /// The first SQL that a new connection runs.
    ///
    /// It turns off JIT compilation, which the server uses if it considers a table large. Compiling
    /// takes longer than running the statements of this store.
    var opening: String {
      """
      SET jit = off; SET standard_conforming_strings = on; SET datestyle = 'ISO';
      SET intervalstyle = 'postgres';
      SET timezone = 'UTC';
      SET statement_timeout = \(configuration.statementTimeout.milliseconds);
      SET lock_timeout = \(configuration.lockTimeout.milliseconds)
      """
    }
  }
#endif
