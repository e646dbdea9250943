#if SQLite
  public import Kinship
  internal import KinshipSQL

  extension SQLiteStore {
    /// Chooses ids for rows that are to be inserted, as SQLite does: the integers after the largest
    /// one; of a table with `AUTOINCREMENT`, those that no row has ever had.
    ///
    /// Other ones another program may take, before the rows are inserted, for rows of its own: the
    /// insertion fails then with `KinshipError.exists`, and a transaction of a cache is made anew.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - count: How many ids are wanted.
    /// - Returns: The ids.
    /// - Throws: `KinshipError.unsupported` for ids that are no integers in one column;
    ///   `.unknownType` for a type without a table; `.readOnlyStore` if the store is opened for
    ///   reading only; `SQLiteError`; `CancellationError` if the task is cancelled.
    public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
      let plan = try plan(type)
      guard configuration.access == .readWrite else {
        throw KinshipError.readOnlyStore("SQLiteStore")
      }
      return try await writer.run { connection in
        let last = self.lastIDs.withLock { $0[ObjectIdentifier(type)] }
        let ids = try plan.reserve(Int64(clamping: count), above: last ?? 0, in: connection)
        self.lastIDs.withLock { $0[ObjectIdentifier(type)] = ids.last }
        return try plan.newIDs(ids.map { .integer($0) })
      }
    }
  }

  extension TablePlan {
    /// So many integers that no row has as its id, nor will be given.
    fileprivate func reserve(
      _ count: Int64, above last: Int64, in connection: Connection
    ) throws -> ClosedRange<Int64> {
      guard idColumns.count == 1, count > 0 else { throw cannotChooseIDs }
      let (column, name) = (SQLText.quoted(idColumns[0]), SQLValue.text(table.name))
      return try connection.transaction("IMMEDIATE") {
        var largest = last
        switch try connection.rows(
          "SELECT max(\(column)) FROM \(SQLText.quoted(table.name))"
        ).first?.first
        {
        case .integer(let number)?: largest = max(largest, number)
        case .null?, nil: break
        default: throw cannotChooseIDs
        }
        // There is such a table where any table has AUTOINCREMENT.
        let isNumbered = try !connection.rows(
          """
          SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE
            AND sql LIKE '%autoincrement%'
            AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence')
          """, [name]
        ).isEmpty
        if isNumbered {
          let known = try connection.rows(
            "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE", [name])
          if case .integer(let number)? = known.first?.first { largest = max(largest, number) }
        }
        let (end, isBeyond) = largest.addingReportingOverflow(count)
        if isBeyond { throw cannotChooseIDs }
        if isNumbered {
          try connection.run(
            "UPDATE sqlite_sequence SET seq = ? WHERE name = ? COLLATE NOCASE",
            [.integer(end), name])
          if connection.changes == 0 {
            try connection.run(
              """
              INSERT INTO sqlite_sequence (name, seq)
              SELECT name, ? FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE
              """, [.integer(end), name])
          }
        }
        return largest + 1...end
      }
    }
  }
#endif
