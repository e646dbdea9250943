/// The few system calls for files.
///
/// All file access uses this protocol, so that tests can make any call fail, and discard unsynced
/// data. A requirement that begins with `try` is one system call, which may do only a part of its
/// work or be interrupted; the methods in the extensions repeat it until all is done.
package protocol FileSystem: Sendable {
  /// Opens an existing directory.
  func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory

  /// Creates a directory that only its owner may use.
  func tryMakeDirectory(_ path: String) throws(SystemError)

  /// Removes an empty directory.
  func tryRemoveDirectory(_ path: String) throws(SystemError)
}

/// An open directory; it is closed when it is released.
package protocol Directory: AnyObject, Sendable {
  /// The path by which it was opened.
  var path: String { get }

  /// Opens a file, but no symbolic link.
  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile

  /// Renames a file, and replaces a file that has the new name.
  func tryRename(_ name: String, to other: String) throws(SystemError)

  /// Removes a file.
  func tryRemove(_ name: String) throws(SystemError)

  /// The names of its files, without `.` and `..`.
  func tryList() throws(SystemError) -> [String]

  /// Waits until the names of its files are synced to disk.
  func trySync() throws(SystemError)

  /// Whether a name is that of a symbolic link.
  func tryIsLink(_ name: String) throws(SystemError) -> Bool
}

/// An open file; it is closed, and unlocked, when it is released.
package protocol OpenFile: AnyObject, Sendable {
  /// The path by which it was opened.
  var path: String { get }

  /// Reads bytes from an offset on.
  ///
  /// - Returns: The number of bytes read; 0 at the end of the file.
  func tryRead(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int

  /// Writes bytes at an offset.
  ///
  /// - Returns: The number of bytes written.
  func tryWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int

  /// Waits until all written bytes are synced to disk.
  func trySync() throws(SystemError)

  /// Changes the size of the file.
  func tryTruncate(to size: Int) throws(SystemError)

  /// The size of the file.
  func trySize() throws(SystemError) -> Int

  /// Locks the file against all others who open it, without waiting for them.
  ///
  /// - Returns: Whether nobody else has locked it.
  func tryLock() throws(SystemError) -> Bool
}

/// How a file is opened.
package enum OpenMode: Hashable, Sendable {
  /// To read a file that is there.
  case read
  /// To read and write a file that is there.
  case update
  /// To read and write a new file, that only its owner may use; there must be none of the name.
  case create
}
