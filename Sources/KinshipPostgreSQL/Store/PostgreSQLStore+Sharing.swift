#if PostgreSQL
  public import Kinship
  internal import KinshipSQL
  public import KinshipSync

  extension PostgreSQLStore {
    /// SQL that makes the database log all changes in the store's tables, by any program.
    ///
    /// Run it in a migration, as the owner of the tables. It creates a schema `kinship`, with two
    /// tables and a function for each table of the store, and triggers on these tables. You can run
    /// it again, and must do so when the store's tables, ids or lists have changed.
    ///
    /// Writers need no rights to the schema. Stores that are followed read it, and delete rows that
    /// are older than the configuration's retention. A role that does not own the log needs `USAGE`
    /// on the schema `kinship` and `SELECT` on its tables, and `DELETE` and `UPDATE` to prune it.
    ///
    /// The log misses writes with `session_replication_role` set, and writes directly to a
    /// partition.
    public var trackingSQL: String { log.tracking.text }

    /// Returns the changes committed since a place in the log, by any program.
    ///
    /// - Parameter cursor: The place up to which you know all changes; `nil` for the opening of the
    ///   store.
    /// - Returns: The changes, and the place up to which all changes are now known. Everything
    ///   counts as changed if the log no longer goes back to the place, or if the server is another
    ///   one or was promoted.
    /// - Throws: `PostgreSQLError.notTracked` if the database does not log changes, which
    ///   ``trackingSQL`` makes it do; `PostgreSQLError`; `CancellationError` if the task is
    ///   cancelled.
    public func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      let answer = try await log.changes(since: cursor)
      let upTo = StoreCursor(answer.cursor.text)
      guard let changes = answer.changes else {
        return StoreChanges([StoreChange(.everything)], upTo: upTo)
      }
      let plans = Dictionary(
        plans.values.map { ($0.recordType.recordName, $0) }, uniquingKeysWith: { first, _ in first }
      )
      return StoreChanges(
        changes.compactMap { change in
          // Others may log tables that this store does not know.
          guard let plan = plans[change.record] else { return nil }
          let refs = change.ids.flatMap { plan.refs(ofTexts: $0) }
          return StoreChange(
            refs.map { .records($0) } ?? .all(of: plan.recordType),
            by: change.writer.flatMap { CommitID($0) })
        }, upTo: upTo)
    }

    /// Waits for a notification, on a connection that listens.
    ///
    /// - Throws: `PostgreSQLError` if that connection is lost; `CancellationError` if the task is
    ///   cancelled.
    public func waitForChange() async throws {
      while !configuration.notifies { try await Task.sleep(for: .seconds(86_400)) }
      try await log.waitForChange()
    }
  }
#endif
