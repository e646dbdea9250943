import Foundation
import Kinship
import KinshipProgram

/// The reason why the program ends without success.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// The file or the store that it is about, or the program's own arguments.
  var subject = "family-tree"
  var line: Int?
  let message: String

  /// The message as it is written: `file:line: error: message`.
  var description: String {
    "\(subject)\(line.map { ":\($0)" } ?? ""): error: \(message.asSentences)"
  }
}

extension Failure {
  /// A mistake in the arguments.
  static func misuse(_ message: String) -> Failure {
    Failure(status: .usage, message: "\(message.asSentences)\nTry family-tree --help.")
  }

  /// The reason why a command cannot be carried out, or a file or a store cannot be used.
  ///
  /// - Parameters:
  ///   - error: The cause.
  ///   - subject: The file or the store.
  ///   - status: The exit status; `nil` for that of the error.
  init(_ error: any Error, of subject: String = "family-tree", _ status: ExitStatus? = nil) {
    switch error {
    case let failure as Failure: self = failure
    case let mistake as CommandLineMistake: self = .misuse(mistake.message)
    case OutputError.failed(let cause):
      self.init(status: .outputFailed, message: "the output cannot be written: \(cause)")
    case KinshipError.commitFailed(let cause):
      self.init(
        status: .cannotWrite, subject: subject, message: "it cannot be written: \(cause.sentences)")
    case KinshipError.fetchFailed:
      self.init(status: .unreadable, subject: subject, message: "\(error)")
    default:
      let what = status == .cannotWrite ? "it cannot be written: " : "it cannot be read: "
      self.init(
        status: status ?? (error is KinshipError ? .notFound : .software), subject: subject,
        message: (status == nil ? "" : what) + error.sentences)
    }
  }

  /// Runs a closure that uses a file or a store, and turns its errors into failures.
  static func telling<Result>(
    of subject: String, _ status: ExitStatus, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw Failure(error, of: subject, status) }
  }
}

/// Reading and writing whole files.
enum FileAccess {
  /// The bytes of a file or a pipe.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
      throw failure(error, path, .unreadable, "read")
    }
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Writes a text to a file, and replaces the previous contents.
  static func write(_ text: String, to path: String) throws(Failure) {
    do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
      throw failure(error, path, .cannotWrite, "written")
    }
  }

  private static func failure(
    _ error: any Error, _ path: String, _ status: ExitStatus, _ what: String
  ) -> Failure {
    // The system's own error says more than Foundation's.
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let code = cause.map { Int32(($0 as NSError).code) }
    let text =
      code.map { "\(FileOutput.describe($0)). \(SystemError.advice(on: $0))" }
      ?? error.localizedDescription
    return Failure(
      status: status, subject: path, message: "it cannot be \(what): \(text)")
  }
}
