#if SQLite
  internal import CSQLite
  internal import Kinship
  internal import KinshipSQL

  /// A connection of one actor, and the statements that it has prepared.
  final class Connection {
    private let handle: DatabaseHandle
    private var statements: [StatementKey: Statement] = [:]
    private let tally: Tally
    /// What was done since it was last told.
    private var statistics = SQLiteStatistics()
    /// The largest power of two that a statement may have parameters.
    let log2OfParameters: Int

    /// More statements than this are not kept: a program with more makes them from data.
    private static let mostStatements = 512

    var database: OpaquePointer { handle.pointer }

    init(_ name: String, flags: Int32, tally: Tally) throws(SQLiteError) {
      handle = try DatabaseHandle(name, flags: flags)
      for register in [IDList.register, TextOrder.register] {
        let code = register(handle.pointer)
        if code != SQLITE_OK { throw .last(of: handle.pointer, code: code, sql: nil) }
      }
      self.tally = tally
      let most = sqlite3_limit(handle.pointer, SQLITE_LIMIT_VARIABLE_NUMBER, -1)
      // Not all that SQLite would take: a list of ids is made to the next power of two.
      log2OfParameters = min(14, Int.bitWidth - 1 - max(1, Int(most)).leadingZeroBitCount)
    }

    /// From now on nobody waits in SQLite, and whoever is cancelled ends even within a statement.
    ///
    /// Waiting would block a thread that others need.
    func serve() throws(SQLiteError) {
      try execute("PRAGMA busy_timeout = 0")
      // Asked every so many steps of SQLite's virtual machine: some ten microseconds.
      sqlite3_progress_handler(database, 4_096, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }

    /// A statement, prepared once.
    func statement(
      _ key: StatementKey, _ sql: () throws(SQLiteError) -> String
    ) throws(SQLiteError) -> Statement {
      statistics.statementsExecuted += 1
      if let statement = statements[key] { return statement }
      let statement = try prepare(sql(), isKept: true)
      if statements.count >= Self.mostStatements { statements.removeAll() }
      statements[key] = statement
      return statement
    }

    func statement(_ sql: String) throws(SQLiteError) -> Statement {
      try statement(.text(sql)) { sql }
    }

    /// A statement that begins or ends a transaction, prepared once; it is not counted.
    func frame(_ sql: String) throws(SQLiteError) -> Statement {
      if let statement = statements[.text(sql)] { return statement }
      let statement = try prepare(sql, isKept: true)
      statements[.text(sql)] = statement
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
      return Statement(sql, handle: StatementHandle(pointer: pointer), database: database)
    }

    /// Runs SQL without values, of any number of statements, and drops the rows.
    func execute(_ sql: String) throws(SQLiteError) {
      let code = sqlite3_exec(database, sql, nil, nil, nil)
      if code != SQLITE_OK { throw .last(of: database, code: code, sql: sql) }
    }

    /// The first column of the first row of a statement that is not counted.
    func pragma(_ sql: String) throws(SQLiteError) -> SQLValue {
      try rows(of: prepare(sql, isKept: false)).first?.first ?? .null
    }

    /// The tables that a statement reads, in its order, and how: as SQLite describes it.
    func steps(of sql: String) throws(SQLiteError) -> [String] {
      // The columns are the step's number, that of what it is a part of, one more, and the words.
      try rows(of: prepare("EXPLAIN QUERY PLAN \(sql)", isKept: false))
        .filter { $0[1] == .integer(0) }.compactMap { $0[3].text }
    }

    /// How many rows the last statement changed, not counting what triggers and foreign keys did.
    var changes: Int { Int(sqlite3_changes64(database)) }

    /// Whether a transaction is open: some failures end it.
    var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

    /// A number that changes when another connection has changed the database.
    func dataVersion() throws(SQLiteError) -> Int64 {
      try requirePlace()
      guard case .integer(let version) = try pragma("PRAGMA data_version") else { return 0 }
      return version
    }

    /// Sees to it that the file is still where it was opened: what is written to another is lost.
    ///
    /// - Throws: `SQLiteError.replaced`.
    func requirePlace() throws(SQLiteError) {
      var hasMoved: Int32 = 0
      // A database in memory has no file, and says no.
      _ = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      if hasMoved != 0 { throw .replaced }
    }

    /// Notes that a statement is run again.
    func noteExecuted() { statistics.statementsExecuted += 1 }

    func note(rowsRead: Int) { statistics.rowsRead += rowsRead }

    /// Tells what was done: when a use of the connection ends.
    func settleStatistics() {
      tally.add(statistics)
      statistics = SQLiteStatistics()
    }

    /// Forgets the prepared statements.
    func forgetStatements() { statements.removeAll() }
  }
#endif
