#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

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

  func trySync() throws(SystemError) {
    let code = descriptor.sync()
    if code != 0 { throw SystemError(.sync, path, code) }
  }

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
