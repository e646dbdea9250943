import Foundation
import KinshipProgram

/// Reading and writing whole files, through the few system calls that this takes.
enum FileAccess {
  /// More than any genealogy, and less than a machine's memory.
  static let sizeLimit = 1 << 30

  /// The bytes of a file or a pipe.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unusable(path, .unreadable, lastError) }
    defer { close(file) }

    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unusable(path, .unreadable, lastError) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= sizeLimit else {
        throw .unusable(path, .unreadable, "it is larger than \(sizeLimit.grouped) bytes")
      }
      bytes += buffer[..<count]
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The names in a directory; nil if there is nothing of that name.
  static func list(_ path: String) throws(Failure) -> [String]? {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return nil
    }
    guard isDirectory.boolValue else {
      throw Failure(status: .badData, subject: path, message: "it is no directory")
    }
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .unusable(path, .unreadable, error.localizedDescription)
    }
  }

  /// Makes a file of a text, or replaces what it held.
  static func write(_ text: String, to path: String) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .unusable(path, .cannotWrite, lastError) }
    let error = FileOutput.writeAll(text, to: file).map(FileOutput.describe)
    let closed = close(file)
    if let error { throw .unusable(path, .cannotWrite, error) }
    if closed != 0 { throw .unusable(path, .cannotWrite, lastError) }
  }

  private static var lastError: String { FileOutput.describe(errno) }
}
