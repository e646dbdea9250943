#if SQLite
  internal import CSQLite
  internal import Kinship
  internal import KinshipSQL

  /// A connection of one actor, with its prepared statements.
  final class Connection {
    let database: OpaquePointer
    private var statements: [StatementKey: Statement] = [:]
    private let tally: Tally
    /// The work since the statistics were last reported.
    private var statistics = SQLiteStatistics()
    /// The base-2 logarithm of the most parameters in a statement.
    let log2OfParameters: Int

    /// The most statements to keep; a program that needs more builds them from data.
    private static let mostStatements = 512

    /// Opens a database without locks at each call, because only one actor uses a connection.
    init(_ name: String, flags: Int32, tally: Tally) throws(SQLiteError) {
      var opened: OpaquePointer?
      let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
      guard code == SQLITE_OK, let opened else {
        defer { sqlite3_close_v2(opened) }
        throw .last(of: opened, code: code, sql: nil)
      }
      sqlite3_extended_result_codes(opened, 1)
      database = opened
      self.tally = tally
      let most = sqlite3_limit(opened, SQLITE_LIMIT_VARIABLE_NUMBER, -1)
      // Stay below SQLite's limit, because a list of ids is padded to the next power of two.
      log2OfParameters = min(14, Int.bitWidth - 1 - max(1, Int(most)).leadingZeroBitCount)
      for register in [IDList.register, TextOrder.register] {
        let code = register(opened)
        if code != SQLITE_OK { throw .last(of: opened, code: code, sql: nil) }
      }
    }

    /// SQLite closes a connection with unfinalised statements together with the last of them.
    deinit { sqlite3_close_v2(database) }

    /// Stops waiting in SQLite, and lets cancellation interrupt statements.
    ///
    /// Waiting would block a thread that others need.
    func serve() throws(SQLiteError) {
      try execute("PRAGMA busy_timeout = 0")
      // SQLite calls this after a number of steps of its virtual machine: about every ten
      // microseconds.
      sqlite3_progress_handler(database, 4_096, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }

    /// Returns a statement, prepared once.
    func statement(
      _ key: StatementKey, _ sql: () throws(SQLiteError) -> String
    ) throws(SQLiteError) -> Statement {
      statistics.statementsExecuted += 1
      return try kept(key, sql)
    }

    func statement(_ sql: String) throws(SQLiteError) -> Statement {
      try statement(.text(sql)) { sql }
    }

    /// Returns a statement that begins or ends a transaction, prepared once; it does not count in
    /// the statistics.
    func frame(_ sql: String) throws(SQLiteError) -> Statement { try kept(.text(sql)) { sql } }

    private func kept(
      _ key: StatementKey, _ sql: () throws(SQLiteError) -> String
    ) throws(SQLiteError) -> Statement {
      if let statement = statements[key] { return statement }
      let statement = try prepare(sql(), isKept: true)
      if statements.count >= Self.mostStatements { statements.removeAll() }
      statements[key] = statement
      return statement
    }

    private func prepare(_ sql: String, isKept: Bool) throws(SQLiteError) -> Statement {
      statistics.statementsPrepared += 1
      var pointer: OpaquePointer?
      let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
      let code = sqlite3_prepare_v3(database, sql, -1, flags, &pointer, nil)
      guard code == SQLITE_OK, let pointer else {
        throw .last(of: database, code: code, sql: sql)
      }
      return Statement(sql, pointer, database: database)
    }

    /// Runs SQL without values, with any number of statements, and discards the rows.
    func execute(_ sql: String) throws(SQLiteError) {
      let code = sqlite3_exec(database, sql, nil, nil, nil)
      if code != SQLITE_OK { throw .last(of: database, code: code, sql: sql) }
    }

    /// Returns the first column of the first row; the statement does not count in the statistics.
    func pragma(_ sql: String) throws(SQLiteError) -> SQLValue {
      try rows(of: prepare(sql, isKept: false)).first?.first ?? .null
    }

    /// Returns SQLite's description of how a statement reads each of its tables.
    func steps(of sql: String) throws(SQLiteError) -> [String] {
      // The columns are the step's number, its parent's number, an unused one, and the description.
      try rows(of: prepare("EXPLAIN QUERY PLAN \(sql)", isKept: false))
        .filter { $0[1] == .integer(0) }.compactMap { $0[3].text }
    }

    /// The number of rows changed by the last statement, not counting triggers and foreign keys.
    var changes: Int { Int(sqlite3_changes64(database)) }

    /// Whether a transaction is open; some failures end it.
    var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

    /// Returns a number that changes when another connection has changed the database.
    func dataVersion() throws(SQLiteError) -> Int64 {
      try requirePlace()
      return try pragma("PRAGMA data_version").integer ?? 0
    }

    /// Checks that the file is still in its place, because writes to a moved file are lost.
    func requirePlace() throws(SQLiteError) {
      var hasMoved: Int32 = 0
      // For a database in memory, which has no file, SQLite answers no.
      _ = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      if hasMoved != 0 { throw .replaced }
    }

    func countExecuted() { statistics.statementsExecuted += 1 }

    func count(rowsRead: Int) { statistics.rowsRead += rowsRead }

    /// Reports the statistics at the end of a use of the connection.
    func settleStatistics() {
      tally.add(statistics)
      statistics = SQLiteStatistics()
    }
  }

  extension Connection: SQLReader {
    func withRows<Result>(
      of sql: String, _ values: [SQLValue], _ layout: RowLayout,
      _ body: (borrowing SQLRow) throws -> Result
    ) throws -> Result {
      let statement = try statement(sql)
      defer { statement.reset() }
      try statement.bind(values)
      return try body(SQLRow(SQLiteCells(statement), layout: layout))
    }

    /// Returns the rows of a statement, value by value; meant for few rows.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> [[SQLValue]] {
      let statement = try statement(sql)
      try statement.bind(values)
      return try rows(of: statement)
    }

    /// Returns the rows of a statement whose values are bound.
    func rows(of statement: Statement) throws(SQLiteError) -> [[SQLValue]] {
      defer { statement.reset() }
      let count = sqlite3_column_count(statement.pointer)
      var rows: [[SQLValue]] = []
      while try statement.step() {
        rows.append((0..<count).map { StoredCell(statement.pointer, $0).stored })
      }
      return rows
    }

    func run(_ sql: String, _ values: [SQLValue]) throws(SQLiteError) {
      let statement = try statement(sql)
      try statement.bind(values)
      try statement.run()
    }

    /// Runs a closure that sees one state, and whose changes take effect together or not at all.
    func transaction<Result>(_ kind: String, _ body: () throws -> Result) throws -> Result {
      try frame("BEGIN \(kind)").run()
      do {
        let result = try body()
        try frame("COMMIT").run()
        return result
      } catch {
        // Some failures have already ended the transaction.
        if isInTransaction { try? execute("ROLLBACK") }
        throw error
      }
    }
  }

  /// Counts of the work that a store has asked of SQLite.
  public struct SQLiteStatistics: Hashable, Sendable {
    /// The number of executed statements that read or change rows.
    ///
    /// Statements that begin or end a transaction do not count.
    public internal(set) var statementsExecuted = 0
    /// The number of prepared statements, including those for opening the store.
    public internal(set) var statementsPrepared = 0
    /// The number of rows translated into records.
    public internal(set) var rowsRead = 0
  }

  /// The combined statistics of a store's connections.
  final class Tally: Sendable {
    private let statistics = Lock(SQLiteStatistics())

    var value: SQLiteStatistics { statistics.withLock { $0 } }

    func add(_ more: SQLiteStatistics) {
      statistics.withLock {
        $0.statementsExecuted += more.statementsExecuted
        $0.statementsPrepared += more.statementsPrepared
        $0.rowsRead += more.rowsRead
      }
    }
  }

  /// Kinship's order of texts, by their UTF-8, for databases in UTF-16.
  enum TextOrder {
    /// The name of the collation, in quotes.
    static let collation = "\"kinship utf8\""

    static func register(in database: OpaquePointer) -> Int32 {
      sqlite3_create_collation_v2(
        database, "kinship utf8", SQLITE_UTF8, nil,
        { _, leftCount, left, rightCount, right in
          let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
          let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          if left.lexicographicallyPrecedes(right) { return -1 }
          return right.lexicographicallyPrecedes(left) ? 1 : 0
        }, nil)
    }
  }
#endif
