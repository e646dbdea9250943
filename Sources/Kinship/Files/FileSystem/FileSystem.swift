/// The few system calls by which files are kept.
///
/// Whatever is kept in files goes through it, so that tests can make any call fail, and lose what
/// was not synced. Requirements that begin with `try` are one system call each, which may do less
/// than it was asked for or be interrupted: the methods beside them go on until all is done.
package protocol FileSystem: Sendable {
  /// Opens a directory that is there.
  func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory

  /// Makes a directory that only its owner may use.
  func tryMakeDirectory(_ path: String) throws(SystemError)

  /// Removes a directory that has nothing in it.
  func tryRemoveDirectory(_ path: String) throws(SystemError)
}

/// An open directory; it is closed when it is released.
package protocol Directory: AnyObject, Sendable {
  /// The path by which it was opened.
  var path: String { get }

  /// Opens a file that is no symbolic link.
  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile

  /// Gives a file another name, in place of the file that may have it.
  func tryRename(_ name: String, to other: String) throws(SystemError)

  /// Removes a file.
  func tryRemove(_ name: String) throws(SystemError)

  /// The names of what there is, but for `.` and `..`.
  func tryList() throws(SystemError) -> [String]

  /// Waits until the names of its files are on the disk.
  func trySync() throws(SystemError)

  /// Whether a name is that of a symbolic link.
  func tryIsLink(_ name: String) throws(SystemError) -> Bool
}

/// An open file; it is closed, and unlocked, when it is released.
package protocol OpenFile: AnyObject, Sendable {
  /// The path by which it was opened.
  var path: String { get }

  /// Reads bytes from a position on.
  ///
  /// - Returns: How many were read; 0 at the end of the file.
  func tryRead(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int

  /// Writes bytes from a position on.
  ///
  /// - Returns: How many were written.
  func tryWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int

  /// Waits until what was written is on the disk.
  func trySync() throws(SystemError)

  /// Gives the file another size.
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
