package import Kinship
internal import KinshipInspection

extension Inspection {
  /// Reads a file or the directory of a store.
  ///
  /// - Throws: `KinshipError.file(.failed)`, `.file(.foreign)`, `.file(.newerFormat)` and
  ///   `.file(.unknownCoder)`; `.file(.damaged)` if nothing can be read; `.file(.inUse)` if a store
  ///   changes too fast.
  /// - Complexity: O(*n*) in the bytes.
  package init(
    of path: String, in files: any FileSystem = SystemFiles(), readsAll: Bool,
    renamed: [String: String] = [:], progress: (Double) -> Void = { _ in }
  ) throws(KinshipError) {
    do {
      if let queue = try Self.queue(in: files, at: path) {
        self = queue
      } else if (try? files.openDirectory(path)) != nil {
        var reading = LogInspection(files, at: path, readsAll: readsAll, renamed: renamed)
        self = try reading.read(progress)
      } else {
        var reading = try SnapshotInspection(files, at: path, readsAll: readsAll)
        self = try reading.read(progress)
      }
    } catch let error as KinshipError {
      throw error
    } catch {
      throw .file(.failed(path: path, cause: error))
    }
  }

  /// Reads the directory of a queue; `nil` if it is none.
  private static func queue(in files: any FileSystem, at path: String) throws -> Inspection? {
    guard let directory = try? files.openDirectory(path) else { return nil }
    let names = try directory.list()
    guard names.contains(QueueFile.name), !names.contains(where: { $0.hasSuffix(".kinlog") })
    else { return nil }
    // A writer replaces the file, or appends to it.
    let file = try directory.open(QueueFile.name, .read)
    let found = try QueueFile(file, at: file.path)
    let facts = QueueFacts(
      waiting: found.entries.count,
      bytes: (try file.size(), found.entries.reduce(0) { $0 + $1.bytes.count }),
      unqueued: found.cut)
    var inspection = Inspection(path: path, kind: .queue(facts))
    inspection.types = found.types.map { InspectedType($0.id) }
    inspection.count()
    return inspection
  }
}
