#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// The log of a store's database, as soon as there is one.
  final class StoreLog: Sendable {
    private struct State {
      var log: ChangeLog?
      /// The reason why nothing is logged.
      var reason: PostgreSQLError?
      var pace = NotificationPace()
    }

    let tracking: TrackingSQL
    private let pool: ConnectionPool<Server>
    private let asking: ConnectionPool<Server>
    private let listener: Server
    private let configuration: PostgreSQLConfiguration
    private let state = Lock(State())

    /// Describes the log.
    ///
    /// - Parameters:
    ///   - tracking: The tracking of the tables.
    ///   - pool: The connections of the store.
    ///   - asking: The connection that asks for changes, which is not one of the pool.
    ///   - listener: The connection that receives notifications.
    ///   - configuration: The settings for using the database.
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

    /// Whether changes were logged at the last check.
    var isOpen: Bool { state.withLock { $0.log != nil } }

    /// The identity of the log at the last check; `nil` if there is none.
    var epoch: String? { state.withLock { $0.log?.epoch } }

    /// Checks whether changes are logged; a store without a log can be used, but not followed.
    ///
    /// - Returns: The log, and whether it was open before; `nil` if there is none.
    @discardableResult
    func open() async throws -> (log: ChangeLog, wasOpen: Bool)? {
      if let log = state.withLock({ $0.log }) { return (log, true) }
      let tracking = tracking
      let log: ChangeLog
      do {
        try await pool.run { connection in try tracking.check(connection) }
        log = try await ChangeLog(
          tracking, asking, listener: listener, retention: configuration.retention)
      } catch let error as PostgreSQLError where error.isOfTracking {
        state.withLock { $0.reason = error }
        return nil
      }
      return state.withLock { state in
        // Another task may have opened it first.
        let kept = state.log ?? log
        state.log = kept
        return (kept, false)
      }
    }

    /// - Throws: `PostgreSQLError.notTracked` if nothing is logged.
    func log() async throws -> (log: ChangeLog, wasOpen: Bool) {
      if let found = try await open() { return found }
      throw state.withLock { $0.reason }
        ?? .notTracked(table: "kinship.change", reason: "there is no log")
    }

    /// Notifies listeners of a commit, in a separate transaction.
    ///
    /// A transaction that notifies holds a lock of the whole server until it has ended. Nobody
    /// waits for the notification; if it fails, listeners learn of the commit when they next ask.
    func notify() {
      guard configuration.notifies, isOpen else { return }
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
#endif
