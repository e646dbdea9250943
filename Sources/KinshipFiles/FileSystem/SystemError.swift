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

/// A failed system call on a file or a directory.
public struct SystemError: Error, Hashable, Sendable {
  /// The operation that failed.
  public enum Operation: String, Hashable, Sendable {
    /// Opening or creating a file or a directory.
    case open
    /// Creating a directory.
    case makeDirectory = "make"
    /// Reading from a file.
    case read
    /// Writing to a file.
    case write
    /// Syncing a file or a directory to disk.
    case sync
    /// Renaming a file.
    case rename
    /// Removing a file.
    case remove
    /// Listing a directory.
    case list
    /// Truncating a file.
    case truncate
    /// Locking a file against other processes.
    case lock
    /// Reading the size or the kind of a file.
    case inspect
  }

  /// The operation that failed.
  public let operation: Operation
  /// The path of the file or the directory.
  public let path: String
  /// The error number, such as `ENOSPC`.
  public let code: Int32

  /// Creates an error of an operation on a path, with the error number.
  package init(_ operation: Operation, _ path: String, _ code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}

extension SystemError: CustomStringConvertible {
  /// Describes the operation, the path and the cause.
  public var description: String {
    let cause = "\(String(cString: strerror(code))) (\(code))"
    return "Could not \(operation.rawValue) \(path): \(cause). \(Self.advice(on: code))"
  }

  /// The advice to the reader about an error number.
  package static func advice(on code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: "Check the path."
    case EEXIST, ENOTEMPTY: "Choose another path, or remove what is there."
    case EACCES, EPERM, EROFS: "Check the permissions of the file and its directory."
    case ENOSPC, EDQUOT, EFBIG: "Free some space on the device."
    case EMFILE, ENFILE: "Close some files, or raise the limit of open files."
    default: "Check the file and its device."
    }
  }
}

extension SystemError: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

/// The error numbers that the code distinguishes.
package enum SystemErrorCode {
  /// A signal has interrupted the call.
  package static var interrupted: Int32 { EINTR }
  /// There is no file of the name.
  package static var missing: Int32 { ENOENT }
  /// There is a file of the name.
  package static var exists: Int32 { EEXIST }
  /// The file is a symbolic link.
  package static var link: Int32 { ELOOP }
  /// The device has failed.
  package static var deviceFailed: Int32 { EIO }
  /// The device is full.
  package static var noSpace: Int32 { ENOSPC }
  /// Too many files are open.
  package static var tooManyFiles: Int32 { EMFILE }
}
