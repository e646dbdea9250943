#if PostgreSQL
  internal import CPostgreSQL
  internal import KinshipSQL

  /// Access to the log of a database through a connection.
  extension Connection {
    static let channel = "kinship"

    /// Returns the changes since a place, in one statement, so that they belong to one moment.
    ///
    /// - Returns: The changes, and the place up to which all changes are known.
    /// - Throws: `PostgreSQLError.notTracked` if there is no log, or if the server is a standby,
    ///   which does not know the running transactions.
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
        let ids = try rows.texts(cells.row, 8)
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

    /// Selects the rows above $1, and those of transactions $2, which were running.
    ///
    /// A standby rejects the request for the place in the write-ahead log.
    ///
    /// The ranges and limits are hints for the planner. While the server knows only the log's size,
    /// it estimates an open range as a third of the log, but a closed one as small. Without
    /// `LIMIT`, it estimates many rows of state.
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

    /// Notifies listeners that something was committed.
    ///
    /// It runs in a separate transaction, because all notifying transactions wait for each other
    /// until they have committed. This one does not wait for the disk.
    func notify() throws {
      _ = try query(
        "SELECT set_config('synchronous_commit', 'off', true), pg_notify('\(Self.channel)', '')")
    }

    /// Waits until asking for changes may find some.
    ///
    /// On a new connection it returns at once, because the connection missed earlier notifications.
    func waitForNotification(_ interval: Duration = .seconds(15)) throws {
      if !isListening {
        try execute("LISTEN \(Self.channel)")
        isListening = true
        return
      }
      while try !hasNotifications(until: .now + interval) {
        // Check that the server is still there, because it sends nothing otherwise.
        try execute("")
      }
    }

    /// Deletes older rows of the log unless another program does, and returns their number.
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
        """, with: [.real(Double(retention.milliseconds))])
      return Int(PostgreSQLCells(rows).integer(at: 0) ?? 0)
    }
  }

  extension Connection {
    /// Waits for notifications until a given time, and returns whether there were any.
    func hasNotifications(until moment: ContinuousClock.Instant) throws -> Bool {
      guard !isBroken else { throw lost() }
      cancelled = nil
      while true {
        guard PQconsumeInput(pointer) == 1 else { throw lost() }
        var isNotified = false
        while let notification = PQnotifies(pointer) {
          PQfreemem(notification)
          isNotified = true
        }
        if isNotified { return true }
        deadline = moment
        do {
          try wait(reading: true, writing: false)
        } catch Interruption.timedOut {
          return false
        } catch Interruption.cancelled {
          throw CancellationError()
        }
      }
    }
  }
#endif
