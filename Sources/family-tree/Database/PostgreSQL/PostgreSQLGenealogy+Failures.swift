#if PostgreSQL
  import KinshipPostgreSQL
  import KinshipProgram

  extension PostgreSQLGenealogy {
    static func failure(
      _ error: PostgreSQLError, of name: String, _ status: ExitStatus
    ) -> Failure {
      switch error {
      case .unknownOutcome:
        Failure(
          status: status, subject: name,
          message: "the connection was lost: look whether it was written")
      default:
        failure(error, isBusy: error.state == .lockNotAvailable, of: name, status)
      }
    }
  }

  extension PostgreSQLError: DataError {
    var isOfData: Bool {
      switch self {
      case .unsuitableValue, .unsupportedType: true
      // Rows or an index are corrupted.
      default: ["XX001", "XX002"].contains(state?.rawValue)
      }
    }
  }

  extension SQLSTATE {
    fileprivate static let lockNotAvailable = SQLSTATE(rawValue: "55P03")
  }
#endif
