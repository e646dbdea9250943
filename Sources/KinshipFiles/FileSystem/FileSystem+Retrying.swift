/// The maximum number of attempts of an interrupted call before it counts as an error.
///
/// A signal interrupts a call now and then, not for ever.
private let attempts = 100

/// Repeats a call as long as a signal interrupts it.
private func retrying<Result>(
  _ call: @autoclosure () throws(SystemError) -> Result
) throws(SystemError) -> Result {
  for _ in 1..<attempts {
    do { return try call() } catch  where error.code == SystemErrorCode.interrupted { continue }
  }
  return try call()
}

extension FileSystem {
  /// Opens a directory.
  ///
  /// If it is missing, it is created on request. Its parent is synced then, so that it survives a
  /// loss of power.
  package func openDirectory(
    _ path: String, creating isCreating: Bool = false
  ) throws(SystemError) -> any Directory {
    guard isCreating else {
      return try retrying(try tryOpenDirectory(path))
    }
    do {
      try retrying(try tryMakeDirectory(path))
    } catch  where error.code == SystemErrorCode.exists {
      // Another process may have created it without a sync.
    }
    try openDirectory(parentPath(of: path)).sync()
    return try openDirectory(path)
  }

  /// Removes an empty directory.
  package func removeDirectory(_ path: String) throws(SystemError) {
    try retrying(try tryRemoveDirectory(path))
  }
}

/// The path of the directory that holds a file or a directory.
package func parentPath(of path: String) -> String {
  var path = Substring(path)
  while path.count > 1, path.last == "/" { path.removeLast() }
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The last part of a path.
package func fileName(of path: String) -> String {
  String(path.drop { $0 == "/" }.split(separator: "/").last ?? "")
}

extension Directory {
  /// Opens a file, but no symbolic link.
  ///
  /// - Throws: `SystemError`, `ELOOP` for a link.
  package func open(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    try retrying(try tryOpen(name, mode))
  }

  /// Opens a file; `nil` if it is missing.
  ///
  /// - Throws: `SystemError`, `ELOOP` for a link.
  package func openIfPresent(
    _ name: String, _ mode: OpenMode
  ) throws(SystemError) -> (any OpenFile)? {
    do { return try open(name, mode) } catch  where error.code == SystemErrorCode.missing {
      return nil
    }
  }

  /// Opens a file, or creates it if it is missing.
  ///
  /// - Throws: `SystemError`, `ELOOP` for a link.
  package func openOrCreate(_ name: String) throws(SystemError) -> any OpenFile {
    if let file = try openIfPresent(name, .update) { return file }
    do { return try open(name, .create) } catch  where error.code == SystemErrorCode.exists {
      return try open(name, .update)
    }
  }

  /// Renames a file, and replaces a file that has the new name.
  package func rename(_ name: String, to other: String) throws(SystemError) {
    try retrying(try tryRename(name, to: other))
  }

  /// Removes a file; it is no error if there is none.
  package func remove(_ name: String) throws(SystemError) {
    do {
      try retrying(try tryRemove(name))
    } catch  where error.code == SystemErrorCode.missing {
      return
    }
  }

  /// The names of its files.
  package func list() throws(SystemError) -> [String] {
    try retrying(try tryList())
  }

  /// Waits until the names of its files are synced to disk.
  package func sync() throws(SystemError) {
    try retrying(try trySync())
  }

  /// Whether a name is that of a symbolic link.
  package func isLink(_ name: String) throws(SystemError) -> Bool {
    try retrying(try tryIsLink(name))
  }
}

extension OpenFile {
  /// Reads bytes from an offset on, until the buffer is full or the file ends; returns the number
  /// of bytes read.
  package func read(
    into bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    var count = 0
    while count < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
      let read = try retrying(try tryRead(into: rest, at: offset + count))
      if read == 0 { break }
      count += read
    }
    return count
  }

  /// Writes all bytes at an offset.
  ///
  /// - Throws: `SystemError`; some of the bytes may have been written then. `EIO` if the system
  ///   accepts none without an error.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in
      var (count, idle) = (0, 0)
      while count < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
        let written = try retrying(try tryWrite(rest, at: offset + count))
        count += written
        idle = written == 0 ? idle + 1 : 0
        if idle == attempts { throw SystemError(.write, path, SystemErrorCode.deviceFailed) }
      }
    }
  }

  /// Waits until all written bytes are synced to disk.
  package func sync() throws(SystemError) {
    try retrying(try trySync())
  }

  /// Changes the size of the file.
  package func truncate(to size: Int) throws(SystemError) {
    try retrying(try tryTruncate(to: size))
  }

  /// The size of the file.
  package func size() throws(SystemError) -> Int {
    try retrying(try trySize())
  }

  /// Locks the file against all others who open it, without waiting for them; returns `false` if
  /// someone else has locked it.
  package func lock() throws(SystemError) -> Bool {
    try retrying(try tryLock())
  }
}
