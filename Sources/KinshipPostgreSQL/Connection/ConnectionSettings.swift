#if PostgreSQL
  /// The address of a connection, and its time limits.
  struct ConnectionSettings: Sendable {
    /// The connection string for libpq: `host=… dbname=…`, or a URI.
    var conninfo: String
    /// The time to try to connect.
    var connectTimeout = Duration.seconds(10)
    /// The longest time without data from a server that is to answer; longer than a statement may
    /// take.
    var answerTimeout = Duration.seconds(60)
    /// The time for which a statement may continue after the task is cancelled.
    ///
    /// Asking the server to stop requires a new connection, which costs more than a quick
    /// statement.
    var cancellationDelay = Duration.milliseconds(50)
    /// The time to wait for the server to stop a cancelled statement, and for a rollback.
    var grace = Duration.seconds(5)
    /// The longest time for a statement; zero for no limit.
    var statementTimeout = Duration.seconds(30)
    /// The longest time for a statement to wait for a lock; zero for no limit.
    var lockTimeout = Duration.seconds(5)
    /// SQL that each new connection runs.
    var setup: String?

    init(_ conninfo: String) { self.conninfo = conninfo }

    /// The first SQL that a new connection runs.
    ///
    /// It turns off JIT compilation, which the server uses if it considers a table large. Compiling
    /// takes longer than running the statements of this store.
    var opening: String {
      """
      SET jit = off; SET standard_conforming_strings = on; SET datestyle = 'ISO';
      SET intervalstyle = 'postgres';
      SET timezone = 'UTC';
      SET statement_timeout = \(statementTimeout.milliseconds);
      SET lock_timeout = \(lockTimeout.milliseconds)
      """
    }
  }

  extension Duration {
    /// The whole milliseconds, limited to the range of an Int32.
    var milliseconds: Int {
      let (seconds, attoseconds) = components
      let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
      return Int(min(max(0, milliseconds), Double(Int32.max)).rounded(.up))
    }
  }
#endif
