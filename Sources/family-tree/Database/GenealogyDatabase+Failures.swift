#if SQLite
  import Kinship
  import KinshipSQLite

  extension GenealogyDatabase {
    /// Does something with a database, whose errors become the program's.
    static func tellingFailures<Result>(
      of path: String, _ status: ExitStatus, _ body: () async throws -> Result
    ) async throws -> Result {
      do {
        return try await body()
      } catch let error as SQLiteError {
        throw failure(error, path, status)
      } catch KinshipError.commitFailed(let cause as SQLiteError) {
        throw failure(cause, path, status)
      }
    }

    private static func failure(
      _ error: SQLiteError, _ path: String, _ status: ExitStatus
    ) -> Failure {
      switch error {
      case .noTable, .noColumn:
        Failure(
          status: .badData, subject: path,
          message: "it is the database of another program; nothing was changed in it")
      case .failed(_, "SQLITE_NOTADB", _, _):
        Failure(status: .badData, subject: path, message: "it is no SQLite database")
      case _ where error.isBusy:
        Failure(status: status, subject: path, message: "another program is writing to it")
      default:
        Failure(
          status: status, subject: path,
          message: status == .cannotWrite
            ? "it cannot be written: \(error)" : "it cannot be read: \(error)")
      }
    }
  }
#endif
