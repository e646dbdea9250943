#if SQLite
  import Foundation
  import KinshipSQLite

  /// A path for a database that is deleted, with SQLite's other files, when this object is
  /// released.
  final class TemporaryDatabase: Sendable {
    let path: String

    init() {
      path =
        FileManager.default.temporaryDirectory
        .appendingPathComponent("kinship-\(UUID().uuidString).sqlite").path
    }

    deinit {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
  }
#endif
