#if PostgreSQL
  internal import KinshipSQL

  /// The log of a database, as a connection sees it.
  extension Connection {
    /// The channel that is notified when something was committed.
    static let channel = "kinship"

    /// Asks what has changed since a place, in one statement, and so at one moment.
    ///
    /// - Parameter cursor: The place; `nil` for the present, since which nothing has changed.
    /// - Returns: The changes, and the place up to which all is known.
    /// - Throws: `PostgreSQLError.notTracked` where there is no log, or on a server that only
    ///   repeats what another one does: it does not know what is under way.
    func changes(since cursor: LogCursor?) throws -> LogChanges {
      let high = Int64(clamping: cursor?.high ?? .max)
      let open = (cursor?.open ?? []).map { SQLValue.integer(Int64(clamping: $0)) }
      let rows = try query(
        Self.poll,
        [
          PostgreSQLType.int8.parameter(.integer(high)),
          PostgreSQLType.int8.parameter(arrayOf: open),
        ])
      return try answer(rows).changes(since: cursor)
    }

    private func answer(_ rows: Rows) throws -> LogAnswer {
      let cells = PostgreSQLCells(rows)
      guard rows.count > 0, let system = cells.text(at: 0), let timeline = cells.text(at: 1),
        let epoch = cells.text(at: 2), let high = cells.integer(at: 3),
        let pruned = cells.integer(at: 4)
      else {
        throw PostgreSQLError.notTracked(table: "kinship.state", reason: "the log has no state")
      }
      let tables = cells.text(at: 10) ?? ""
      let running = try rows.list(0, 5).compactMap { value -> UInt64? in
        if case .integer(let number) = value { UInt64(exactly: number) } else { nil }
      }
      var found: [LogRow] = []
      repeat {
        guard let number = cells.integer(at: 6), let record = cells.text(at: 7) else { continue }
        let ids = try rows.list(cells.row, 8).compactMap { value -> String? in
          if case .text(let text) = value { text } else { nil }
        }
        found.append(
          LogRow(
            transaction: UInt64(clamping: number),
            change: LogChange(
              record: record, ids: cells.isNull(at: 8) ? nil : ids, writer: cells.text(at: 9))))
      } while cells.advance()
      return LogAnswer(
        log: LogIdentity(
          system: system, timeline: timeline, epoch: epoch, tables: tables),
        high: UInt64(clamping: high), running: running, pruned: UInt64(clamping: pruned),
        rows: found)
    }

    /// The rows above $1, and those of transactions $2, which were under way.
    ///
    /// Where a standby repeats the log, asking for the place in the write-ahead log is refused. As
    /// long as the server knows nothing of the log but its size, it takes an open range for a third
    /// of it, and one with two ends for little; and the state for many rows, if it is not told.
    private static let poll = """
      SELECT (SELECT system_identifier::text FROM pg_control_system()),
        substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), s.epoch::text,
        greatest(s.pruned, (SELECT xid FROM kinship.change ORDER BY xid DESC LIMIT 1))::text::int8,
        s.pruned::text::int8,
        ARRAY(SELECT x::text::int8 FROM pg_snapshot_xip(pg_current_snapshot()) x),
        c.xid::text::int8, c.record, c.ids, c.writer,
        (SELECT md5(string_agg(
            concat_ws(' ', t.oid, t.xmin, i.inhrelid, i.xmin, (
              SELECT string_agg(a.xmin::text, ' ' ORDER BY a.attnum)
              FROM pg_catalog.pg_attribute a WHERE a.attrelid = t.tgrelid AND a.attnum > 0
            )), ',' ORDER BY t.oid, i.inhrelid))
          FROM pg_catalog.pg_trigger t
          LEFT JOIN pg_catalog.pg_inherits i ON i.inhparent = t.tgrelid
          WHERE t.tgname LIKE 'kinship\\_%')
      FROM (SELECT epoch, pruned FROM kinship.state LIMIT 1) s LEFT JOIN LATERAL (
        SELECT xid, record, ids, writer FROM kinship.change
        WHERE xid > $1::text::xid8 AND xid <= \(UInt64.max)::text::xid8
        UNION ALL
        SELECT xid, record, ids, writer FROM kinship.change
        WHERE xid = ANY ($2::text[]::xid8[]) AND xid <= $1::text::xid8) c ON true
      """

    /// Tells whoever listens that something was committed.
    ///
    /// In a transaction of its own: all that notify wait for each other until they have committed,
    /// and this one does not wait for the disk.
    func notify() throws {
      _ = try query(
        "SELECT set_config('synchronous_commit', 'off', true), pg_notify('\(Self.channel)', '')")
    }

    /// Waits until it is worthwhile to ask for changes.
    ///
    /// It is so at once when the connection is new: what was notified before it did not hear.
    func waitForNotification(_ interval: Duration = .seconds(15)) throws {
      if !isListening {
        try listen(to: Self.channel)
        isListening = true
        return
      }
      while try notifications(until: .now + interval).isEmpty {
        // Whether the server is there still: it has nothing to say otherwise.
        try execute("")
      }
    }

    /// Deletes rows of the log that are older than so long, unless somebody else does.
    ///
    /// - Returns: How many rows were deleted.
    @discardableResult
    func prune(olderThan retention: Duration) throws -> Int {
      let rows = try query(
        """
        WITH held AS (SELECT FROM kinship.state FOR UPDATE SKIP LOCKED),
        gone AS (
          DELETE FROM kinship.change WHERE EXISTS (SELECT FROM held)
            AND at <= clock_timestamp() - $1 * interval '1 millisecond'
            AND xid < pg_snapshot_xmin(pg_current_snapshot())
          RETURNING xid),
        raised AS (
          UPDATE kinship.state
          SET pruned = greatest(pruned, (SELECT xid FROM gone ORDER BY xid DESC LIMIT 1)))
        SELECT count(*) FROM gone
        """, [PostgreSQLType.float8.parameter(.integer(Int64(retention.milliseconds)))])
      return Int(PostgreSQLCells(rows).integer(at: 0) ?? 0)
    }

    /// What has become of a transaction whose commit was not answered.
    enum Outcome {
      case committed
      case underway
      case rolledBack
    }

    /// The number of the transaction that is open.
    func transactionNumber() throws -> UInt64 {
      let rows = try query("SELECT pg_current_xact_id()::text::int8")
      return UInt64(clamping: PostgreSQLCells(rows).integer(at: 0) ?? 0)
    }

    /// Asks what has become of a transaction of a writer that has changed what is logged.
    ///
    /// Its number alone does not tell: after a crash it may be that of another transaction. So it
    /// only says that it is under way, which must be asked before the log is looked at.
    func outcome(ofTransaction number: UInt64, by writer: String) throws -> Outcome {
      let number = try PostgreSQLType.int8.parameter(.integer(Int64(clamping: number)))
      do {
        let status = try query("SELECT pg_xact_status($1::text::xid8)", [number])
        if PostgreSQLCells(status).text(at: 0) == "in progress" { return .underway }
      } catch let error as PostgreSQLError where error.state == .invalidParameter {
        // After a crash, a number may be one that is yet to be given.
      }
      let logged = try query(
        "SELECT EXISTS (SELECT FROM kinship.change WHERE writer = $2 AND xid = $1::text::xid8)",
        [number, PostgreSQLType.text.parameter(.text(writer))])
      return PostgreSQLCells(logged).integer(at: 0) == 1 ? .committed : .rolledBack
    }
  }
#endif
