#if SQLite
  import KinshipProgram
  import KinshipSQLite

  extension SQLiteGenealogy {
    static func failure(
      _ error: SQLiteError, of path: String, _ status: ExitStatus
    ) -> Failure {
      if case .failed(_, "SQLITE_NOTADB", _, _) = error {
        return Failure(status: .badData, subject: path, message: "it is no SQLite database")
      }
      return failure(error, isBusy: error.isBusy, of: path, status)
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
