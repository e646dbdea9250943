internal import Kinship
internal import KinshipInspection

/// A directory that is being created: it appears atomically, complete, or not at all.
///
/// A program that dies meanwhile leaves it under another name, `NEW.kinship-tmp-…`.
final class NewDirectory {
  let directory: any Directory
  private let files: any FileSystem
  private let parent: any Directory
  private let name: String
  private let temporary: String
  private var isPublished = false

  /// Creates the directory under a temporary name.
  ///
  /// - Throws: `SystemError`, `EEXIST` if there is anything of its final name.
  init(at path: String, in files: any FileSystem) throws(SystemError) {
    self.files = files
    (parent, name) = try files.placeForNew(path)
    temporary = "\(name).kinship-tmp-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
    let place = parent.path.hasSuffix("/") ? parent.path : "\(parent.path)/"
    do { directory = try files.openDirectory(place + temporary, creating: true) } catch {
      // The directory may exist, but that is not certain.
      try? files.removeDirectory(place + temporary)
      throw error
    }
  }

  /// Renames the directory to its final name, which it may have even if this throws.
  func publish() throws(SystemError) {
    try parent.rename(temporary, to: name)
    isPublished = true
    try parent.sync()
  }

  deinit {
    guard !isPublished else { return }
    // Files that cannot be removed now stay, under a name that identifies them.
    for file in (try? directory.list()) ?? [] { try? directory.remove(file) }
    try? files.removeDirectory(directory.path)
  }
}

extension FileSystem {
  /// The parent directory and the name for a new file or directory.
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
