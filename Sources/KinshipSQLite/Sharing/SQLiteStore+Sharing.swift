#if SQLite
  public import Kinship

  /// A cache that follows the store forgets what other programs change in the database.
  extension SQLiteStore: SharedStore {
    /// The caches that follow the store.
    public var followers: StoreFollowers { sharing.followers }

    /// What has been committed to the database, by whomever.
    ///
    /// With a log, see ``installTracking()``, it is the records that were changed. Where the log
    /// does not reach back to the place, is another, or the schema has been changed, it is
    /// everything. Without a log, what the store itself has committed is known, and of others that
    /// they have committed: then it is everything.
    ///
    /// - Parameter cursor: The place up to which all is known; `nil` for that where the store was
    ///   opened. One of another process or of an earlier opening is of use with a log only.
    /// - Returns: The changes, and the place up to which all is known now.
    /// - Throws: `SQLiteError`; `CancellationError` if the task is cancelled.
    /// - Complexity: O(*n*) in the changes.
    public func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      let logged = try await read { connection in
        try connection.transaction("DEFERRED") {
          try self.sharing.loggedChanges(since: cursor, in: connection)
        }
      }
      if let logged { return logged }
      // Only one connection can tell what others have committed.
      return try await writer.run { connection in
        try self.sharing.unloggedChanges(since: cursor, in: connection)
      }
    }

    /// Whether the database keeps a log of what is changed in it, for all of the store's tables and
    /// lists; or what is missing.
    ///
    /// - Throws: `SQLiteError`; `CancellationError` if the task is cancelled.
    public var tracking: SQLiteTracking {
      get async throws {
        try await read { connection in
          try connection.transaction("DEFERRED") {
            try self.sharing.tracking(in: connection).tracking
          }
        }
      }
    }

    /// Makes a log in the database of what is changed in it, by whatever program: a table,
    /// `kinship_change`, and triggers that write to it.
    ///
    /// Caches that follow the store hear from it which records others have changed. It needs to be
    /// done once for a database; where all is there already, nothing is changed.
    ///
    /// - Throws: `SQLiteError`; `SQLMappingError.unsuitableMapping` for a table that is a view or
    ///   a virtual table; `KinshipError.readOnlyStore` if the store is opened for reading only;
    ///   `CancellationError` if the task is cancelled. Then nothing has changed.
    public func installTracking() async throws {
      if try await tracking != .complete { try await execute(trackingSQL) }
      _ = try await tracking
    }

    /// The SQL that ``installTracking()`` runs, for a migration that is run by other means: such as
    /// the shell `sqlite3`.
    ///
    /// It can be run again, and puts triggers that are outdated right: so run it when tables, their
    /// unique indexes, or the store's mapping have changed. To be without the log, drop the
    /// triggers whose names begin with `kinship`, and then the table `kinship_change`.
    ///
    /// - Throws: `SQLiteError`; `SQLMappingError.unsuitableMapping` for a table that is a view or
    ///   a virtual table; `CancellationError` if the task is cancelled.
    public var trackingSQL: String {
      get async throws {
        try await read { connection in try self.sharing.log.sql(in: connection) }
      }
    }

    /// Forgets what the log has told, but for the latest of it.
    ///
    /// By itself, the log keeps 131,072 changes. Who has not asked for so long that it does not
    /// reach back has to take everything for changed.
    ///
    /// - Parameter count: How many changes to keep; at least one.
    /// - Throws: `SQLiteError`; `KinshipError.readOnlyStore` if the store is opened for reading
    ///   only; `CancellationError` if the task is cancelled.
    public func pruneChanges(keeping count: Int) async throws {
      try await execute(
        """
        DELETE FROM \(ChangeLog.table)
          WHERE number <= (SELECT max(number) FROM \(ChangeLog.table)) - \(max(1, count))
        """)
    }
  }
#endif
