import Kinship
import KinshipProgram

#if PostgreSQL
  import KinshipPostgreSQL
#endif
#if SQLite || PostgreSQL
  import KinshipSQL
#endif
#if SQLite
  import KinshipSQLite
#endif

/// Why the program ends without success.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// The file or the store that it is about, or the program's own arguments.
  var subject = "family-tree"
  var line: Int?
  let message: String

  /// The message as it is written: `file:line: error: message`.
  var description: String {
    Diagnostic(line: line, severity: .error, message: message).described(in: subject)
  }
}

extension Failure {
  /// A mistake in the arguments.
  static func misuse(_ message: String) -> Failure {
    Failure(status: .usage, message: "\(message)\nTry family-tree --help.")
  }

  /// How a command ends because of an error.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case OutputError.failed(let cause):
      self.init(status: .outputFailed, message: "the output cannot be written: \(cause)")
    case KinshipError.commitFailed(let cause):
      self.init(status: .cannotWrite, message: "the change cannot be written: \(cause)")
    case KinshipError.fetchFailed:
      self.init(status: Self.isOfData(error) ? .badData : .unreadable, message: "\(error)")
    case KinshipError.missing: self.init(status: .notFound, message: "\(error)")
    case _ where Self.isOfData(error): self.init(status: .badData, message: "\(error)")
    case is KinshipError: self.init(status: .notFound, message: "\(error)")
    default: self.init(status: .software, message: "\(error)")
    }
  }

  /// Why a file or a store cannot be used.
  ///
  /// - Parameters:
  ///   - error: What went wrong.
  ///   - subject: The file or the store.
  ///   - status: How the program ends, unless what was stored is at fault.
  init(_ error: any Error, of subject: String, _ status: ExitStatus) {
    let isOfData = Self.isOfData(error)
    let what = status == .cannotWrite ? "written" : "read"
    self.init(
      status: isOfData ? .badData : status, subject: subject,
      message: isOfData ? "\(error)" : "it cannot be \(what): \(error)")
  }

  /// Does something with a file or a store, whose errors become the program's.
  static func telling<Result>(
    of subject: String, _ status: ExitStatus, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let failure as Failure {
      throw failure
    } catch KinshipError.commitFailed(let cause) {
      throw Failure(cause, of: subject, status)
    } catch {
      throw Failure(error, of: subject, status)
    }
  }

  /// Whether an error is the fault of what was stored, rather than of the way to it.
  private static func isOfData(_ error: any Error) -> Bool {
    #if SQLite || PostgreSQL
      if error is SQLMappingError { return true }
    #endif
    #if SQLite
      // The file is corrupt, or no database.
      if let code = (error as? SQLiteError)?.code { return [11, 26].contains(code & 0xFF) }
    #endif
    #if PostgreSQL
      switch error as? PostgreSQLError {
      case .unsuitableValue, .unsupportedType: return true
      // Rows or an index are corrupt.
      case let error?: return ["XX001", "XX002"].contains(error.state?.rawValue)
      case nil: break
      }
    #endif
    if error is PartialAnswer<Person> || error is PartialAnswer<Event> { return true }
    switch error as? KinshipError {
    case .damaged, .untranslatable, .missing, .unexpectedRecord, .identityChanged, .foreignFile,
      .newerFormat, .newerVersion, .noMigration, .unknownCoder, .unknownType:
      return true
    case .fetchFailed(_, _, let cause): return isOfData(cause)
    default: return false
    }
  }
}
