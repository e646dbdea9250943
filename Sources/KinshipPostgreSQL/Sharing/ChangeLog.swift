#if PostgreSQL
  internal import Kinship

  /// The log of a database, for a store that follows it.
  final class ChangeLog: Sendable {
    private struct State {
      var waiters: [UInt64: Promise<Void>] = [:]
      var lastNumber: UInt64 = 0
      /// The task that listens while there are waiters.
      var task: Task<Void, Never>?
      var pruned: ContinuousClock.Instant
      /// The identity of the log at the last request.
      var epoch: String
      /// The tables known to be tracked.
      var tables: String
    }

    private let pool: ConnectionPool<Server>
    private let listener: Server
    private let retention: Duration
    private let tracking: TrackingSQL
    /// The place in the log when the store was opened.
    private let opened: LogCursor
    private let state: Lock<State>

    /// Finds the present place in the log.
    ///
    /// - Parameters:
    ///   - tracking: The tracking of the tables.
    ///   - pool: The connection that asks for changes.
    ///   - listener: The connection that receives notifications, which is not one of the pool.
    ///   - retention: How long rows of the log are kept.
    /// - Throws: `PostgreSQLError`; `CancellationError` if the task is cancelled.
    init(
      _ tracking: TrackingSQL, _ pool: ConnectionPool<Server>, listener: Server,
      retention: Duration
    ) async throws {
      self.tracking = tracking
      self.pool = pool
      self.listener = listener
      self.retention = retention
      opened = try await pool.run { try $0.changes(since: nil).cursor }
      state = Lock(
        State(pruned: .now, epoch: opened.log.epoch, tables: opened.log.tables))
    }

    /// The identity of the log at the last check.
    var epoch: String { state.withLock(\.epoch) }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Returns the changes since a place, or since the store was opened.
    ///
    /// A cursor that is not a place in a log counts as earlier than all known changes.
    ///
    /// - Throws: `PostgreSQLError.notTracked` if changes are no longer logged.
    func changes(since cursor: StoreCursor?) async throws -> LogChanges {
      let place = cursor.map { LogCursor(text: $0.text) } ?? opened
      let changes = try await pool.run { try $0.changes(since: place) }
      let tables = changes.cursor.log.tables
      if state.withLock({ $0.tables }) != tables {
        let tracking = tracking
        try await pool.run { try tracking.check($0) }
      }
      state.withLock { ($0.epoch, $0.tables) = (changes.cursor.log.epoch, tables) }
      await pruneFromTimeToTime()
      return place == nil ? LogChanges(changes: nil, cursor: changes.cursor) : changes
    }

    /// Prunes the log; failures do not matter to the caller, because some other store will do it.
    private func pruneFromTimeToTime() async {
      let retention = retention
      let isDue = state.withLock { state in
        guard .now - state.pruned > retention / 10 else { return false }
        state.pruned = .now
        return true
      }
      if isDue { _ = try? await pool.run { try $0.prune(olderThan: retention) } }
    }

    /// Waits until asking for changes may find some.
    func waitForChange() async throws {
      try Task.checkCancellation()
      let waiter = Promise<Void>()
      let number = state.withLock { state -> UInt64 in
        state.lastNumber += 1
        state.waiters[state.lastNumber] = waiter
        if state.task == nil { state.task = Task { [weak self] in await self?.listen() } }
        return state.lastNumber
      }
      defer {
        state.withLock { state in
          state.waiters[number] = nil
          guard state.waiters.isEmpty else { return }
          state.task?.cancel()
          state.task = nil
        }
      }
      try await waiter.value()
    }

    /// Waits for one notification, and resumes all waiters.
    ///
    /// Notifications that arrive before the next wait stay with the connection.
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
  }
#endif
