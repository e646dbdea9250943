import Foundation
import Kinship

/// A lineage as a table of a database file, which is removed with this object.
final class LineageFile {
  let path: String
  private let folder: URL

  /// The journal by which a database can roll back.
  enum Journal: String {
    /// SQLite's default.
    case rollback = "DELETE"
    /// The setting of `SQLiteStore`.
    case writeAhead = "WAL"
  }

  /// The settings of each connection.
  let settings: String
  static let columns = "id, name, place, birth, father, mother"

  init(_ lineage: Lineage, _ journal: Journal = .writeAhead) throws {
    settings = """
      PRAGMA journal_mode = \(journal.rawValue); PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -16384
      """
    folder = FileManager.default.temporaryDirectory
      .appending(path: "kinship-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "lineage.sqlite").path
    let database = try RawDatabase(path: path)
    try database.execute(settings)
    try database.execute(
      """
      CREATE TABLE ancestor (id INTEGER PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL,
        birth REAL NOT NULL, father INTEGER, mother INTEGER)
      """)
    try database.insert(
      lineage.records, by: "INSERT INTO ancestor (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)"
    ) {
      $0.bind($1)
    }
    if journal == .writeAhead { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
