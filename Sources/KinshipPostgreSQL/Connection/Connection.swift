#if PostgreSQL
  internal import CPostgreSQL

  /// A connection of one actor, and the statements that it has prepared.
  ///
  /// It waits in its thread, never for longer than it may: for the server it waits at the socket,
  /// and looks from time to time whether the task is cancelled.
  final class Connection {
    private let handle: ConnectionHandle
    let settings: ConnectionSettings
    let types: TypeCatalog
    /// Whether it is of no use any longer: it is gone, or nobody knows what it does.
    var isBroken = false
    /// Whether it is told of what was committed.
    var isListening = false
    /// Whether whoever waits ends when the task is cancelled.
    var isCancellable = true
    /// Whether all of the pipeline that is under way has been handed to libpq.
    var isPipelineComplete = true
    /// Since when it is known that the task of whoever waits is cancelled.
    var cancelled: ContinuousClock.Instant?
    /// When whoever waits ends.
    var deadline = ContinuousClock.now
    private var statements: [StatementKey: String] = [:]
    private var lastStatement = 0

    /// More statements than this are not kept: a program with more makes them from data.
    static let mostStatements = 256

    var pointer: OpaquePointer { handle.pointer }

    /// Connects.
    ///
    /// The server's name is looked up in the thread, for as long as the system takes for it.
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

    /// The name of a statement; `nil` if it is not prepared yet.
    func name(of key: StatementKey) -> String? { statements[key] }

    func newName() -> String {
      lastStatement += 1
      return "kinship_\(lastStatement)"
    }

    func keep(_ key: StatementKey, as name: String) { statements[key] = name }

    func forget(_ key: StatementKey) { statements[key] = nil }

    /// Sees to it that so many statements more can be kept.
    func makeRoom(for count: Int) throws {
      guard !statements.isEmpty, statements.count + count > Self.mostStatements else { return }
      statements = [:]
      try execute("DEALLOCATE ALL")
    }

    // MARK: State

    /// Whether a transaction is open, perhaps one that has failed.
    var isInTransaction: Bool {
      let status = PQtransactionStatus(pointer)
      return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Runs a closure that ends by itself, not by cancellation of the task.
    func withoutCancellation<Result>(_ body: () throws -> Result) rethrows -> Result {
      let before = isCancellable
      isCancellable = false
      defer { isCancellable = before }
      return try body()
    }

    /// Breaks the connection, and says why.
    func lost() -> PostgreSQLError {
      isBroken = true
      return .connectionFailed(state: nil, message: message)
    }

    /// What libpq says of the connection, without its password.
    var message: String {
      let message = PostgreSQLError.sentence(String(cString: PQerrorMessage(pointer)))
      guard let password = PQpass(pointer).map({ String(cString: $0) }), !password.isEmpty else {
        return message
      }
      return message.split(separator: password, omittingEmptySubsequences: false)
        .joined(separator: "…")
    }
  }

  /// What a prepared statement is known by.
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
