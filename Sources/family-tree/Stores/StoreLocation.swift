import Foundation
import Kinship
import KinshipFileStore
import KinshipProgram

#if PostgreSQL
  import KinshipPostgreSQL
#endif
#if SQLite || PostgreSQL
  import KinshipSQL
#endif
#if SQLite
  import KinshipSQLite
#endif

/// The store of a genealogy, as `--store` names it: the one place that tells the kinds of stores
/// apart.
enum StoreLocation: Equatable {
  case directory(String)
  /// A file of SQLite.
  case database(String)
  /// A database of a PostgreSQL server, by its conninfo.
  case server(String)

  static let usage = "DIR, sqlite:FILE or postgresql:CONNINFO"

  /// Reads the value of the option; `nil` if it makes no sense.
  init?(_ text: String) {
    if text.hasPrefix("sqlite:") {
      self = .database(String(text.dropFirst("sqlite:".count)))
    } else if DatabaseName.isURI(text) {
      self = .server(text)
    } else if text.hasPrefix("postgresql:") {
      self = .server(String(text.dropFirst("postgresql:".count)))
    } else {
      self = .directory(text)
    }
    // A database in memory would be gone between the import and the questions.
    if path == "" || path == ":memory:" { return nil }
  }

  /// The name in messages; of a conninfo, which may hold a password, only the host and database.
  var name: String {
    switch self {
    case .directory(let path), .database(let path): path
    case .server(let conninfo): DatabaseName(conninfo).description
    }
  }

  /// Its file or directory; `nil` for a database on a server.
  var path: String? {
    switch self {
    case .directory(let path), .database(let path): path
    case .server: nil
    }
  }

  /// Whether the store can report what other programs have changed.
  var tellsChanges: Bool {
    if case .directory = self { false } else { true }
  }

  /// Opens the store, which may have no records; `nil` if there is none yet.
  func open(isEdited: Bool) async throws -> (any BackingStore)? {
    switch self {
    case .directory(let path):
      // If the path cannot be listed, the store says why.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      if names.contains(where: { $0.hasSuffix(".kinlog") }) { return try await files(at: path) }
      // A store that was being made has its lock, and perhaps hidden files.
      if names.allSatisfy({ $0 == "lock" || $0.hasPrefix(".") }) { return nil }
      throw Failure(
        status: .badData, subject: path,
        message:
          "there are other files in the directory, and nothing was changed. Choose an empty or a "
          + "new one"
      )
    #if SQLite
      case .database(let path):
        if !FileAccess.exists(path) { return nil }
        do {
          return try SQLiteStore(
            at: path, GenealogyTables.persons, GenealogyTables.families, GenealogyTables.events,
            GenealogyTables.places, GenealogyTables.origin,
            configuration: SQLiteConfiguration(access: isEdited ? .readWrite : .readOnly))
        } catch SQLMappingError.noTable(GenealogyTables.persons.name) {
          return nil
        }
    #else
      case .database: throw needsTrait
    #endif
    #if PostgreSQL
      case .server(let conninfo):
        do {
          return try await PostgreSQLStore(
            conninfo, GenealogyTables.persons, GenealogyTables.families, GenealogyTables.events,
            GenealogyTables.places, GenealogyTables.origin)
        } catch SQLMappingError.noTable(GenealogyTables.persons.name) {
          return nil
        }
    #else
      case .server: throw needsTrait
    #endif
    }
  }

  /// Opens the store to be filled, and makes it if there is none yet.
  func make() async throws -> any BackingStore {
    if let store = try await open(isEdited: true) { return try await tracked(store) }
    if case .directory(let path) = self { return try await files(at: path) }
    do {
      try await makeTables()
    } catch {
      // Another program may have made the tables in the meantime.
      guard try await open(isEdited: true) != nil else { throw error }
    }
    guard let store = try await open(isEdited: true) else {
      throw KinshipError.misuse(.closed(path: name))
    }
    return try await tracked(store)
  }

  private func makeTables() async throws {
    switch self {
    case .directory: break
    #if SQLite
      case .database(let path): try await SQLiteStore(at: path).execute(GenealogySchema.sqlite)
    #else
      case .database: throw needsTrait
    #endif
    #if PostgreSQL
      case .server(let conninfo):
        try await PostgreSQLStore(conninfo).execute(GenealogySchema.postgreSQL)
    #else
      case .server: throw needsTrait
    #endif
    }
  }

  private func files(at path: String) async throws -> FileStore {
    try await FileStore(
      at: URL(filePath: path),
      schema: GraphSchema(Person.self, Family.self, Event.self, Place.self, Origin.self))
  }

  /// Makes a database log its changes, so that several programs can edit it at once.
  func tracked(_ store: any BackingStore) async throws -> any BackingStore {
    #if SQLite
      try await (store as? SQLiteStore)?.installTracking()
    #endif
    #if PostgreSQL
      if let database = store as? PostgreSQLStore {
        do {
          _ = try await database.changes(since: nil)
        } catch PostgreSQLError.notTracked {
          try await database.execute(GenealogySchema.lock + database.trackingSQL)
        }
      }
    #endif
    return store
  }

  private var needsTrait: Failure {
    let trait = path == nil ? "PostgreSQL" : "SQLite"
    return .misuse(
      "--store \(name) needs \(trait), which this program is built without. Name a directory, "
        + "or build it with: swift run --traits \(trait) family-tree")
  }
}
