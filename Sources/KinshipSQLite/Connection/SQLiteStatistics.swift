#if SQLite
  internal import Kinship

  /// Counts of the work that a store has asked of SQLite.
  public struct SQLiteStatistics: Hashable, Sendable {
    /// The number of executed statements that read or change rows.
    ///
    /// Statements that begin or end a transaction do not count.
    public internal(set) var statementsExecuted = 0
    /// The number of prepared statements, including those for opening the store.
    public internal(set) var statementsPrepared = 0
    /// The number of rows translated into records.
    public internal(set) var rowsRead = 0
  }

  /// The combined statistics of a store's connections.
  final class Tally: Sendable {
    private let statistics = Lock(SQLiteStatistics())

    var value: SQLiteStatistics { statistics.withLock { $0 } }

    func add(_ more: SQLiteStatistics) {
      statistics.withLock {
        $0.statementsExecuted += more.statementsExecuted
        $0.statementsPrepared += more.statementsPrepared
        $0.rowsRead += more.rowsRead
      }
    }
  }
#endif
