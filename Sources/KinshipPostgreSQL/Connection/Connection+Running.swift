#if PostgreSQL
  internal import CPostgreSQL

  extension Connection {
    /// Runs SQL without values, of any number of statements, and drops the rows.
    ///
    /// Several statements are one transaction, unless they say otherwise or one is open.
    func execute(_ sql: String) throws {
      try check(sql)
      try exchange {
        guard PQsendQuery(pointer, sql) == 1 else { throw lost() }
        _ = try receiveAll(of: sql)
      }
    }

    /// Runs a statement, prepared once, and returns its rows.
    func query(_ sql: String, _ parameters: [Parameter] = []) throws -> Rows {
      let command = SQLCommand(sql, parameters)
      let key = StatementKey(command)
      let wasPrepared = name(of: key) != nil
      do {
        return try run(command, key)
      } catch let error as PostgreSQLError
        where wasPrepared && error.isOfStatement && !isInTransaction && !isBroken
      {
        return try run(command, key)
      }
    }

    private func run(_ command: SQLCommand, _ key: StatementKey) throws -> Rows {
      if name(of: key) == nil { try makeRoom(for: 1) }
      let rows = try exchange {
        let name = try self.name(of: key) ?? prepare(key)
        do {
          try send(command, to: name)
          return try receiveAll(of: command.sql)
        } catch let error as PostgreSQLError where error.isOfStatement {
          // What was prepared is not known to the server, or makes other rows by now.
          forget(key)
          throw error
        }
      }
      try check([rows])
      return rows
    }

    /// Refuses rows with a column that cannot be read; the database is asked for new types.
    func check(_ results: [Rows]) throws {
      if results.contains(where: { !$0.isKnown }) {
        try types.reload(self)
        for rows in results { rows.findTypes() }
      }
      for rows in results { try rows.check() }
    }

    private func prepare(_ key: StatementKey) throws -> String {
      let name = newName()
      try sendPrepare(key, as: name)
      _ = try receiveAll(of: key.sql)
      keep(key, as: name)
      return name
    }

    /// Refuses a text of which libpq would see a part only.
    private func check(_ sql: String) throws(PostgreSQLError) {
      if sql.utf8.contains(0) { throw .notStorable("SQL with a NUL character") }
    }

    func sendPrepare(_ key: StatementKey, as name: String) throws {
      try check(key.sql)
      guard PQsendPrepare(pointer, name, key.sql, Int32(key.types.count), key.types) == 1
      else { throw refusal() }
    }

    func send(_ command: SQLCommand, to name: String) throws {
      let isSent = command.parameters.withPointers { values, lengths, formats in
        PQsendQueryPrepared(
          pointer, name, Int32(values.count), values, lengths, formats, 1)
      }
      guard isSent == 1 else { throw refusal() }
    }

    /// Why libpq takes no request: the connection is gone, or the request is too large.
    private func refusal() -> PostgreSQLError {
      PQstatus(pointer) == CONNECTION_OK ? .notStorable(message) : lost()
    }

    /// Runs a closure in a transaction: all that it changes is changed, or nothing.
    ///
    /// - Parameters:
    ///   - kind: What follows on `BEGIN`, such as `ISOLATION LEVEL REPEATABLE READ`.
    ///   - body: The closure.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, and what refuses the commit: then nothing has changed.
    ///   `PostgreSQLError.unknownOutcome` where the commit was asked for and not answered.
    func transaction<Result>(_ kind: String = "", _ body: () throws -> Result) throws -> Result {
      let result: Result
      do {
        try execute("BEGIN \(kind)")
        result = try body()
        if isCancellable { try Task.checkCancellation() }
      } catch {
        rollBack()
        throw error
      }
      try commit()
      return result
    }

    /// Ends what is open; where that fails, the connection is of no use, and the server ends it.
    private func rollBack() {
      guard !isBroken, PQtransactionStatus(pointer) != PQTRANS_IDLE else { return }
      do { try withoutCancellation { try execute("ROLLBACK") } } catch { isBroken = true }
    }

    private static let endedTransaction = PostgreSQLError.failed(
      state: .failedTransaction, message: "The transaction has failed or ended before its commit.",
      sql: nil)

    /// Commits, and waits for the answer whoever is cancelled: it comes soon.
    private func commit() throws {
      guard !isBroken, PQstatus(pointer) == CONNECTION_OK else { throw lost() }
      guard isInTransaction else { throw Self.endedTransaction }
      var isSent = false
      do {
        let tag = try withoutCancellation {
          deadline = .now + settings.answerTimeout
          isSent = PQsendQuery(pointer, "COMMIT") == 1
          guard isSent else { throw lost() }
          return try receiveAll(of: nil).tag
        }
        guard tag != "ROLLBACK" else { throw Self.endedTransaction }
      } catch let error as PostgreSQLError where !(isSent && error.leavesCommitOpen) {
        throw error
      } catch {
        isBroken = true
        throw PostgreSQLError.unknownOutcome
      }
    }
  }

  extension PostgreSQLError {
    /// Whether it is about a prepared statement, which may be prepared anew.
    var isOfStatement: Bool {
      state == .featureNotSupported || state == .unknownStatement
    }

    /// Whether a commit that has failed so may have been made: the server may end a connection
    /// when it has committed and waits for a standby.
    fileprivate var leavesCommitOpen: Bool { isConnectionLoss || state == .completionUnknown }
  }
#endif
