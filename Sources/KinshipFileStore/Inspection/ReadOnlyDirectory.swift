internal import Kinship
internal import KinshipInspection

/// A directory in which no call changes anything: repairs have no effect.
///
/// So the code that opens a log can also read one that another process writes.
final class ReadOnlyDirectory: Directory {
  private let directory: any Directory
  /// The names at one moment; files created since are invisible.
  private let names: [String]
  /// The hints of the segments at that moment.
  private let hints: [String: any OpenFile]

  init(_ directory: any Directory, names: [String], hints: [String: any OpenFile]) {
    self.directory = directory
    self.names = names
    self.hints = hints
  }

  /// The same files with these hints.
  func showing(_ hints: [String: any OpenFile]) -> ReadOnlyDirectory {
    ReadOnlyDirectory(directory, names: names, hints: hints)
  }

  var path: String { directory.path }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    if let hint = hints[name] { return hint }
    if mode == .create || SegmentName.hintNumber(name) != nil {
      throw SystemError(.open, name, SystemErrorCode.missing)
    }
    return try directory.tryOpen(name, .read)
  }

  func tryList() -> [String] { names }
  func tryIsLink(_ name: String) throws(SystemError) -> Bool { try directory.tryIsLink(name) }
  func tryRename(_ name: String, to other: String) {}
  func tryRemove(_ name: String) {}
  func trySync() {}
}
