#if PostgreSQL
  internal import CPostgreSQL
  internal import KinshipSQL

  extension Connection {
    /// Runs SQL without values, with any number of statements, and discards the rows.
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
      let wasPrepared = statements[key] != nil
      do {
        return try run(command, key)
      } catch let error as PostgreSQLError
        where wasPrepared && error.isOfStatement && !isInTransaction && !isBroken
      {
        return try run(command, key)
      }
    }

    /// Runs a statement with values, as parameters of the types that fit them best.
    func query(_ sql: String, with values: [SQLValue]) throws -> Rows {
      try query(sql, values.map { try PostgreSQLType.of($0).parameter($0) })
    }

    /// Returns the names of the first parameters: `$1, $2`.
    static func parameters(_ count: Int) -> String {
      (0..<count).map { "$\($0 + 1)" }.joined(separator: ", ")
    }

    /// Returns rows whose columns, `v0` and so on, are arrays in parameters.
    static func rows(ofParameters count: Int) -> String {
      let names = (0..<count).map { "v\($0)" }.joined(separator: ", ")
      return "unnest(\(parameters(count))) AS n(\(names))"
    }

    private func run(_ command: SQLCommand, _ key: StatementKey) throws -> Rows {
      if statements[key] == nil { try makeRoom(for: 1) }
      let rows = try exchange {
        let name = try statements[key] ?? prepare(key)
        do {
          try send(command, to: name)
          return try receiveAll(of: command.sql)
        } catch let error as PostgreSQLError where error.isOfStatement {
          // The server no longer knows the prepared statement, or its columns have changed.
          statements[key] = nil
          throw error
        }
      }
      try check([rows])
      return rows
    }

    /// Rejects rows with a column that cannot be read, after asking the database for new types.
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
      statements[key] = name
      return name
    }

    /// Rejects a text that libpq would truncate.
    private func check(_ sql: String) throws(PostgreSQLError) {
      if sql.utf8.contains(0) { throw .notStorable("SQL must not contain a NUL character") }
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

    /// Returns why libpq rejects a request: the connection is lost, or the request is too large.
    private func refusal() -> PostgreSQLError {
      PQstatus(pointer) == CONNECTION_OK ? .notStorable(message) : lost()
    }

    /// Runs a closure in a transaction, with all of its changes or none.
    ///
    /// `kind` follows `BEGIN`, such as `ISOLATION LEVEL REPEATABLE READ`.
    ///
    /// - Throws: The closure's error, or the error of the commit; then nothing has changed.
    ///   `PostgreSQLError.unknownOutcome` if no answer to the commit arrived.
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

    /// Rolls back an open transaction; if that fails, the connection is unusable, and the server
    /// rolls back.
    private func rollBack() {
      guard !isBroken, PQtransactionStatus(pointer) != PQTRANS_IDLE else { return }
      do { try withoutCancellation { try execute("ROLLBACK") } } catch { isBroken = true }
    }

    private static let endedTransaction = PostgreSQLError.failed(
      state: .failedTransaction, message: "The transaction has failed or ended before its commit.",
      sql: nil)

    /// Commits, and waits for the answer even if the task is cancelled, because it comes soon.
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
    /// Whether the error concerns a prepared statement, which can be prepared again.
    var isOfStatement: Bool {
      state == .featureNotSupported || state == .unknownStatement
    }

    /// Whether a commit with this error may have succeeded.
    ///
    /// The server may end a connection after it has committed, while it waits for a standby.
    fileprivate var leavesCommitOpen: Bool { isConnectionLoss || state == .completionUnknown }
  }

  extension Connection: SQLReader {
    /// Runs a statement whose parameters are question marks, as KinshipSQL writes them.
    func withRows<Result>(
      of sql: String, _ values: [SQLValue], _ layout: RowLayout,
      _ body: (borrowing SQLRow) throws -> Result
    ) throws -> Result {
      let rows = try query(Self.numbered(sql), with: values)
      return try body(SQLRow(PostgreSQLCells(beforeFirstOf: rows), layout: layout))
    }

    func count(rowsRead count: Int) {}

    /// Returns a statement with numbers in place of its question marks, except in quoted names.
    static func numbered(_ sql: String) -> String {
      var numbered: [UInt8] = []
      numbered.reserveCapacity(sql.utf8.count + 16)
      var (number, isQuoted) = (0, false)
      for byte in sql.utf8 {
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: "?"), !isQuoted {
          number += 1
          numbered += Array("$\(number)".utf8)
        } else {
          numbered.append(byte)
        }
      }
      return String(decoding: numbered, as: UTF8.self)
    }
  }

  extension PostgreSQLType {
    /// Returns the type as which a value is compared.
    static func of(_ value: SQLValue) -> PostgreSQLType {
      switch value {
      case .integer: .int8
      case .real: .float8
      case .blob: .bytea
      case .text: .text
      case .null: .int8
      }
    }
  }
#endif
