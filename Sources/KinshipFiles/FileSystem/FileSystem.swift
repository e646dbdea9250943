/// The few system calls for files.
///
/// All file access uses this protocol, so that tests can make any call fail, and discard unsynced
/// data. A requirement that begins with `try` is one system call, which may do only a part of its
/// work or be interrupted; the methods in the extensions repeat it until all is done, and say more.
package protocol FileSystem: Sendable {
  /// Opens an existing directory.
  func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory

  /// Creates a directory that only its owner may use.
  func tryMakeDirectory(_ path: String) throws(SystemError)

  func tryRemoveDirectory(_ path: String) throws(SystemError)
}

/// An open directory; it is closed when it is released.
package protocol Directory: AnyObject, Sendable {
  /// The path by which it was opened.
  var path: String { get }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile

  func tryRename(_ name: String, to other: String) throws(SystemError)

  /// Removes a file.
  func tryRemove(_ name: String) throws(SystemError)

  /// The names of its files, without `.` and `..`.
  func tryList() throws(SystemError) -> [String]

  func trySync() throws(SystemError)

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

  /// Writes bytes at an offset; returns the number of bytes written.
  func tryWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int

  func trySync() throws(SystemError)

  func tryTruncate(to size: Int) throws(SystemError)

  func trySize() throws(SystemError) -> Int

  func tryLock() throws(SystemError) -> Bool
}

/// The way in which a file is opened.
package enum OpenMode: Hashable, Sendable {
  /// To read a file that is there.
  case read
  /// To read and write a file that is there.
  case update
  /// To read and write a new file, that only its owner may use; there must be none of the name.
  case create
}
