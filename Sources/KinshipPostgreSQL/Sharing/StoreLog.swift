#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// The log of a store's database, as soon as there is one.
  final class StoreLog: Sendable {
    private struct State {
      /// The place in the log when it was opened; `nil` as long as there is none.
      var opened: LogCursor?
      /// The log at the last request.
      var identity: LogIdentity?
      var reason: PostgreSQLError?
      var pruned = ContinuousClock.now
      var pace = NotificationPace()
      var waiters: [ObjectIdentifier: Promise<Void>] = [:]
      /// The task that listens while there are waiters.
      var task: Task<Void, Never>?
    }

    let tracking: TrackingSQL
    private let pool: ConnectionPool<Server>
    /// The connection that asks for changes, which is not one of the pool.
    private let asking: ConnectionPool<Server>
    /// The connection that receives notifications.
    private let listener: Server
    private let configuration: PostgreSQLConfiguration
    private let state = Lock(State())

    init(
      _ tracking: TrackingSQL, _ pool: ConnectionPool<Server>, asking: ConnectionPool<Server>,
      listener: Server, _ configuration: PostgreSQLConfiguration
    ) {
      self.tracking = tracking
      self.pool = pool
      self.asking = asking
      self.listener = listener
      self.configuration = configuration
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// The epoch of the log at the last check; `nil` if there is none.
    var epoch: String? { state.withLock { $0.identity?.epoch } }

    // MARK: Opening

    /// Checks whether changes are logged; a store without a log can be used, but not followed.
    ///
    /// - Returns: Whether the log was open before; `nil` if there is none.
    @discardableResult
    func open() async throws -> Bool? {
      if state.withLock({ $0.opened != nil }) { return true }
      let tracking = tracking
      let place: LogCursor
      do {
        try await pool.run { connection in try tracking.check(connection) }
        place = try await asking.run { try $0.changes(since: nil).cursor }
      } catch let error as PostgreSQLError where error.isOfTracking {
        state.withLock { $0.reason = error }
        return nil
      }
      state.withLock { state in
        // Another task may have opened it first.
        if state.opened == nil { (state.opened, state.identity) = (place, place.log) }
      }
      return false
    }

    /// Returns whether the log was open before.
    private func require() async throws -> Bool {
      if let wasOpen = try await open() { return wasOpen }
      throw state.withLock { $0.reason }
        ?? .notTracked(table: "kinship.change", reason: "there is no log")
    }

    // MARK: Changes

    /// Returns the changes since a place, or since the store was opened.
    ///
    /// A cursor that is not a place in a log counts as earlier than all known changes.
    ///
    /// - Throws: `PostgreSQLError.notTracked` if changes are not logged.
    func changes(since cursor: StoreCursor?) async throws -> LogChanges {
      let wasOpen = try await require()
      let place = cursor.map { LogCursor(text: $0.text) } ?? state.withLock(\.opened)
      let changes = try await asking.run { try $0.changes(since: place) }
      let log = changes.cursor.log
      if state.withLock({ $0.identity?.tables }) != log.tables {
        let tracking = tracking
        try await asking.run { try tracking.check($0) }
      }
      state.withLock { $0.identity = log }
      await pruneFromTimeToTime()
      // Changes before the log existed are not known.
      let areKnown = place != nil && (wasOpen || cursor != nil)
      return areKnown ? changes : LogChanges(changes: nil, cursor: changes.cursor)
    }

    /// Prunes the log; failures do not matter to the caller, because some other store will do it.
    private func pruneFromTimeToTime() async {
      let retention = configuration.retention
      let isDue = state.withLock { state in
        guard .now - state.pruned > retention / 10 else { return false }
        state.pruned = .now
        return true
      }
      if isDue { _ = try? await asking.run { try $0.prune(olderThan: retention) } }
    }

    // MARK: Notifications

    func waitForChange() async throws {
      _ = try await require()
      try Task.checkCancellation()
      let waiter = Promise<Void>()
      state.withLock { state in
        state.waiters[ObjectIdentifier(waiter)] = waiter
        if state.task == nil { state.task = Task { [weak self] in await self?.listen() } }
      }
      defer {
        state.withLock { state in
          state.waiters[ObjectIdentifier(waiter)] = nil
          guard state.waiters.isEmpty else { return }
          state.task?.cancel()
          state.task = nil
        }
      }
      try await waiter.value()
    }

    /// Waits for one notification, and resumes all waiters; later ones stay with the connection.
    private func listen() async {
      let result: Result<Void, any Error>
      do {
        try await listener.run { try $0.waitForNotification() }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      let waiters = state.withLock { state -> [Promise<Void>] in
        // Nobody waits for a cancelled task; the next one is running by then.
        guard !Task.isCancelled else { return [] }
        state.task = nil
        defer { state.waiters = [:] }
        return Array(state.waiters.values)
      }
      for waiter in waiters { waiter.resolve(result) }
    }

    /// Notifies listeners of a commit, in a separate transaction.
    ///
    /// A transaction that notifies holds a lock of the whole server until it has ended. Nobody
    /// waits for the notification; if it fails, listeners learn of the commit when they next ask.
    func notify() {
      guard configuration.notifies, epoch != nil else { return }
      if let moment = state.withLock({ $0.pace.noteCommit(at: .now) }) {
        Task { await sendNotifications(from: moment) }
      }
    }

    private func sendNotifications(from first: ContinuousClock.Instant) async {
      var next: ContinuousClock.Instant? = first
      while let moment = next {
        // Notifying too early does no harm.
        if moment > .now { try? await Task.sleep(until: moment, clock: .continuous) }
        state.withLock { $0.pace.beginSending() }
        try? await pool.run { connection in try connection.notify() }
        next = state.withLock { $0.pace.endSending(at: .now) }
      }
    }
  }

  extension PostgreSQLError {
    /// Whether changes are not logged, or the log cannot be read because of a missing right or a
    /// standby.
    fileprivate var isOfTracking: Bool {
      switch self {
      case .notTracked: true
      case .failed: !isConnectionLoss && !isTimeout
      default: false
      }
    }
  }

  /// The pace of notifications: one commit is notified at once, and commits soon after it together.
  ///
  /// A notification is a transaction, and costs as much as a small commit. Continuous commits would
  /// each pay for one, and listeners would ask as often. So there is a pause after each
  /// notification, and it grows with the number of commits that the notification covers.
  struct NotificationPace {
    /// The pause after a notification, for each commit that it covers.
    static let restPerCommit = Duration.milliseconds(4)
    static let longestRest = Duration.milliseconds(20)

    /// The number of commits for the next notification.
    private var commits = 0
    /// Whether a notification is scheduled or being sent.
    private var isUnderway = false
    /// The pause after the notification that is being sent.
    private var rest = Duration.zero
    /// The earliest time of the next one; `nil` before the first.
    private var next: ContinuousClock.Instant?

    /// Counts a commit.
    ///
    /// - Returns: The time at which to send a notification; `nil` if one is scheduled that covers
    ///   the commit.
    mutating func noteCommit(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      commits += 1
      guard !isUnderway else { return nil }
      isUnderway = true
      return next.map { max($0, now) } ?? now
    }

    /// Begins to send a notification, which covers all commits until now.
    mutating func beginSending() {
      rest = min(Self.restPerCommit * commits, Self.longestRest)
      commits = 0
    }

    /// Ends sending a notification, and returns when to send the next one; `nil` without commits.
    mutating func endSending(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      next = now + rest
      isUnderway = commits > 0
      return isUnderway ? next : nil
    }
  }
#endif
