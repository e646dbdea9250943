#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A system call on a file or a directory that has failed.
public struct SystemError: Error, Hashable, Sendable {
  /// What was to be done.
  public enum Operation: String, Hashable, Sendable {
    /// To open or make a file or a directory.
    case open
    /// To make a directory.
    case makeDirectory = "make"
    /// To read from a file.
    case read
    /// To write to a file.
    case write
    /// To wait until what was written is on the disk.
    case sync
    /// To give a file another name.
    case rename
    /// To remove a file.
    case remove
    /// To list a directory.
    case list
    /// To make a file shorter.
    case truncate
    /// To lock a file against other processes.
    case lock
    /// To ask for the size or the kind of a file.
    case inspect
  }

  /// What was to be done.
  public let operation: Operation
  /// The path of the file or the directory.
  public let path: String
  /// The number of the error, such as `ENOSPC`.
  public let code: Int32

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - operation: What was to be done.
  ///   - path: The path of the file or the directory.
  ///   - code: The number of the error.
  package init(_ operation: Operation, _ path: String, _ code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}

extension SystemError: CustomStringConvertible {
  /// What has failed, where and why.
  public var description: String {
    "Could not \(operation.rawValue) \(path): \(String(cString: strerror(code))) (\(code))."
  }
}

extension SystemError: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
