import Kinship
import KinshipTestSupport

/// A file system in which one listing of a directory misses files created during it, as real
/// listings may.
final class TornListings: FileSystem {
  fileprivate let base: any FileSystem
  /// The number of the torn listing, from 1, and the files that it misses.
  fileprivate let torn: Int
  fileprivate let missed: Set<String>
  fileprivate let count = Shared(0)

  init(_ base: any FileSystem, torn: Int, missing: Set<String>) {
    self.base = base
    self.torn = torn
    missed = missing
  }

  func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    TornDirectory(try base.tryOpenDirectory(path), self)
  }

  func tryMakeDirectory(_ path: String) throws(SystemError) { try base.tryMakeDirectory(path) }
  func tryRemoveDirectory(_ path: String) throws(SystemError) { try base.tryRemoveDirectory(path) }
}

private final class TornDirectory: Directory {
  private let base: any Directory
  private let files: TornListings

  init(_ base: any Directory, _ files: TornListings) {
    self.base = base
    self.files = files
  }

  var path: String { base.path }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    try base.tryOpen(name, mode)
  }

  func tryList() throws(SystemError) -> [String] {
    files.count.change { $0 += 1 }
    let isTorn = files.count.value == files.torn
    return try base.tryList().filter { !isTorn || !files.missed.contains($0) }
  }

  func tryRename(_ name: String, to other: String) throws(SystemError) {
    try base.tryRename(name, to: other)
  }

  func tryRemove(_ name: String) throws(SystemError) { try base.tryRemove(name) }
  func trySync() throws(SystemError) { try base.trySync() }
  func tryIsLink(_ name: String) throws(SystemError) -> Bool { try base.tryIsLink(name) }
}
