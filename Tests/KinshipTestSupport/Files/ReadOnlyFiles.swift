package import Kinship
internal import KinshipFileStore

/// A read-only file system.
package final class ReadOnlyFiles: FileSystem {
  private let base: any FileSystem

  /// Wraps a file system.
  package init(_ base: any FileSystem) { self.base = base }

  package func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    ReadOnlyDirectory(try base.tryOpenDirectory(path))
  }

  package func tryMakeDirectory(_ path: String) throws(SystemError) {
    throw SystemError(.makeDirectory, path, ReadOnlyFiles.refusal)
  }

  package func tryRemoveDirectory(_ path: String) throws(SystemError) {
    throw SystemError(.remove, path, ReadOnlyFiles.refusal)
  }

  /// `EROFS`.
  fileprivate static let refusal: Int32 = 30
}

private final class ReadOnlyDirectory: Directory {
  private let base: any Directory

  init(_ base: any Directory) { self.base = base }

  var path: String { base.path }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    guard mode == .read else {
      throw SystemError(.open, "\(path)/\(name)", ReadOnlyFiles.refusal)
    }
    return try base.tryOpen(name, mode)
  }

  func tryRename(_ name: String, to other: String) throws(SystemError) {
    throw SystemError(.rename, "\(path)/\(name)", ReadOnlyFiles.refusal)
  }

  func tryRemove(_ name: String) throws(SystemError) {
    throw SystemError(.remove, "\(path)/\(name)", ReadOnlyFiles.refusal)
  }

  func tryList() throws(SystemError) -> [String] { try base.tryList() }

  func trySync() throws(SystemError) {
    throw SystemError(.sync, path, ReadOnlyFiles.refusal)
  }

  func tryIsLink(_ name: String) throws(SystemError) -> Bool { try base.tryIsLink(name) }
}
