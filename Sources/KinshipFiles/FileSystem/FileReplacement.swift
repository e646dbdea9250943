#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Replaces a file atomically by a new version.
///
/// 1. Create a temporary file beside it, which only its owner may read, and write it.
/// 2. Sync it, rename it over the old one, and sync the directory.
///
/// A program that dies in between leaves the old file or the new one, and perhaps the temporary
/// file: ``removeTemporaryFiles(of:in:)``. The temporary file is locked while it is written, so
/// that nobody removes it then. A symbolic link is refused: neither the link nor its target is
/// replaced.
package final class FileReplacement {
  private let name: String
  private let temporary: String
  private let directory: any Directory
  /// The new version; you can still write to it after it is published.
  package let file: any OpenFile
  /// The number of written bytes.
  package private(set) var count = 0
  private var isPublished = false

  /// Creates the temporary file, beside the one to replace or to create.
  ///
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
      // If it cannot be removed now, it is removed with other remains later.
      try? directory.remove(temporary)
      throw error
    }
    return (temporary, file)
  }

  /// Appends bytes.
  ///
  /// - Throws: `SystemError`; then abandon the replacement.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes, at: count)
    count += bytes.count
  }

  /// Appends a frame.
  ///
  /// - Throws: `SystemError`; then abandon the replacement.
  package func append(kind: UInt8, _ payload: [UInt8]) throws(SystemError) {
    try write(FrameHeader(kind: kind, of: payload).bytes(at: count))
    try write(payload)
  }

  /// Replaces the old version by the new one.
  ///
  /// - Throws: `FileReplacementError`.
  package func publish() throws(FileReplacementError) {
    do {
      // F2: the new file is complete on disk before it replaces the old one.
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
    // If it cannot be removed now, it is removed with other remains later.
    try? directory.remove(temporary)
  }

  /// Replaces the contents of a file.
  ///
  /// - Throws: `SystemError`, whether the old version is in place or the new one.
  package static func replace(
    _ name: String, in directory: any Directory, with bytes: [UInt8]
  ) throws(SystemError) {
    let replacement = try FileReplacement(of: name, in: directory)
    try replacement.write(bytes)
    do { try replacement.publish() } catch { throw error.cause }
  }

  /// Whether a name is that of a temporary file.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && name.contains(".kinship-tmp-")
  }

  private static func prefix(of name: String) -> String { ".\(name).kinship-tmp-" }

  /// Removes the temporary files of programs that have died while they replaced a file.
  package static func removeTemporaryFiles(
    of name: String, in directory: any Directory
  ) throws(SystemError) {
    for temporary in try directory.list() where temporary.hasPrefix(prefix(of: name)) {
      guard let file = try directory.openIfPresent(temporary, .update) else { continue }
      if try file.lock() { try directory.remove(temporary) }
    }
  }
}

/// An error of replacing a file, which says whether the old or the new version is in place.
public enum FileReplacementError: Error, Hashable, Sendable {
  /// The old version is in place.
  case failed(SystemError)
  /// The new version is in place, but a loss of power now may restore the old one.
  case unconfirmed(SystemError)

  /// The error of the system call.
  package var cause: SystemError {
    switch self {
    case .failed(let cause), .unconfirmed(let cause): cause
    }
  }
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

  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
