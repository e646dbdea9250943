#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

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

  func trySync() throws(SystemError) {
    let code = descriptor.sync()
    if code != 0 { throw SystemError(.sync, path, code) }
  }

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
