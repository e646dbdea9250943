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

  /// Opens a directory that is there.
  package func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(.open, path, errno) }
    return SystemDirectory(path: path, descriptor: Descriptor(number))
  }

  /// Makes a directory that only its owner may use.
  package func tryMakeDirectory(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o700) == 0 else { throw SystemError(.makeDirectory, path, errno) }
  }

  /// Removes a directory that has nothing in it.
  package func tryRemoveDirectory(_ path: String) throws(SystemError) {
    guard rmdir(path) == 0 else { throw SystemError(.remove, path, errno) }
  }
}

/// A number by which the system knows an open file; it is closed when this is released.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  // Whatever matters was synced before: a close that fails has nothing to say.
  deinit {
    // A process that is being started may hold the file for a moment longer: not its lock.
    flock(number, LOCK_UN)
    close(number)
  }

  /// Waits until what was written is on the disk.
  ///
  /// - Returns: The number of the error, or 0.
  func sync() -> Int32 {
    #if canImport(Darwin)
      // Only this makes the disk write its own cache; not every file system has it.
      if fcntl(number, F_FULLFSYNC) == 0 { return 0 }
      if errno != ENOTSUP, errno != EINVAL, errno != ENOTTY { return errno }
    #endif
    return fsync(number) == 0 ? 0 : errno
  }
}
