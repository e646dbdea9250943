#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The files of the operating system.
package struct SystemFiles: FileSystem {
  /// Creates a view of all files.
  package init() {}

  /// Opens an existing directory.
  package func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(.open, path, errno) }
    return SystemDirectory(path: path, descriptor: Descriptor(number))
  }

  /// Creates a directory that only its owner may use.
  package func tryMakeDirectory(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o700) == 0 else { throw SystemError(.makeDirectory, path, errno) }
  }

  /// Removes an empty directory.
  package func tryRemoveDirectory(_ path: String) throws(SystemError) {
    guard rmdir(path) == 0 else { throw SystemError(.remove, path, errno) }
  }
}

/// The descriptor of an open file, which is closed when this is released.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  // Ignore a failed close: all data that must be durable was synced before.
  deinit {
    // A child process that is being started may keep the file open for a moment; release the lock.
    flock(number, LOCK_UN)
    close(number)
  }

  /// Waits until all written bytes are synced to disk.
  ///
  /// - Returns: The error number, or 0.
  func sync() -> Int32 {
    #if canImport(Darwin)
      // Only this call flushes the cache of the disk; not every file system supports it.
      if fcntl(number, F_FULLFSYNC) == 0 { return 0 }
      if errno != ENOTSUP, errno != EINVAL, errno != ENOTTY { return errno }
    #endif
    return fsync(number) == 0 ? 0 : errno
  }
}
