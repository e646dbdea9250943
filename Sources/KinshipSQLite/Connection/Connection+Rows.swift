#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  extension Connection: SQLReader {
    func withRows<Result>(
      of sql: String, _ values: [SQLValue], _ layout: RowLayout,
      _ body: (borrowing SQLRow) throws -> Result
    ) throws -> Result {
      let statement = try statement(sql)
      defer { statement.reset() }
      try statement.bind(values)
      return try body(SQLRow(SQLiteCells(statement.pointer), layout: layout))
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
      while true {
        switch sqlite3_step(statement.pointer) {
        case SQLITE_ROW:
          rows.append((0..<count).map { StoredColumn.value(statement.pointer, $0) })
        case SQLITE_DONE: return rows
        case let code: throw .last(of: database, code: code, sql: statement.sql)
        }
      }
    }

    /// Runs a statement that changes rows.
    func run(_ sql: String, _ values: [SQLValue]) throws(SQLiteError) {
      let statement = try statement(sql)
      try statement.bind(values)
      try statement.run()
    }

    /// Runs a closure in a transaction.
    ///
    /// The closure sees one state of the database, and its changes take effect together or not at
    /// all.
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
#endif
