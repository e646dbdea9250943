internal import Foundation
internal import Kinship

package enum FileAccess {
  /// The bytes of a file or a pipe.
  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
      throw failure(error, path, .unreadable, "read")
    }
  }

  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Writes a text to a file, and replaces the previous contents.
  package static func write(_ text: String, to path: String) throws(Failure) {
    do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
      throw failure(error, path, .cannotWrite, "written")
    }
  }

  private static func failure(
    _ error: any Error, _ path: String, _ status: ExitStatus, _ what: String
  ) -> Failure {
    // The system's own error says more than Foundation's.
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    if let cause { return failure(Int32((cause as NSError).code), path, status, what) }
    return Failure(
      status: status, subject: path,
      message: "it cannot be \(what): \(error.localizedDescription)")
  }

  /// The failure of a system call, by its error number.
  package static func failure(
    _ code: Int32, _ path: String, _ status: ExitStatus, _ what: String
  ) -> Failure {
    Failure(
      status: status, subject: path,
      message: "it cannot be \(what): \(FileOutput.describe(code)). "
        + SystemError.advice(on: code))
  }
}
