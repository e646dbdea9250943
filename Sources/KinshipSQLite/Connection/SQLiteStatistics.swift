#if SQLite
  internal import Kinship

  /// How much a store has asked of SQLite.
  public struct SQLiteStatistics: Hashable, Sendable {
    /// How often a statement that reads or changes rows was run; what begins and ends transactions
    /// is not counted.
    public internal(set) var statementsExecuted = 0
    /// How many statements were prepared, those for opening included.
    public internal(set) var statementsPrepared = 0
    /// How many rows were made into records.
    public internal(set) var rowsRead = 0
  }

  /// The statistics that all connections of a store add to.
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
