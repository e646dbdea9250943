#if SQLite
  internal import Kinship
  internal import KinshipSQL
  internal import KinshipSync

  /// The state of change tracking: other writers to the database, and followers of the store.
  final class DatabaseSharing: Sendable {
    private struct State {
      /// The tracking state, in a version of the schema.
      var found: (schema: Int64, tracking: SQLiteTracking)?
      var own = OwnChanges()
      var unlogged = UnloggedChanges()
      /// The possible side effects in a version of the schema, and whether the private log exists.
      var effects: (schema: Int64, effects: SideEffects, isLogging: Bool)?
    }

    let followers = StoreFollowers()
    let log: ChangeLog
    /// The end of the log when the store was opened, if there was a log.
    private let opened: ChangeLog.LogPosition?
    private let openedVersion: Int64
    /// Identifies the store; without a log, cursors of other stores are meaningless.
    private let identity = UInt64.random(in: 0 ... .max)
    private let state = Lock(State())

    init(_ tables: [any TrackedTable], in connection: Connection) throws {
      log = ChangeLog(tables)
      openedVersion = try connection.dataVersion()
      let schema = try log.schemaVersion(in: connection)
      // Without a log, look at nothing before the first request.
      let tracking = try log.exists(in: connection) ? try log.tracking(in: connection) : nil
      opened = tracking == .complete ? try log.lastPosition(schema, in: connection) : nil
      state.withLock { $0.found = tracking.map { (schema, $0) } }
    }

    private var isLogged: Bool { state.withLock { $0.found?.tracking == .complete } }

    /// Returns whether there is a log, and the version of the schema.
    ///
    /// It checks again if the schema has changed.
    func tracking(
      in connection: Connection
    ) throws -> (schema: Int64, tracking: SQLiteTracking) {
      let schema = try log.schemaVersion(in: connection)
      if let found = state.withLock(\.found), found.schema == schema { return found }
      let found = (schema: schema, tracking: try log.tracking(in: connection))
      state.withLock { $0.found = found }
      return found
    }

    // MARK: Asking

    /// Returns the logged changes, on a connection in a transaction; `nil` if there is no log.
    func loggedChanges(
      since cursor: StoreCursor?, in connection: Connection
    ) throws -> StoreChanges? {
      try connection.requirePlace()
      let (schema, tracking) = try tracking(in: connection)
      guard tracking == .complete else { return nil }
      if let start = cursor.map({ ChangeLog.LogPosition($0) }) ?? opened, start.schema == schema,
        let changes = try log.changes(since: start, state.withLock(\.own), in: connection)
      {
        return changes
      }
      // An emptied log has no place until it has a row again.
      guard let end = try log.lastPosition(schema, in: connection) else { return nil }
      return StoreChanges([StoreChange(.everything)], upTo: end.cursor)
    }

    /// Returns the changes known without a log.
    ///
    /// These are the store's own commits. For others, only the writing connection knows whether
    /// they have committed.
    func unloggedChanges(
      since cursor: StoreCursor?, in connection: Connection
    ) throws -> StoreChanges {
      let version = try connection.dataVersion()
      let unlogged = state.withLock(\.unlogged)
      func place(_ version: Int64, _ count: Int) -> String {
        "unlogged \(identity) \(version) \(count)"
      }
      let end = StoreCursor(place(version, unlogged.count))
      let start = cursor?.text ?? place(openedVersion, 0)
      let count = start.split(separator: " ").last.flatMap { Int($0) } ?? -1
      guard start == place(version, count), let changes = unlogged.changes(since: count) else {
        return StoreChanges([StoreChange(.everything)], upTo: end)
      }
      return StoreChanges(changes, upTo: end)
    }

    // MARK: Own commits

    /// Applies changes in one transaction, and notes which rows of the log belong to them.
    func apply(
      _ parts: [TablePart], of changes: ChangeSet, in connection: Connection
    ) throws {
      let isLogged = isLogged
      let commit = isLogged ? CommitID.current : nil
      let isAffected = try mayChangeRows(beyond: parts, isLogged: isLogged, in: connection)
      // If the database may change more than the given rows, a log records it.
      let table = isLogged ? ChangeLog.table : PrivateLog.table
      let isWatched = isAffected || commit != nil
      var (start, report): (Int64?, CommitReport) = (nil, CommitReport())
      do {
        try connection.transaction("IMMEDIATE") {
          report = try Application(parts: parts, connection: connection, isAffected: isAffected) {
            if isWatched { start = try? self.log.lastNumber(of: table, in: connection) }
          }.run()
          try connection.requirePlace()
          guard isWatched, let start else { return }
          if isAffected {
            try log.report(
              after: start, of: table, besides: Set(changes.refs), to: &report, in: connection)
            if !isLogged { try connection.run("DELETE FROM \(table)", []) }
          }
          if let commit, let end = try? log.lastNumber(of: table, in: connection) {
            // Do this before anyone can read the rows.
            state.withLock { $0.own.add(after: start, upTo: end, by: commit) }
          }
        }
      } catch {
        if let commit { state.withLock { $0.own.remove(commit) } }
        // After a failure of the disk, its contents are unknown.
        if (error as? SQLiteError)?.isOfDisk == true { noteUnlogged(nil) }
        throw error
      }
      report.send(to: changes)
      noteUnlogged(changes)
    }

    /// Returns whether changes may affect other rows than they name, or store other values.
    ///
    /// If so and there is no shared log, it creates a private log for this connection.
    private func mayChangeRows(
      beyond parts: [TablePart], isLogged: Bool, in connection: Connection
    ) throws -> Bool {
      let schema = try connection.frame("PRAGMA schema_version").integer() ?? 0
      let known = state.withLock(\.effects)
      var found =
        try known.flatMap { $0.schema == schema ? $0 : nil }
        ?? (schema: schema, effects: SideEffects(in: connection), isLogging: false)
      let effects = found.effects
      let isAffected =
        effects.hasTriggers || effects.hasActions && !parts.allSatisfy(\.areUpdates)
      if isAffected, !isLogged, !found.isLogging {
        try PrivateLog.install(log.triggersForThoseThatCan(in: connection), in: connection)
        found.isLogging = true
      }
      let all = found
      state.withLock { $0.effects = all }
      return isAffected
    }

    /// Notes the store's own commit, with its changes if they are known and no log records them.
    func noteUnlogged(_ changes: ChangeSet?) {
      let changes = isLogged || followers.count == 0 ? nil : changes
      let refs = changes?.refs
      state.withLock { state in
        if let refs {
          state.unlogged.add(refs, by: CommitID.current)
        } else {
          state.unlogged.skip()
        }
      }
    }
  }

  /// The rows of the log that the store's own latest commits have written.
  struct OwnChanges: Sendable {
    private static let most = 256

    /// The commits, in the order of their rows.
    private var commits: [(rows: ClosedRange<Int64>, commit: CommitID)] = []

    /// Adds a commit, between the last row before it and the last row after it.
    mutating func add(after start: Int64, upTo end: Int64, by commit: CommitID) {
      guard start < end else { return }
      // Entries with later rows belong to an earlier log.
      commits.removeAll { $0.rows.upperBound > start }
      if commits.count == Self.most { commits.removeFirst() }
      commits.append((start + 1...end, commit))
    }

    mutating func remove(_ commit: CommitID) { commits.removeAll { $0.commit == commit } }

    /// Returns the commit that wrote a row; `nil` for the commits of others.
    func commit(of number: Int64) -> CommitID? {
      var (low, high) = (0, commits.count)
      while low < high {
        let middle = (low + high) / 2
        if commits[middle].rows.upperBound < number { low = middle + 1 } else { high = middle }
      }
      return low < commits.count && commits[low].rows.contains(number) ? commits[low].commit : nil
    }
  }

  /// The store's own latest commits, for when no log records them.
  struct UnloggedChanges: Sendable {
    private static let most = (changes: 256, refs: 65_536)

    private var changes: [StoreChange] = []
    private var refCount = 0
    /// The number of commits that have been dropped.
    private var forgotten = 0

    var count: Int { forgotten + changes.count }

    mutating func add(_ refs: [AnyRef], by commit: CommitID?) {
      changes.append(StoreChange(.records(refs), by: commit))
      refCount += refs.count
      if changes.count > Self.most.changes || refCount > Self.most.refs { drop() }
    }

    /// Drops the known changes, and counts a commit with unknown ones.
    mutating func skip() {
      drop()
      forgotten += 1
    }

    private mutating func drop() {
      (forgotten, changes, refCount) = (count, [], 0)
    }

    /// Returns all changes since a number of commits; `nil` if they are not known.
    func changes(since number: Int) -> [StoreChange]? {
      number < forgotten || number > count ? nil : Array(changes.dropFirst(number - forgotten))
    }
  }

  /// The changes that a database may make by itself when rows change.
  struct SideEffects: Sendable {
    /// Whether there are triggers, other than those of the log.
    let hasTriggers: Bool
    /// Whether foreign keys delete or change the rows that refer to a deleted one.
    let hasActions: Bool

    init(in connection: Connection) throws(SQLiteError) {
      hasTriggers =
        try connection.pragma(
          """
          SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger'
            AND name NOT LIKE 'kinship %')
          """) == .integer(1)
      hasActions =
        try connection.pragma(
          """
          SELECT EXISTS (SELECT 1 FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
            WHERE t.type = 'table' AND f.on_delete NOT IN ('NO ACTION', 'RESTRICT'))
          """) == .integer(1)
    }
  }

  /// A log in a temporary table, of the side effects of the connection's own commits.
  enum PrivateLog {
    static let table = "kinship_own_change"

    /// Creates the log, replacing an existing one, with triggers made for the shared log.
    static func install(
      _ triggers: [ChangeTrigger], in connection: Connection
    ) throws(SQLiteError) {
      let old = try connection.rows(
        "SELECT name FROM sqlite_temp_schema WHERE type = 'trigger' AND name LIKE 'kinship %'")
      for case .text(let name) in old.compactMap(\.first) {
        try connection.execute("DROP TRIGGER temp.\(SQLText.quoted(name))")
      }
      try connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(table) (number INTEGER PRIMARY KEY, record TEXT, id)")
      for trigger in triggers {
        try connection.execute(
          trigger.sql.replacing("CREATE TRIGGER", with: "CREATE TEMP TRIGGER", maxReplacements: 1)
            .replacing("INTO \(ChangeLog.table) ", with: "INTO \(table) "))
      }
    }
  }
#endif
