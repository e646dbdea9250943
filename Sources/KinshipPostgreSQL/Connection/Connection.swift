#if PostgreSQL
  internal import CPostgreSQL

  /// A connection of one actor, with its prepared statements.
  ///
  /// It waits in its thread, with a time limit. It waits for the server at the socket, and
  /// regularly checks whether the task is cancelled.
  final class Connection {
    private let handle: ConnectionHandle
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
    private var statements: [StatementKey: String] = [:]
    private var lastStatement = 0

    /// The most statements to keep; a program that needs more builds them from data.
    static let mostStatements = 256

    var pointer: OpaquePointer { handle.pointer }

    /// Connects.
    ///
    /// Looking up the server's name blocks the thread for as long as the system takes.
    init(_ settings: ConnectionSettings, types: TypeCatalog) throws {
      try Task.checkCancellation()
      handle = try ConnectionHandle(settings.conninfo)
      self.settings = settings
      self.types = types
      try connect()
      guard PQserverVersion(pointer) >= 140_000 else {
        throw PostgreSQLError.connectionFailed(
          state: nil, message: "The server is older than PostgreSQL 14.")
      }
      try execute(settings.opening)
      if let setup = settings.setup { try execute(setup) }
      try types.load(self)
    }

    // MARK: Prepared statements

    /// Returns the name of a statement; `nil` if it is not prepared yet.
    func name(of key: StatementKey) -> String? { statements[key] }

    func newName() -> String {
      lastStatement += 1
      return "kinship_\(lastStatement)"
    }

    func keep(_ key: StatementKey, as name: String) { statements[key] = name }

    func forget(_ key: StatementKey) { statements[key] = nil }

    /// Makes room for a number of further statements.
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

    /// The message of libpq about the connection, without its password.
    var message: String {
      let message = PostgreSQLError.sentence(String(cString: PQerrorMessage(pointer)))
      guard let password = PQpass(pointer).map({ String(cString: $0) }), !password.isEmpty else {
        return message
      }
      return message.split(separator: password, omittingEmptySubsequences: false)
        .joined(separator: "…")
    }
  }

  /// The key of a prepared statement.
  struct StatementKey: Hashable {
    let sql: String
    let types: [UInt32]

    init(_ command: SQLCommand) {
      sql = command.sql
      types = command.parameters.map(\.type)
    }
  }

  /// A statement with values for its parameters.
  struct SQLCommand: Sendable {
    let sql: String
    let parameters: [Parameter]

    init(_ sql: String, _ parameters: [Parameter] = []) {
      self.sql = sql
      self.parameters = parameters
    }
  }
#endif
