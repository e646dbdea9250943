extension Inspection {
  /// Reads a file or the directory of a store.
  ///
  /// - Parameters:
  ///   - path: The path of a snapshot, or of a directory.
  ///   - files: The file system.
  ///   - readsAll: Whether every byte is read and checked. Otherwise what hints say of a log is
  ///     taken from them.
  ///   - renamed: What types are called today that had another name: so one that was stored under
  ///     both is known to be one.
  ///   - progress: Told which share has been read.
  /// - Throws: `KinshipError.fileFailed`, `.foreignFile`, `.newerFormat` and `.unknownCoder`;
  ///   `.damaged` if nothing can be read; `.storeInUse` if a store changes too fast.
  /// - Complexity: O(*n*) in the bytes.
  package init(
    of path: String, in files: any FileSystem = SystemFiles(), readsAll: Bool,
    renamed: [String: String] = [:], progress: (Double) -> Void = { _ in }
  ) throws(KinshipError) {
    do {
      if (try? files.openDirectory(path)) != nil {
        var reading = LogInspection(files, at: path, readsAll: readsAll, renamed: renamed)
        self = try reading.read(progress)
      } else {
        var reading = try SnapshotInspection(files, at: path, readsAll: readsAll)
        self = try reading.read(progress)
      }
    } catch let error as KinshipError {
      throw error
    } catch {
      throw .fileFailed(path: path, cause: error)
    }
  }
}
