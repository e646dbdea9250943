import Foundation
import KinshipProgram

/// Reading and writing whole files.
enum FileAccess {
  /// The bytes of a file or a pipe.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
      throw failure(error, path, .unreadable, "read")
    }
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Makes a file of a text, or replaces what it held.
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
    let text = code.map(FileOutput.describe) ?? error.localizedDescription
    return Failure(
      status: status, subject: path, message: "it cannot be \(what): \(text)")
  }
}
