#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// The log of a store's database, once there is one.
  final class StoreLog: Sendable {
    private struct State {
      var log: ChangeLog?
      /// Why nothing is logged.
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
    ///   - tracking: How its tables are tracked.
    ///   - pool: The connections of the store.
    ///   - asking: The connection that asks for changes: not one of the pool.
    ///   - listener: The connection that is notified of them.
    ///   - configuration: How the database is used.
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

    /// Whether changes are logged, as far as it has been looked.
    var isOpen: Bool { state.withLock { $0.log != nil } }

    /// Which log it is, as far as it has been looked; `nil` if there is none.
    var epoch: String? { state.withLock { $0.log?.epoch } }

    /// Looks whether changes are logged: a store may be used without, but not be followed.
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
        // Another task may have been faster.
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

    /// Tells those who listen that something has been committed, in a transaction of its own: one
    /// that notifies holds a lock of the whole server until it has ended.
    ///
    /// Nobody waits for it. If it fails, they find out when they ask.
    func notify() {
      guard configuration.notifies, isOpen else { return }
      if let moment = state.withLock({ $0.pace.noteCommit(at: .now) }) {
        Task { await sendNotifications(from: moment) }
      }
    }

    private func sendNotifications(from first: ContinuousClock.Instant) async {
      var next: ContinuousClock.Instant? = first
      while let moment = next {
        // To be told too soon does no harm.
        if moment > .now { try? await Task.sleep(until: moment, clock: .continuous) }
        state.withLock { $0.pace.beginSending() }
        try? await pool.run { connection in try connection.notify() }
        next = state.withLock { $0.pace.endSending(at: .now) }
      }
    }
  }

  extension PostgreSQLError {
    /// Whether changes are not logged, or the log cannot be read: for want of a right, or because
    /// the server is a standby.
    fileprivate var isOfTracking: Bool {
      switch self {
      case .notTracked: true
      case .failed: !isConnectionLoss && !isTimeout
      default: false
      }
    }
  }
#endif
