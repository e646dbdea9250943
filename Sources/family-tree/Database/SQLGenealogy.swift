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
      } catch let error as SQLMappingError {
        throw failure(error, path, status)
      } catch let error as SQLiteError {
        throw failure(error, path, status)
      } catch KinshipError.commitFailed(let cause as SQLiteError) {
        throw failure(cause, path, status)
      } catch let error as KinshipError {
        throw Failure(
          status: error.isOfData ? .badData : status, subject: path, message: error.description)
      }
    }

    private static func failure(
      _ error: SQLMappingError, _ path: String, _ status: ExitStatus
    ) -> Failure {
      switch error {
      case .noColumn("born", table: "persons"): .earlierVersion(of: path)
      case .noTable, .noColumn:
        Failure(
          status: .badData, subject: path,
          message: "it is the database of another program; nothing was changed in it")
      case _ where error.isOfData:
        Failure(status: .badData, subject: path, message: "it is damaged: \(error)")
      default:
        Failure(
          status: status, subject: path,
          message: status == .cannotWrite
            ? "it cannot be written: \(error)" : "it cannot be read: \(error)")
      }
    }

    private static func failure(
      _ error: SQLiteError, _ path: String, _ status: ExitStatus
    ) -> Failure {
      switch error {
      case .failed(_, "SQLITE_NOTADB", _, _):
        Failure(status: .badData, subject: path, message: "it is no SQLite database")
      case _ where error.isOfData:
        Failure(status: .badData, subject: path, message: "it is damaged: \(error)")
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

  extension SQLMappingError: DataError {
    var isOfData: Bool {
      switch self {
      case .wrongType, .unsuitableValue, .noTable, .noColumn: true
      default: false
      }
    }
  }

  extension SQLiteError: DataError {
    var isOfData: Bool {
      switch self {
      // Corrupt, or no database.
      case .failed(let code, _, _, _): [11, 26].contains(code & 0xFF)
      default: false
      }
    }
  }
#endif
