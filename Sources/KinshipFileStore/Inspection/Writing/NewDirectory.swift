internal import Kinship
internal import KinshipInspection

/// A directory that is being made: it appears at once, with all that is in it, or not at all.
///
/// Whoever dies meanwhile leaves it under another name, `NEW.kinship-tmp-…`.
final class NewDirectory {
  /// Where its files are to be made.
  let directory: any Directory
  private let files: any FileSystem
  private let parent: any Directory
  private let name: String
  private let temporary: String
  private var isPublished = false

  /// Makes the directory, under another name.
  ///
  /// - Throws: `SystemError`, `EEXIST` if there is anything of the name.
  init(at path: String, in files: any FileSystem) throws(SystemError) {
    self.files = files
    (parent, name) = try files.placeForNew(path)
    temporary = "\(name).kinship-tmp-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
    let place = parent.path.hasSuffix("/") ? parent.path : "\(parent.path)/"
    do { directory = try files.openDirectory(place + temporary, creating: true) } catch {
      // It may be there, but not for certain.
      try? files.removeDirectory(place + temporary)
      throw error
    }
  }

  /// Gives it its name.
  ///
  /// - Throws: `SystemError`; it may have its name all the same.
  func publish() throws(SystemError) {
    try parent.rename(temporary, to: name)
    isPublished = true
    try parent.sync()
  }

  deinit {
    guard !isPublished else { return }
    // What cannot be removed now stays, under a name that says what it is.
    for file in (try? directory.list()) ?? [] { try? directory.remove(file) }
    try? files.removeDirectory(directory.path)
  }
}

extension FileSystem {
  /// Where a file or a directory can be made, and by which name.
  ///
  /// - Throws: `SystemError`, `EEXIST` if there is anything of the name.
  func placeForNew(_ path: String) throws(SystemError) -> (parent: any Directory, name: String) {
    let (parent, name) = (try openDirectory(parentPath(of: path)), fileName(of: path))
    let names = try parent.list()
    if name.isEmpty || names.contains(name) {
      throw SystemError(.makeDirectory, path, SystemErrorCode.exists)
    }
    return (parent, name)
  }
}
