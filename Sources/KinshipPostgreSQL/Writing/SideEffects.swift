#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// The changes that a database may make by itself when rows change.
  struct SideEffects: Sendable {
    /// Whether there are triggers, other than those of the log, or rules.
    let hasTriggers: Bool
    /// Whether foreign keys delete or change the rows that refer to a deleted one.
    let hasActions: Bool

    /// Returns whether changes may affect other rows than they name, or store other values.
    func mayChangeRows(_ changes: ChangeSet) -> Bool {
      hasTriggers || hasActions && changes.recordTypes.contains { changes.hasDeleted($0) }
    }

    init(in connection: Connection) throws {
      let cells = PostgreSQLCells(try connection.query(Self.sql, []))
      hasTriggers = cells.integer(at: 0) == 1
      hasActions = cells.integer(at: 1) == 1
    }

    private static let sql = """
      SELECT (EXISTS (SELECT 1 FROM pg_catalog.pg_trigger
          WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgname NOT LIKE 'kinship\\_%')
        OR EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite r
          JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
          WHERE r.ev_type <> '1' AND c.relnamespace NOT IN
            ('pg_catalog'::regnamespace, 'information_schema'::regnamespace))),
        EXISTS (SELECT 1 FROM pg_catalog.pg_constraint
          WHERE contype = 'f' AND confdeltype IN ('c', 'n', 'd'))
      """
  }

  /// The side effects, read again once a second, because others may create triggers at any time.
  final class KnownSideEffects: Sendable {
    private struct State {
      var known: (effects: SideEffects, at: ContinuousClock.Instant)?
      /// Counts possible changes of the schema, so that no read that began before one is kept.
      var changes = 0
    }

    private let state = Lock(State())

    func current(
      in connection: Connection, now: ContinuousClock.Instant = .now
    ) throws -> SideEffects {
      let (known, changes) = state.withLock { ($0.known, $0.changes) }
      if let known, now - known.at < .seconds(1) { return known.effects }
      let effects = try SideEffects(in: connection)
      state.withLock { if $0.changes == changes { $0.known = (effects, now) } }
      return effects
    }

    func lookAgain() {
      state.withLock { state in
        state.known = nil
        state.changes += 1
      }
    }
  }

  extension ChangeSet {
    fileprivate func hasDeleted<R: GraphRecord>(_ type: R.Type) -> Bool { !deleted(type).isEmpty }

    fileprivate func count<R: GraphRecord>(of type: R.Type) -> Int {
      inserted(type).count + updated(type).count + deleted(type).count
    }
  }

  extension Connection {
    /// Reports the changes of this transaction beyond a change set, from the log if there is one.
    func report(
      besides changes: ChangeSet, _ plans: [any MappedTable], isLogged: Bool,
      to report: inout CommitReport
    ) throws {
      guard isLogged else { return try countRows(besides: changes, plans, &report) }
      let rows: Rows
      try execute("SAVEPOINT kinship_log")
      do {
        rows = try query(
          "SELECT record, ids FROM kinship.change WHERE xid = pg_current_xact_id()", [])
      } catch PostgreSQLError.failed(state: .undefinedTable, _, _, _) {
        try execute("ROLLBACK TO kinship_log")
        return try countRows(besides: changes, plans, &report)
      }
      var refs: Set<AnyRef> = []
      let cells = PostgreSQLCells(beforeFirstOf: rows)
      while cells.advance() {
        let name = cells.text(at: 0)
        let texts = try rows.texts(cells.row, 1)
        for plan in plans where plan.recordType.recordName == name {
          if !cells.isNull(at: 1), let found = plan.refs(ofTexts: texts) {
            refs.formUnion(found)
          } else {
            report.types.append(plan.recordType)
          }
        }
      }
      report.refs += refs.subtracting(changes.refs)
    }

    /// Reports the types whose records this transaction may have changed beyond a change set.
    ///
    /// The server counts the rows that it has changed in each table.
    private func countRows(
      besides changes: ChangeSet, _ plans: [any MappedTable], _ report: inout CommitReport
    ) throws {
      let rows = try query(
        """
        SELECT coalesce(pg_partition_root(relid)::oid, relid),
          sum(n_tup_ins + n_tup_upd + n_tup_del)::int8
        FROM pg_stat_xact_user_tables WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 GROUP BY 1
        """, [])
      var counts: [UInt32: Int] = [:]
      let cells = PostgreSQLCells(beforeFirstOf: rows)
      while cells.advance() {
        guard let table = cells.integer(at: 0).flatMap({ UInt32(exactly: $0) }) else { continue }
        counts[table] = Int(cells.integer(at: 1) ?? 0)
      }
      let written = Set(plans.filter { changes.count(of: $0.recordType) > 0 }.map(\.table))
      for plan in plans {
        let own = changes.count(of: plan.recordType)
        let hasLists =
          own == 0
          && plan.lists.contains {
            counts[$0.number] != nil && !written.contains($0.number)
          }
        // A server with counting disabled reports nothing.
        if counts.isEmpty || hasLists || counts[plan.table, default: 0] > own {
          report.types.append(plan.recordType)
        }
      }
    }
  }
#endif
