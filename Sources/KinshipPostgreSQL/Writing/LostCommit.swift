#if PostgreSQL
  internal import CPostgreSQL
  internal import KinshipSQL

  /// A commit whose answer did not arrive.
  struct LostCommit: Error {
    /// The server process that received the request.
    let backend: Int32
    /// Whether the commit may have changed other rows than the given ones, or stored other values.
    let isAffected: Bool
  }

  extension Connection {
    /// The number of the server process for the connection.
    var backend: Int32 { PQbackendPID(pointer) }

    /// Finds the outcome of the commit of a writer whose changes are logged.
    ///
    /// A commit is in the log before its process ends. So this checks the process first, then the
    /// log.
    ///
    /// - Parameters:
    ///   - writer: The writer.
    ///   - lost: The commit.
    ///   - epoch: The identity of the log before; another log does not know the outcome.
    /// - Returns: Whether the commit succeeded; `nil` as long as its process exists.
    /// - Throws: `PostgreSQLError.unknownOutcome` if the log does not show the outcome.
    func outcome(ofCommitBy writer: String, _ lost: LostCommit, in epoch: String) throws -> Bool? {
      let process = try query(
        "SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid = $1",
        [PostgreSQLType.int4.parameter(.integer(Int64(lost.backend)))])
      let logged = try query(
        "SELECT 1 FROM kinship.change WHERE writer = $1 LIMIT 1",
        [PostgreSQLType.text.parameter(.text(writer))])
      if logged.count > 0 { return true }
      if process.count > 0 { return nil }
      let known = try query("SELECT epoch::text FROM kinship.state")
      guard PostgreSQLCells(known).text(at: 0) == epoch else {
        throw PostgreSQLError.unknownOutcome
      }
      return false
    }
  }
#endif
