#if PostgreSQL
  /// Where a connection goes to, and how long it waits.
  struct ConnectionSettings: Sendable {
    /// Where to, as libpq has it: `host=… dbname=…`, or a URI.
    var conninfo: String
    /// For how long to try to connect.
    var connectTimeout = Duration.seconds(10)
    /// For how long nothing may come from the server that was asked for something: longer than a
    /// statement may take.
    var answerTimeout = Duration.seconds(60)
    /// How long a statement may go on when the task is cancelled: to be asked to end it costs the
    /// server a connection made for that, which is more than a quick statement.
    var cancellationDelay = Duration.milliseconds(50)
    /// For how long to wait for the server to end what was cancelled, and for a rollback.
    var grace = Duration.seconds(5)
    /// How long a statement may take; zero for any time.
    var statementTimeout = Duration.seconds(30)
    /// How long a statement may wait for a lock; zero for any time.
    var lockTimeout = Duration.seconds(5)
    /// SQL that is run when a connection has been made.
    var setup: String?

    init(_ conninfo: String) { self.conninfo = conninfo }

    /// What a new connection runs first.
    ///
    /// To compile a statement takes the server longer than it takes to run what is asked here; it
    /// does so where it takes a table for large.
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
    /// How many whole milliseconds it has, as many as an Int32 holds at most.
    var milliseconds: Int {
      let (seconds, attoseconds) = components
      let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
      return Int(min(max(0, milliseconds), Double(Int32.max)).rounded(.up))
    }
  }
#endif
