import Kinship
import KinshipProgram

/// Why the program ends without success.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// What it is about: a file, or the program's own arguments.
  var subject = "family-tree"
  var line: Int?
  let message: String

  /// What to tell: `file:line: error: message`.
  var description: String {
    Diagnostic(line: line, severity: .error, message: message).described(in: subject)
  }
}

extension Failure {
  /// What is wrong with the arguments.
  static func misuse(_ message: String) -> Failure {
    Failure(status: .usage, message: "\(message)\nTry family-tree --help.")
  }

  /// A file or a store that cannot be written, or else cannot be read.
  static func unusable(_ path: String, _ status: ExitStatus, _ cause: Any) -> Failure {
    let what = status == .cannotWrite ? "written" : "read"
    return Failure(status: status, subject: path, message: "it cannot be \(what): \(cause)")
  }

  /// A store that lacks what queries look at.
  static func earlierVersion(of path: String) -> Failure {
    Failure(
      status: .badData, subject: path,
      message: "it was written by an earlier version of this program, which noted no births; "
        + "nothing was changed in it. Import the file into another store")
  }

  /// How a command ends because of an error.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case OutputError.failed(let cause):
      self.init(status: .outputFailed, message: "the output cannot be written: \(cause)")
    case KinshipError.commitFailed(let cause):
      self.init(status: .cannotWrite, message: "the change cannot be written: \(cause)")
    case KinshipError.fetchFailed(_, _, let cause):
      let isOfData =
        (cause as? any DataError)?.isOfData == true || cause is PartialAnswer<Person>
      self.init(
        status: isOfData ? .badData : .unreadable,
        message: "the genealogy cannot be read: \(cause)")
    case KinshipError.missing: self.init(status: .notFound, message: "\(error)")
    case let error as any DataError where error.isOfData:
      self.init(status: .badData, message: "the genealogy cannot be read: \(error)")
    case let error as KinshipError:
      self.init(status: .notFound, message: error.description)
    default: self.init(status: .software, message: "\(error)")
    }
  }
}
