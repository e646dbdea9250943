#if SQLite
  import Kinship
  import KinshipSQLite

  /// A genealogy in an SQLite database.
  struct GenealogyDatabase {
    private let path: String
    private let store: SQLiteStore

    /// Opens a database whose tables are there, or makes them where it is to be written.
    private init(at path: String, _ access: SQLiteConfiguration.Access) throws {
      self.path = path
      store = try SQLiteStore(
        at: path, GenealogySchema.persons, GenealogySchema.families, GenealogySchema.events,
        GenealogySchema.places, GenealogySchema.source, GenealogySchema.size,
        configuration: SQLiteConfiguration(access: access, setup: GenealogySchema.sql))
    }

    /// Finds out which file a database was imported from, and changes nothing in it.
    ///
    /// - Returns: The file; nil for a database that is empty or does not exist.
    /// - Throws: `Failure` for a file that is no database or one of another program.
    static func source(of path: String) async throws -> SourceFile? {
      guard FileAccess.exists(path) else { return nil }
      return try await tellingFailures(of: path, .unreadable) {
        let probe = try SQLiteStore(
          at: path, SQLiteTable<SchemaEntry>("sqlite_master", id: "name"),
          configuration: SQLiteConfiguration(access: .readOnly))
        if try await probe.fetch(Query<SchemaEntry>().limited(to: 1)).isEmpty { return nil }
        let database = try GenealogyDatabase(at: path, .readOnly)
        return try await database.store.fetch(SourceFile.self, ids: [SourceFile.only.id]).first
      }
    }

    /// Opens a database that was imported.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - isEdited: Whether it may be written; otherwise nothing is, not even beside it.
    /// - Returns: The database.
    /// - Throws: `Failure`.
    static func open(_ path: String, isEdited: Bool) async throws -> GenealogyDatabase {
      try await tellingFailures(of: path, isEdited ? .cannotWrite : .unreadable) {
        try GenealogyDatabase(at: path, isEdited ? .readWrite : .readOnly)
      }
    }

    /// Writes a genealogy to a database that is empty or does not exist, in one transaction.
    ///
    /// - Throws: `Failure`; then there is no more in the database than before, except for empty tables.
    static func fill(
      _ path: String, with genealogy: Genealogy, of source: SourceFile
    ) async throws {
      try await tellingFailures(of: path, .cannotWrite) {
        let database = try GenealogyDatabase(at: path, .readWrite)
        let cache = try GraphCache(
          for: Person.self, Family.self, Event.self, Place.self, SourceFile.self,
          store: database.store)
        try await cache.write { tx in
          for person in genealogy.persons { try tx.insert(person) }
          for family in genealogy.families { try tx.insert(family) }
          for event in genealogy.events { try tx.insert(event) }
          for place in genealogy.places { try tx.insert(place) }
          try tx.insert(source)
        }
      }
    }

    /// The genealogy as an archive, of which at most so many records are in memory.
    func archive(capacity: Int) async throws -> Archive {
      try await Self.tellingFailures(of: path, .unreadable) {
        guard let size = try await store.fetch(Archive.Size.self, ids: [Archive.Size.only]).first
        else { throw SQLiteError.noTable(GenealogySchema.size.name) }
        return try Archive(store, size: size, capacity: capacity) { [store] in
          let statistics = store.statistics
          return DatabaseCost(
            statements: statistics.statementsExecuted, rows: statistics.rowsRead)
        }
      }
    }
  }

  /// Something that a database has: a table, an index, a view.
  private struct SchemaEntry: Record, Codable {
    let id: String
  }

  extension Archive.Size: Record {
    /// There is one row of it.
    static let only = 1
    var id: Int { Self.only }
  }
#endif
