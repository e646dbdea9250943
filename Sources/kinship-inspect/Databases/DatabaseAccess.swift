import Kinship
import KinshipInspection
import KinshipProgram

#if SQLite
  import KinshipSQLite
#endif
#if PostgreSQL
  import KinshipPostgreSQL
#endif

/// A database, as what is read is named: the one place that tells the kinds of them apart.
enum DatabaseAccess {
  /// A file of SQLite.
  case file(String)
  /// A database on a server of PostgreSQL, by its conninfo.
  case server(String)

  private static let prefix = "sqlite:"
  private static let magic = Array("SQLite format 3\u{0}".utf8)

  /// A database, by its name or its file; `nil` for anything else.
  init?(_ path: String, in files: any FileSystem) {
    if path.hasPrefix(Self.prefix) {
      self = .file(String(path.dropFirst(Self.prefix.count)))
    } else if DatabaseName.isURI(path) {
      self = .server(path)
    } else if path.hasPrefix("postgresql:") {
      self = .server(String(path.dropFirst("postgresql:".count)))
    } else {
      let file = try? files.openDirectory(parentPath(of: path)).open(fileName(of: path), .read)
      guard (try? file?.readBytes(Self.magic.count, at: 0)) == Self.magic else { return nil }
      self = .file(path)
    }
  }

  /// The name in messages, without any part of a conninfo that may be a password.
  var name: String {
    switch self {
    case .file(let path): path
    case .server(let conninfo): DatabaseName(conninfo).description
    }
  }

  /// Reads the database.
  ///
  /// - Throws: `Failure`, also if the program is built without the trait of the database.
  func read(readsAll: Bool, _ progress: (Double) -> Void) throws(Failure) -> Inspection {
    switch self {
    case .file(let path):
      #if SQLite
        do { return try SQLiteInspection.read(path, readsAll: readsAll, progress: progress) } catch
        {
          throw Failure(error, of: name)
        }
      #else
        throw needsTrait
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
        throw needsTrait
      #endif
    }
  }

  /// The failure that refers to the database's own tools for copying.
  var isCopiedByOthers: Failure {
    let others =
      switch self {
      case .file: "VACUUM INTO copies it, and .recover of the program sqlite3 salvages it"
      case .server: "pg_dump copies it"
      }
    return Failure(
      status: .usage, subject: name,
      message: "it is a database, which this command does not copy: \(others)")
  }

  /// The failure of a program that is built without the trait of the database.
  var needsTrait: Failure {
    let trait = if case .file = self { "SQLite" } else { "PostgreSQL" }
    return Failure(
      status: .usage, subject: name,
      message:
        "reading a database of \(trait) needs a program that is built with it. Run: swift run "
        + "--traits \(trait) kinship-inspect")
  }
}
