#if PostgreSQL
  /// The settings for connecting to a PostgreSQL database and using it.
  public struct PostgreSQLConfiguration: Hashable, Sendable {
    /// The largest number of connections for reads and writes; further tasks wait in turn.
    ///
    /// If changes are logged, a store has one more, which asks for changes, and another that
    /// listens while a cache follows the store.
    public var connections: Int
    /// The time to wait for a free connection.
    public var poolTimeout: Duration
    /// The time to try to connect.
    public var connectTimeout: Duration
    /// The longest time for a statement; zero for no limit.
    public var statementTimeout: Duration
    /// The longest time for a statement to wait for a lock; zero for no limit.
    public var lockTimeout: Duration
    /// The maximum number of retries of a transaction that conflicts with a concurrent one.
    public var retries: Int
    /// Whether transactions run at the isolation level SERIALIZABLE.
    ///
    /// PostgreSQL then rejects a commit if no serial order of the concurrent serializable
    /// transactions, of any program, explains what each of them has read. A commit reads the rows
    /// that its triggers and constraints look at, and the versions of the records that it changes
    /// or requires. So a rule that a trigger checks across rows holds if every writer runs
    /// serializable transactions. PostgreSQL does not see what the closure has read from memory.
    /// The store retries a rejected commit.
    public var isSerializable: Bool
    /// The time for which the database keeps the log of changes, if it has one.
    public var retention: Duration
    /// Whether followers of the store are notified of changes at once.
    ///
    /// If so, one connection listens, and commits send notifications. If not, followers only ask
    /// from time to time.
    ///
    /// A store combines the notifications of rapid commits: after each, it waits 4 ms for each
    /// commit in it, at most 20 ms. If a process ends within these milliseconds, the others learn
    /// of its last commits when they poll.
    public var notifies: Bool
    /// The connection string of the connection that listens, if it differs.
    ///
    /// A proxy that shares connections between programs for the time of a transaction, as PgBouncer
    /// may, cannot be listened on.
    public var listenerConninfo: String?
    /// SQL that each new connection runs, such as `SET search_path = music`.
    public var setup: String?

    /// Chooses the settings for using a database.
    ///
    /// - Parameters:
    ///   - connections: The largest number of connections, one or more.
    ///   - poolTimeout: The time to wait for a free connection.
    ///   - connectTimeout: The time to try to connect.
    ///   - statementTimeout: The longest time for a statement; zero for no limit.
    ///   - lockTimeout: The longest time for a statement to wait for a lock; zero for no limit.
    ///   - retries: The maximum number of retries of a transaction that conflicts with another.
    ///   - isSerializable: Whether transactions run at the isolation level SERIALIZABLE.
    ///   - retention: The time for which the database keeps the log of changes, if it has one.
    ///   - notifies: Whether followers of the store are notified of changes at once.
    ///   - listenerConninfo: The connection string of the connection that listens, if it differs.
    ///   - setup: SQL that each new connection runs.
    public init(
      connections: Int = 4, poolTimeout: Duration = .seconds(30),
      connectTimeout: Duration = .seconds(10),
      statementTimeout: Duration = .seconds(30), lockTimeout: Duration = .seconds(5),
      retries: Int = 5, isSerializable: Bool = false, retention: Duration = .seconds(3600),
      notifies: Bool = true, listenerConninfo: String? = nil, setup: String? = nil
    ) {
      self.connections = max(1, connections)
      self.poolTimeout = poolTimeout
      self.connectTimeout = connectTimeout
      self.statementTimeout = statementTimeout
      self.lockTimeout = lockTimeout
      self.retries = max(0, retries)
      self.isSerializable = isSerializable
      self.retention = max(.seconds(1), retention)
      self.notifies = notifies
      self.listenerConninfo = listenerConninfo
      self.setup = setup
    }
  }
#endif
