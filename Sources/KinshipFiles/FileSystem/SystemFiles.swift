#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The files of the operating system.
package struct SystemFiles: FileSystem {
  package init() {}

  package func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(.open, path, errno) }
    return SystemDirectory(path: path, descriptor: Descriptor(number))
  }

  package func tryMakeDirectory(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o700) == 0 else { throw SystemError(.makeDirectory, path, errno) }
  }

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

  /// Waits until all bytes written to a path are synced to disk.
  func sync(_ path: String) throws(SystemError) {
    #if canImport(Darwin)
      // Only this call flushes the cache of the disk; not every file system supports it.
      if fcntl(number, F_FULLFSYNC) == 0 { return }
      if errno != ENOTSUP, errno != EINVAL, errno != ENOTTY {
        throw SystemError(.sync, path, errno)
      }
    #endif
    if fsync(number) != 0 { throw SystemError(.sync, path, errno) }
  }
}

/// A directory of the operating system.
final class SystemDirectory: Directory {
  let path: String
  private let descriptor: Descriptor

  init(path: String, descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    // Opening a pipe of that name must not block until another process writes to it.
    let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let number =
      switch mode {
      case .read: openat(descriptor.number, name, O_RDONLY | always)
      case .update: openat(descriptor.number, name, O_RDWR | always)
      case .create: openat(descriptor.number, name, O_RDWR | O_CREAT | O_EXCL | always, 0o600)
      }
    guard number >= 0 else { throw SystemError(.open, path(of: name), errno) }
    let file = SystemFile(path: path(of: name), descriptor: Descriptor(number))
    guard try file.isRegular() else { throw SystemError(.open, path(of: name), EINVAL) }
    return file
  }

  func tryRename(_ name: String, to other: String) throws(SystemError) {
    guard renameat(descriptor.number, name, descriptor.number, other) == 0 else {
      throw SystemError(.rename, path(of: name), errno)
    }
  }

  func tryRemove(_ name: String) throws(SystemError) {
    guard unlinkat(descriptor.number, name, 0) == 0 else {
      throw SystemError(.remove, path(of: name), errno)
    }
  }

  func tryList() throws(SystemError) -> [String] {
    // A new descriptor lists the directory from the beginning.
    let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(.list, path, errno) }
    guard let list = fdopendir(number) else {
      let code = errno
      close(number)
      throw SystemError(.list, path, code)
    }
    defer { closedir(list) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      throw SystemError(.list, path, ENOTSUP)
    }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(list) else {
        if errno != 0 { throw SystemError(.list, path, errno) }
        return names
      }
      let characters = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      // Skip names that are not UTF-8; no file of Kinship's has one.
      if let name = String(validatingCString: characters), name != ".", name != ".." {
        names.append(name)
      }
    }
  }

  func trySync() throws(SystemError) { try descriptor.sync(path) }

  func tryIsLink(_ name: String) throws(SystemError) -> Bool {
    var status = stat()
    if fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      return status.st_mode & S_IFMT == S_IFLNK
    }
    if errno == ENOENT { return false }
    throw SystemError(.inspect, path(of: name), errno)
  }

  private func path(of name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }
}

/// A file of the operating system.
final class SystemFile: OpenFile {
  let path: String
  private let descriptor: Descriptor

  init(path: String, descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func tryRead(
    into bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    let count = pread(descriptor.number, bytes.baseAddress, bytes.count, off_t(offset))
    guard count >= 0 else { throw SystemError(.read, path, errno) }
    return count
  }

  func tryWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    let count = pwrite(descriptor.number, bytes.baseAddress, bytes.count, off_t(offset))
    guard count >= 0 else { throw SystemError(.write, path, errno) }
    return count
  }

  func trySync() throws(SystemError) { try descriptor.sync(path) }

  func tryTruncate(to size: Int) throws(SystemError) {
    guard ftruncate(descriptor.number, off_t(size)) == 0 else {
      throw SystemError(.truncate, path, errno)
    }
  }

  func trySize() throws(SystemError) -> Int { Int(try status().st_size) }

  func tryLock() throws(SystemError) -> Bool {
    if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemError(.lock, path, errno)
  }

  /// Whether this is a regular file: no directory, pipe or device.
  func isRegular() throws(SystemError) -> Bool { try status().st_mode & S_IFMT == S_IFREG }

  private func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else {
      throw SystemError(.inspect, path, errno)
    }
    return status
  }
}
