import Kinship
import KinshipProgram

extension GenealogyFiles {
  /// Does something with a directory, whose errors become the program's.
  static func tellingFailures<Result>(
    of path: String, _ status: ExitStatus, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch KinshipError.commitFailed(let cause as KinshipError) {
      throw failure(cause, path, status)
    } catch let error as KinshipError {
      throw failure(error, path, status)
    }
  }

  private static func failure(
    _ error: KinshipError, _ path: String, _ status: ExitStatus
  ) -> Failure {
    switch error {
    case .storeInUse:
      Failure(status: status, subject: path, message: "another program has it open")
    case .damaged(let damage):
      Failure(
        status: .badData, subject: damage.file,
        message: "it is damaged at byte \(damage.offset): \(damage.cause)")
    case .unknownType, .foreignFile, .unknownCoder:
      Failure(
        status: .badData, subject: path,
        message: "it is the store of another program; nothing was changed in it")
    case .noMigration: .earlierVersion(of: path)
    case .newerFormat, .newerVersion:
      Failure(
        status: .badData, subject: path,
        message: "it was written by a later version of this program")
    case .fileFailed(_, let cause):
      Failure(
        status: status, subject: path,
        message: status == .cannotWrite
          ? "it cannot be written: \(cause)" : "it cannot be read: \(cause)")
    default:
      Failure(
        status: error.isOfData ? .badData : status, subject: path, message: error.description)
    }
  }
}
