#if SQLite
  public import Kinship
  internal import KinshipSQL

  extension SQLiteStore {
    /// Applies changes in one transaction.
    ///
    /// 1. The records to delete are checked.
    /// 2. Rows are updated, in the changed columns only.
    /// 3. Rows are deleted, then inserted.
    /// 4. Lists are written: the rows of join tables are replaced, and foreign keys set.
    /// 5. SQLite checks foreign keys and commits.
    ///
    /// The columns that a deleted record does not map are kept with the changes by
    /// `ChangeSet.keep(_:of:)`, so undoing the deletion inserts the row as it was, with values in
    /// their stored form.
    ///
    /// A property without its own column, such as a part of a JSON value, is set in the stored
    /// value. An update of a property stored as a JSON object keeps unknown keys. A changed
    /// list writes only its inserted and removed rows; an ordered list in a table between is
    /// replaced as one value.
    ///
    /// At the end, the store reads rows again in tables with computed columns or rounded values,
    /// and in databases with triggers or cascades. It reports what the database changed in this
    /// commit, also without a log.
    ///
    /// If a row blocks another by a unique value that it is about to give up, the other one waits.
    /// Deleting a record clears its lists: rows of join tables are deleted, foreign keys set to
    /// NULL.
    ///
    /// - Parameter changes: The records to insert, update and delete.
    /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
    ///   update or delete that does not, or has another version; `.misuse(.identityChanged)` for
    ///   one that would get another id; `.untranslatable` for one that cannot be stored;
    ///   `SQLiteError` if SQLite rejects the changes; `KinshipError.misuse(.readOnlyStore)` if the
    ///   store is opened for reading only; `CancellationError` if the task is cancelled. In these
    ///   cases, nothing has changed.
    public func apply(_ changes: ChangeSet) async throws {
      try Task.checkCancellation()
      try requireWriting()
      let parts = try changes.recordTypes.map { try part(changes, of: $0) }
      let isBrief = changes.count <= 16 && configuration.synchronous != .full
      try await writer.run(isBrief: isBrief) { connection in
        try self.sharing.apply(parts, of: changes, in: connection)
      }
    }

    /// Returns whether an error means, for certain, that nothing was changed.
    ///
    /// SQLite rolls back what it cannot commit. Only a failure of the disk leaves the outcome
    /// unknown.
    ///
    /// - Parameter error: An error that ``apply(_:)`` has thrown.
    /// - Returns: Whether nothing was changed.
    public func isRefusal(_ error: any Error) -> Bool { (error as? SQLiteError)?.isOfDisk != true }

    private func part<R: GraphRecord>(_ changes: ChangeSet, of type: R.Type) throws -> TablePart {
      TablePart(TableChanges(changes, try tablePlan(of: type)))
    }
  }

  extension SQLiteStore {
    /// Chooses ids for rows to insert, as SQLite does: the integers after the largest one.
    ///
    /// If the table has `AUTOINCREMENT`, no row has ever had these ids. Otherwise another program
    /// may use them for its own rows before yours are inserted. The insertion then fails with
    /// `KinshipError.exists`, and a cache re-runs the transaction, but rolls back an optimistic
    /// write.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - count: The number of ids to choose.
    /// - Returns: The ids.
    /// - Throws: `KinshipError.misuse(.unsupported)` for ids that are not integers in one column;
    ///   `.invalidSchema(.noTable)` for a type without a table; `.misuse(.readOnlyStore)` if the
    ///   store is opened for reading only; `SQLiteError`; `CancellationError` if the task is
    ///   cancelled.
    public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
      let plan = try tablePlan(of: type)
      try requireWriting()
      return try await writer.run { connection in
        let last = self.lastIDs.withLock { $0[ObjectIdentifier(type)] }
        let ids = try plan.reserve(Int64(clamping: count), above: last ?? 0, in: connection)
        self.lastIDs.withLock { $0[ObjectIdentifier(type)] = ids.last }
        return try plan.newIDs(ids.map { .integer($0) })
      }
    }
  }

  extension TablePlan {
    /// Reserves integers that are no row's id and will not be given to one.
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
        // This table exists if any table has AUTOINCREMENT.
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
