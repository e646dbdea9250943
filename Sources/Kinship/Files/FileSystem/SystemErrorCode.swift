#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

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
