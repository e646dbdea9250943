internal import Kinship
internal import KinshipInspection

/// A directory in which nothing is changed, whatever is asked for: what would be mended stays as it
/// is.
///
/// So a log is read by the code that opens it, beside the one who writes it.
final class ReadOnlyDirectory: Directory {
  private let directory: any Directory
  /// The names that there were at some moment; those that have come since are not seen.
  private let names: [String]
  /// The hints of segments as they were then.
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
