import Kinship
import KinshipProgram

#if SQLite
  import KinshipSQLite
#endif

/// Databases, as far as the program is built with them.
enum DatabaseAccess {
  private static let prefix = "sqlite:"
  private static let magic = Array("SQLite format 3\u{0}".utf8)

  /// The path of a database: what is named as one, or a file that is one; `nil` for anything else.
  static func path(_ path: String, in files: any FileSystem) -> String? {
    if path.hasPrefix(prefix) { return String(path.dropFirst(prefix.count)) }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let file = try? files.openDirectory(parentPath(of: path)).open(name, .read)
    return (try? file?.readBytes(magic.count, at: 0)) == magic ? path : nil
  }

  /// Reads a database.
  ///
  /// - Throws: `Failure`, also if the program is built without what this takes.
  static func read(
    _ path: String, readsAll: Bool, _ progress: (Double) -> Void
  ) throws(Failure) -> Inspection {
    #if SQLite
      do { return try SQLiteInspection.read(path, readsAll: readsAll, progress: progress) } catch {
        throw Failure(error, of: path)
      }
    #else
      throw needsSQLite(path)
    #endif
  }

  #if !SQLite
    static func needsSQLite(_ path: String) -> Failure {
      Failure(
        status: .usage, subject: path,
        message: "a database of SQLite needs a program that is built with it: swift run "
          + "--traits SQLite kinship-inspect")
    }
  #endif
}
