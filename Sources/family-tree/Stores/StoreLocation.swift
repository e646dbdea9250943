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

/// The stores of a genealogy: the one place that distinguishes their kinds.
extension StoreLocation {
  static let usage = "DIR, sqlite:FILE or postgresql:CONNINFO"

  /// Whether the store can report what other programs have changed.
  var reportsChanges: Bool {
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
        message: "there are other files in the directory, and nothing was changed. Choose an empty "
          + "or a new one")
    case .database(let path):
      #if SQLite
        if !FileAccess.exists(path) { return nil }
        return try await ifMade {
          try SQLiteStore(
            at: path, GenealogyTables.persons, GenealogyTables.families, GenealogyTables.events,
            GenealogyTables.places, GenealogyTables.origin,
            configuration: SQLiteConfiguration(access: isEdited ? .readWrite : .readOnly))
        }
      #else
        throw needsTrait(of: "family-tree")
      #endif
    case .server(let conninfo):
      #if PostgreSQL
        return try await ifMade {
          try await PostgreSQLStore(
            conninfo, GenealogyTables.persons, GenealogyTables.families, GenealogyTables.events,
            GenealogyTables.places, GenealogyTables.origin)
        }
      #else
        throw needsTrait(of: "family-tree")
      #endif
    }
  }

  #if SQLite || PostgreSQL
    /// A database; `nil` if it has no tables.
    private func ifMade(
      _ open: () async throws -> any BackingStore
    ) async throws -> (any BackingStore)? {
      do { return try await open() } catch SQLMappingError.noTable(GenealogyTables.persons.name) {
        return nil
      }
    }
  #endif

  /// Opens the store to be filled, and makes it if there is none yet.
  func make() async throws -> any BackingStore {
    if let store = try await open(isEdited: true) { return try await tracked(store) }
    do {
      if case .directory(let path) = self { return try await files(at: path) }
      #if SQLite
        if case .database(let path) = self {
          try await SQLiteStore(at: path).execute(GenealogySchema.sqlite)
        }
      #endif
      #if PostgreSQL
        if case .server(let conninfo) = self {
          try await PostgreSQLStore(conninfo).execute(GenealogySchema.postgreSQL)
        }
      #endif
    } catch {
      // Another program may have made the tables in the meantime.
      guard try await open(isEdited: true) != nil else { throw error }
    }
    guard let store = try await open(isEdited: true) else {
      throw KinshipError.misuse(.closed(path: name))
    }
    return try await tracked(store)
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
}
