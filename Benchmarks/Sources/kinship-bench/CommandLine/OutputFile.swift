import Foundation

/// A file that is opened before the work, so that a bad path costs no long run.
struct OutputFile {
  private let path: String
  private let handle: FileHandle

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw OutputError(path: path, cause: String(cString: strerror(errno)))
    }
    self.path = path
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Replaces the contents of the file.
  func write(_ contents: Data) throws {
    do {
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: contents)
      try handle.close()
    } catch {
      throw OutputError(path: path, cause: "\(error)")
    }
  }
}
