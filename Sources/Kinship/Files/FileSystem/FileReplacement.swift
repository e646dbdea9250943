#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A new version of a file, which takes its place at once or not at all.
///
/// 1. A temporary file is made beside it, which only its owner may read, and written.
/// 2. It is synced, renamed over the old one, and the directory is synced.
///
/// Whoever dies in between leaves the old file or the new one, and perhaps the temporary:
/// ``removeRemains(of:in:)``. The temporary is locked as long as it is written, so that nobody
/// takes it for such a remain. A file that is a symbolic link is refused: neither is the link
/// replaced, nor what it leads to.
package final class FileReplacement {
  private let name: String
  private let temporary: String
  private let directory: any Directory
  /// The new version, which can be written to when it is published as well.
  package let file: any OpenFile
  /// How many bytes were written.
  package private(set) var count = 0
  private var isPublished = false

  /// Makes the temporary file.
  ///
  /// - Parameters:
  ///   - name: The name of the file to replace, or to make.
  ///   - directory: Where it is.
  /// - Throws: `SystemError`, `ELOOP` for a symbolic link.
  package init(of name: String, in directory: any Directory) throws(SystemError) {
    if try directory.isLink(name) {
      throw SystemError(.open, "\(directory.path)/\(name)", SystemErrorCode.link)
    }
    self.name = name
    self.directory = directory
    (temporary, file) = try Self.makeTemporary(for: name, in: directory)
  }

  private static func makeTemporary(
    for name: String, in directory: any Directory
  ) throws(SystemError) -> (String, any OpenFile) {
    let temporary = prefix(of: name) + String(UInt32.random(in: 0 ... .max), radix: 16)
    let file = try directory.open(temporary, .create)
    do { _ = try file.lock() } catch {
      // What cannot be removed now is removed with the other remains.
      try? directory.remove(temporary)
      throw error
    }
    return (temporary, file)
  }

  /// Appends bytes.
  ///
  /// - Throws: `SystemError`; then all is to be given up.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try file.write(bytes, at: count)
    count += bytes.count
  }

  /// Puts the new version in the place of the old one.
  ///
  /// - Throws: `FileReplacementError`.
  package func publish() throws(FileReplacementError) {
    do {
      try file.sync()
      try directory.rename(temporary, to: name)
    } catch {
      throw .failed(error)
    }
    isPublished = true
    do { try directory.sync() } catch { throw .unconfirmed(error) }
  }

  deinit {
    guard !isPublished else { return }
    // What cannot be removed now is removed with the other remains.
    try? directory.remove(temporary)
  }

  /// Replaces a file by some bytes.
  ///
  /// - Throws: `SystemError`, whether the old version is in place or the new one.
  package static func replace(
    _ name: String, in directory: any Directory, with bytes: [UInt8]
  ) throws(SystemError) {
    let replacement = try FileReplacement(of: name, in: directory)
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try replacement.write(bytes)
    }
    do { try replacement.publish() } catch {
      switch error {
      case .failed(let error), .unconfirmed(let error): throw error
      }
    }
  }

  /// Whether a name is that of a temporary file.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && name.contains(".kinship-tmp-")
  }

  private static func prefix(of name: String) -> String { ".\(name).kinship-tmp-" }

  /// Removes the temporary files that were left by those who have died.
  ///
  /// - Parameters:
  ///   - name: The name of the file that was to be replaced.
  ///   - directory: Where it is.
  /// - Throws: `SystemError`.
  package static func removeRemains(
    of name: String, in directory: any Directory
  ) throws(SystemError) {
    for temporary in try directory.list() where temporary.hasPrefix(prefix(of: name)) {
      let file: any OpenFile
      do { file = try directory.open(temporary, .update) } catch
        where error.code == SystemErrorCode.missing
      {
        continue
      }
      if try file.lock() { try directory.remove(temporary) }
    }
  }
}

/// Why a file was not replaced.
public enum FileReplacementError: Error, Hashable, Sendable {
  /// The old version is in its place.
  case failed(SystemError)
  /// The new version is in its place; if the power is lost now, the old one may be back.
  case unconfirmed(SystemError)
}

extension FileReplacementError: LocalizedError, CustomStringConvertible {
  /// Says whether the file was replaced, and the cause.
  public var description: String {
    switch self {
    case .failed(let cause): "The file was not replaced: \(cause)"
    case .unconfirmed(let cause):
      "The file was replaced, but a loss of power may bring the old one back: \(cause)"
    }
  }

  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
