#if PostgreSQL
  internal import CPostgreSQL
  public import Kinship
  internal import KinshipSQL

  extension PostgreSQLStore {
    /// Applies all changes in one transaction, or none of them.
    ///
    /// Inserting, updating or deleting rows of a table takes one statement for each 8,192 rows. A
    /// transaction that conflicts with a concurrent one is retried, as often as the configuration
    /// says.
    ///
    /// At the end, the store reads rows again that the database may store differently, with one
    /// more statement for each table. It does so for tables with types that round or with generated
    /// columns, and for all tables if the database has triggers, rules or cascades. It notices a
    /// new trigger within a second, or at once if ``execute(_:)`` creates it. Without a log, the
    /// server's statistics show which tables a trigger has changed, and the cache drops all records
    /// of their types.
    ///
    /// - Parameter changes: The changes.
    /// - Throws: `KinshipError.conflict` for a record that no longer exists, or has another
    ///   version; `.exists` for an inserted id that exists; `.untranslatable` for a record that
    ///   cannot be stored; `PostgreSQLError` if PostgreSQL rejects the changes. In these cases,
    ///   nothing has changed, unless the error is `PostgreSQLError.unknownOutcome`.
    public func apply(_ changes: ChangeSet) async throws {
      try Task.checkCancellation()
      let parts = try changes.recordTypes.map { try part(changes, of: $0) }
        .sorted { ranks[$0.table, default: 0] < ranks[$1.table, default: 0] }
      // Inserted or deleted rows may refer to one another, if the schema allows it.
      var opening = configuration.isSerializable ? "ISOLATION LEVEL SERIALIZABLE" : ""
      opening += "; SET CONSTRAINTS ALL DEFERRED"
      // The log shows by this name whose commit it was, and whether it succeeded.
      let writer =
        CommitID.current?.description ?? "store \(String(UInt64.random(in: 0 ... .max), radix: 16))"
      let (epoch, start) = (log.epoch, ContinuousClock.now)
      if epoch != nil { opening += "; SET LOCAL kinship.writer = \(SQLText.literal(writer))" }
      let begin = opening
      let plans = Array(plans.values)
      var attempts = 0
      while true {
        do {
          let report = try await pool.run { connection in
            let isAffected = try effects.current(in: connection).mayChangeRows(changes)
            do {
              return try Application(
                parts: parts, opening: begin, connection: connection, isAffected: isAffected
              ) { report in
                try connection.report(
                  besides: changes, plans, isLogged: epoch != nil, to: &report)
              }.run()
            } catch PostgreSQLError.unknownOutcome {
              throw LostCommit(backend: connection.backend, isAffected: isAffected)
            }
          }
          report.send(to: changes)
          return log.notify()
        } catch let lost as LostCommit {
          guard let epoch else { throw PostgreSQLError.unknownOutcome }
          try await settle(lost, of: writer, in: epoch, since: start)
          // The lost answer would have said what was stored.
          changes.report(alsoChanged: changes.refs)
          for plan in plans where lost.isAffected {
            changes.report(alsoChangedAllOf: plan.recordType)
          }
          return
        } catch let error as PostgreSQLError
          where error.isSerializationFailure && attempts < configuration.retries
        {
          attempts += 1
          // Two conflicting transactions would meet again if both waited equally long.
          try await Task.sleep(for: .milliseconds(Int.random(in: 1...(4 << min(attempts, 6)))))
        }
      }
    }

    /// Tries for some time to find out whether a commit without an answer succeeded.
    ///
    /// - Throws: `PostgreSQLError.connectionFailed` if it did not succeed, `.unknownOutcome` if
    ///   that cannot be found out.
    private func settle(
      _ lost: LostCommit, of writer: String, in epoch: String, since start: ContinuousClock.Instant
    ) async throws {
      for _ in 0..<50 {
        // The server may restart, or another may replace it.
        let outcome: Bool?
        do {
          outcome = try await pool.run { connection in
            try connection.outcome(ofCommitBy: writer, lost, in: epoch)
          }
        } catch PostgreSQLError.unknownOutcome {
          break
        } catch {
          outcome = nil
        }
        switch outcome {
        case true?: return log.notify()
        case false?:
          // Old rows may have been deleted from the log.
          guard .now - start < configuration.retention / 2 else {
            throw PostgreSQLError.unknownOutcome
          }
          throw PostgreSQLError.connectionFailed(
            state: nil,
            message: "the connection was lost before the commit. Nothing has changed: try again.")
        case nil: break
        }
        guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { break }
      }
      throw PostgreSQLError.unknownOutcome
    }

    /// Returns whether an error means, for certain, that nothing was changed.
    ///
    /// - Parameter error: An error that ``apply(_:)`` has thrown.
    /// - Returns: Whether nothing was changed: always, unless no answer to a commit arrived.
    public func isRefusal(_ error: any Error) -> Bool {
      (error as? PostgreSQLError) != .unknownOutcome
    }

    /// Returns whether an error means that the server was unreachable.
    ///
    /// - Parameter error: An error of a call.
    /// - Returns: Whether there was no connection, or it was lost.
    public func isOutage(_ error: any Error) -> Bool {
      guard let error = error as? PostgreSQLError else { return false }
      return error.isConnectionLoss || error == .unknownOutcome
    }

    private func part<R: GraphRecord>(_ changes: ChangeSet, of type: R.Type) throws -> TablePart {
      let plan = try plan(type)
      return try TablePart(TableChanges(changes, plan.plan), plan)
    }
  }

  /// A commit whose answer did not arrive.
  struct LostCommit: Error {
    /// The server process that received the request.
    let backend: Int32
    /// Whether the commit may have changed other rows than the given ones, or stored other values.
    let isAffected: Bool
  }

  extension Connection {
    var backend: Int32 { PQbackendPID(pointer) }

    /// Finds the outcome of the commit of a writer whose changes are logged.
    ///
    /// A commit is in the log before its process ends. So this checks the process first, then the
    /// log. A log with another epoch does not know the outcome.
    ///
    /// - Returns: Whether the commit succeeded; `nil` as long as its process exists.
    /// - Throws: `PostgreSQLError.unknownOutcome` if the log does not show the outcome.
    func outcome(ofCommitBy writer: String, _ lost: LostCommit, in epoch: String) throws -> Bool? {
      let process = try query(
        "SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid = $1",
        with: [.integer(Int64(lost.backend))])
      let logged = try query(
        "SELECT 1 FROM kinship.change WHERE writer = $1 LIMIT 1", with: [.text(writer)])
      if logged.count > 0 { return true }
      if process.count > 0 { return nil }
      let known = try query("SELECT epoch::text FROM kinship.state")
      guard PostgreSQLCells(known).text(at: 0) == epoch else {
        throw PostgreSQLError.unknownOutcome
      }
      return false
    }
  }
#endif
