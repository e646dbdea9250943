#if PostgreSQL
  public import Kinship
  internal import KinshipSQL

  extension PostgreSQLStore {
    /// SQL that makes the database log what anybody changes in the tables of the store: for a
    /// migration, run by whoever owns the tables.
    ///
    /// It makes a schema `kinship`, with two tables and a function for each table of the store, and
    /// triggers on these tables. To run it again does no harm, and is necessary when the store's
    /// tables, ids or lists have become others. Writers need no rights to the schema; stores that
    /// are followed read it, and delete what is older than the configuration's retention.
    public var trackingSQL: String { log.tracking.text }

    /// What has been committed since a place in the log, by whomever.
    ///
    /// - Parameter cursor: The place up to which all is known; `nil` for what has changed since the
    ///   store was opened.
    /// - Returns: The changes, and the place up to which all is known now: that everything may have
    ///   changed, where the log does not reach back so far, or the server is another, or one that
    ///   was promoted.
    /// - Throws: `PostgreSQLError.notTracked` if the database does not log what changes, which
    ///   ``trackingSQL`` makes it do; `PostgreSQLError`; `CancellationError` if the task is
    ///   cancelled.
    public func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
      let (log, wasOpen) = try await log.log()
      let answer = try await log.changes(since: cursor)
      let upTo = StoreCursor(answer.cursor.text)
      // Before there was a log, nobody knows what has changed.
      guard let changes = answer.changes, wasOpen || cursor != nil else {
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
      guard configuration.notifies else { return try await neverChange() }
      try await log.log().log.waitForChange()
    }

    private func neverChange() async throws {
      while true { try await Task.sleep(for: .seconds(86_400)) }
    }
  }
#endif
