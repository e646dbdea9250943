#if PostgreSQL
  /// How a PostgreSQL database is reached and used.
  public struct PostgreSQLConfiguration: Hashable, Sendable {
    /// How many connections there are at most for reads and writes; tasks beyond that wait in turn.
    ///
    /// A store of which changes are logged has one more, which asks for changes, and one that
    /// listens while somebody follows the store.
    public var connections: Int
    /// How long a task waits for one of them to be free.
    public var poolTimeout: Duration
    /// For how long to try to connect.
    public var connectTimeout: Duration
    /// How long a statement may take; zero for any time.
    public var statementTimeout: Duration
    /// How long a statement may wait for a lock; zero for any time.
    public var lockTimeout: Duration
    /// How often a transaction is done again that did not go together with another one.
    public var retries: Int
    /// Whether transactions run at the isolation level SERIALIZABLE.
    ///
    /// PostgreSQL then refuses a commit if no serial order of the concurrent serializable
    /// transactions, of any program, explains what each of them has read. A commit reads the rows
    /// that its triggers and constraints look at, and the versions of the records that it changes
    /// or requires. PostgreSQL does not see what the closure has read from memory. The store
    /// retries a refused commit.
    public var isSerializable: Bool
    /// For how long the log of changes is kept, where the database keeps one.
    public var retention: Duration
    /// Whether those who follow the store are told of changes at once, by a connection that listens
    /// and by notifications after commits; if not, they ask from time to time only.
    public var notifies: Bool
    /// Where the connection that listens goes, if it goes elsewhere: one that shares connections
    /// between programs for the time of a transaction, as PgBouncer may, cannot be listened on.
    public var listenerConninfo: String?
    /// SQL that each connection runs when it has been made, such as `SET search_path = music`.
    public var setup: String?

    /// Chooses how a database is used.
    ///
    /// - Parameters:
    ///   - connections: How many connections there are at most, one or more.
    ///   - poolTimeout: How long a task waits for a connection to be free.
    ///   - connectTimeout: For how long to try to connect.
    ///   - statementTimeout: How long a statement may take; zero for any time.
    ///   - lockTimeout: How long a statement may wait for a lock; zero for any time.
    ///   - retries: How often a transaction is done again that did not go together with another.
    ///   - isSerializable: Whether transactions run at the isolation level SERIALIZABLE.
    ///   - retention: For how long the log of changes is kept, where the database keeps one.
    ///   - notifies: Whether those who follow the store are told of changes at once.
    ///   - listenerConninfo: Where the connection that listens goes, if it goes elsewhere.
    ///   - setup: SQL that each connection runs when it has been made.
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
