#if PostgreSQL
  internal import CPostgreSQL
  internal import KinshipSQL

  /// A commit was asked for, and the answer did not come.
  struct LostCommit: Error {
    /// The process of the server that was asked.
    let backend: Int32
    /// Whether it may have changed more rows, or otherwise, than it was told.
    let isAffected: Bool
  }

  extension Connection {
    /// The number of the server's process that serves the connection.
    var backend: Int32 { PQbackendPID(pointer) }

    /// What became of the commit of a writer whose changes are logged.
    ///
    /// The log shows a commit before its process ends. So it is looked there after the process.
    ///
    /// - Parameters:
    ///   - writer: The writer.
    ///   - lost: The commit.
    ///   - epoch: The log that was there before: another one does not know.
    /// - Returns: Whether it was made; `nil` as long as the process that was asked is there.
    /// - Throws: `PostgreSQLError.unknownOutcome` where the log does not tell.
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
