internal import Kinship

/// The version of the library and its programs.
package let version = "0.1.0"

/// The reason why a program ends without success.
package struct Failure: Error, Equatable {
  package let status: ExitStatus
  /// The file or the store that it is about; `nil` for the program itself.
  package var subject: String?
  package var line: Int?
  package let message: String

  package init(status: ExitStatus, subject: String? = nil, line: Int? = nil, message: String) {
    (self.status, self.subject, self.line, self.message) = (status, subject, line, message)
  }

  /// The message as it is written: `file:line: error: message`.
  package func description(in program: String) -> String {
    "\(subject ?? program)\(line.map { ":\($0)" } ?? ""): error: \(message.asSentences)"
  }
}

extension Console {
  /// Reports an error that ends a program, and returns the exit status for it.
  @discardableResult
  package func report(_ error: any Error, in program: String) -> ExitStatus {
    let failure: Failure
    switch error {
    // The reader has seen enough: `family-tree | head`.
    case OutputError.closed: return .success
    case OutputError.failed(let cause):
      failure = Failure(
        status: .outputFailed, message: "the output cannot be written: \(cause)")
    case let mistake as CommandLineMistake:
      failure = Failure(
        status: .usage, message: "\(mistake.message.asSentences)\nTry \(program) --help.")
    case let error as Failure: failure = error
    default: failure = Failure(status: .software, message: error.sentences)
    }
    complain(failure.description(in: program))
    return failure.status
  }
}

/// The exit status of a program, after `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The answer is negative: no person has that name, a command in the shell fails, a file is
  /// damaged, two files differ.
  case notFound = 1
  case usage = 64
  case badData = 65
  case unreadable = 66
  case software = 70
  case cannotWrite = 73
  case outputFailed = 74
}
