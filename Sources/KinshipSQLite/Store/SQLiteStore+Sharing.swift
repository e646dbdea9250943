#if SQLite
  public import Kinship
  public import KinshipSync

  /// Lets a cache that follows the store drop the records that other programs change.
  extension SQLiteStore: SharedStore {
    /// The caches that follow the store.
    public var followers: StoreFollowers { sharing.followers }

    /// Returns the changes committed to the database since a place, by any program.
    ///
    /// With a log, see ``installTracking()``, the changes name the changed records. They name
    /// everything if the log no longer goes back to the place, if it is another log, or if the
    /// schema has changed.
    ///
    /// Without a log, the store knows its own commits. For other programs, it knows only whether
    /// they have committed; if they have, everything counts as changed.
    ///
    /// - Parameter cursor: The place up to which you know all changes; `nil` for the opening of the
    ///   store. A cursor of another process or of an earlier opening is useful only with a log.
    /// - Returns: The changes, and the place up to which all changes are now known.
    /// - Throws: `SQLiteError`; `CancellationError` if the task is cancelled.
    /// - Complexity: O(*n*) in the changes.
    public func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      let logged = try await read { connection in
        try connection.transaction("DEFERRED") {
          try self.sharing.loggedChanges(since: cursor, in: connection)
        }
      }
      if let logged { return logged }
      // Only one connection can detect the commits of others.
      return try await writer.run { connection in
        try self.sharing.unloggedChanges(since: cursor, in: connection)
      }
    }

    /// Whether the database logs its changes, for all of the store's tables and lists; if not, what
    /// is missing.
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

    /// Creates a log in the database of the changes that any program makes.
    ///
    /// The log consists of a table, `kinship_change`, and triggers that write to it. Caches that
    /// follow the store learn from it which records others have changed. Do this once for a
    /// database; if the log is complete already, nothing changes.
    ///
    /// The triggers log the id of each inserted, changed or deleted record, and the owner of each
    /// changed list. They run for every writer, and for cascades of foreign keys and rows that
    /// `REPLACE` removes, but not for rolled-back changes. Triggers for ids of several columns
    /// require JSON in every program that writes: SQLite has it since 3.38.
    ///
    /// The log misses rows that `REPLACE` removes by a unique index over an expression, unless the
    /// writer sets `PRAGMA recursive_triggers`, and writes to the file by other means than SQL.
    /// Views and virtual tables cannot be tracked.
    ///
    /// - Throws: `SQLiteError`; `SQLMappingError.unsuitableMapping` for a table that is a view or a
    ///   virtual table; `KinshipError.misuse(.readOnlyStore)` if the store is opened for reading
    ///   only; `CancellationError` if the task is cancelled. In these cases, nothing has changed.
    public func installTracking() async throws {
      if try await tracking != .complete { try await execute(trackingSQL) }
      _ = try await tracking
    }

    /// The SQL that ``installTracking()`` runs, for a migration by other means, such as the shell
    /// `sqlite3`.
    ///
    /// You can run it again: it replaces outdated triggers. Do so when tables, their unique
    /// indexes, or the store's mapping have changed. To remove the log, drop the triggers whose
    /// names begin with `kinship`, and then the table `kinship_change`.
    ///
    /// - Throws: `SQLiteError`; `SQLMappingError.unsuitableMapping` for a table that is a view or
    ///   a virtual table; `CancellationError` if the task is cancelled.
    public var trackingSQL: String {
      get async throws {
        try await read { connection in try self.sharing.log.sql(in: connection) }
      }
    }

    /// Deletes all but the latest changes from the log.
    ///
    /// On its own, the log keeps 131,072 changes. A cache whose last request is older than the log
    /// has to treat everything as changed.
    ///
    /// - Parameter count: The number of changes to keep; at least one.
    /// - Throws: `SQLiteError`; `KinshipError.misuse(.readOnlyStore)` if the store is opened for
    ///   reading only; `CancellationError` if the task is cancelled.
    public func pruneChanges(keeping count: Int) async throws {
      try await execute(
        """
        DELETE FROM \(ChangeLog.table)
          WHERE number <= (SELECT max(number) FROM \(ChangeLog.table)) - \(max(1, count))
        """)
    }
  }
#endif
