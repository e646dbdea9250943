import Kinship
import KinshipInspection
import KinshipProgram

#if SQLite
  import KinshipSQLite
#endif
#if PostgreSQL
  import KinshipPostgreSQL
#endif

/// The databases that can be read: the one place that distinguishes their kinds.
extension StoreLocation {
  private static let magic = Array("SQLite format 3\u{0}".utf8)

  /// A database, by its name or its file; `nil` for anything else.
  init?(database path: String, in files: any FileSystem) {
    guard let location = StoreLocation(path) else { return nil }
    self = location
    guard case .directory = location else { return }
    let file = try? files.openDirectory(parentPath(of: path)).open(fileName(of: path), .read)
    guard (try? file?.readBytes(Self.magic.count, at: 0)) == Self.magic else { return nil }
    self = .database(path)
  }

  /// Reads the database, unless the program is built without its trait.
  func read(readsAll: Bool, _ progress: (Double) -> Void) throws(Failure) -> Inspection {
    switch self {
    case .directory(let path), .database(let path):
      #if SQLite
        do { return try SQLiteInspection.read(path, readsAll: readsAll, progress: progress) } catch
        {
          throw Failure(error, of: name)
        }
      #else
        throw needsTrait(of: "kinship-inspect")
      #endif
    case .server(let conninfo):
      #if PostgreSQL
        do {
          return try PostgreSQLInspection.read(
            conninfo, named: name, readsAll: readsAll, progress: progress)
        } catch {
          throw Failure(error, of: name)
        }
      #else
        throw needsTrait(of: "kinship-inspect")
      #endif
    }
  }

  /// The failure that refers to the database's own tools for copying.
  var isCopiedByOthers: Failure {
    let others =
      switch self {
      case .directory, .database:
        "VACUUM INTO copies it, and .recover of the program sqlite3 salvages it"
      case .server: "pg_dump copies it"
      }
    return Failure(
      status: .usage, subject: name,
      message: "it is a database, which this command does not copy: \(others)")
  }
}
