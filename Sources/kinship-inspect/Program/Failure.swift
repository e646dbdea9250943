import Kinship
import KinshipProgram

/// The reason why the program ends without success.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// The subject: a file, or the program's own arguments.
  var subject = "kinship-inspect"
  let message: String

  /// The line to print: `file: error: message`.
  var description: String { "\(subject): error: \(message.asSentences)" }
}

extension Failure {
  /// Returns a failure for wrong arguments.
  static func misuse(_ message: String) -> Failure {
    Failure(status: .usage, message: "\(message.asSentences)\nTry kinship-inspect --help.")
  }

  /// The reason why a file cannot be written.
  init(writing error: KinshipError, to path: String) {
    guard case .file(.failed(_, let cause)) = error else {
      self.init(error, of: path)
      return
    }
    self.init(
      status: .cannotWrite, subject: path, message: "it cannot be written: \(cause.sentences)")
  }

  /// The reason why a file cannot be read.
  init(_ error: KinshipError, of path: String) {
    switch error {
    case .file(.damaged(let damage)):
      self.init(
        status: .notFound, subject: path,
        message: "nothing in it can be read: \(damage) Restore a backup")
    case .file(.foreign):
      self.init(
        status: .badData, subject: path,
        message: "it is neither a snapshot nor the directory of a store of Kinship. Check the path")
    case .file(.unknownCoder(_, let name)):
      self.init(
        status: .badData, subject: path,
        message: "its records were written by the coder \(name.quoted), which this program "
          + "does not have. Read them with the program that wrote them")
    case .file(.failed(_, let cause)):
      self.init(
        status: .unreadable, subject: path, message: "it cannot be read: \(cause.sentences)")
    case .file(.inUse):
      self.init(
        status: .unreadable, subject: path,
        message: "it changes too fast to be read. Try again when less is written")
    default: self.init(status: .badData, subject: path, message: "\(error)")
    }
  }
}
