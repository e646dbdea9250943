#if SQLite
  import Kinship
  import KinshipProgram
  import KinshipSQLite

  /// A genealogy in an SQLite database.
  struct SQLiteGenealogy: SQLGenealogy {
    let source: SourceFile
    private let database: SQLiteStore
    private let isEdited: Bool

    // Unless it is edited nothing is written, not even beside it.
    static func open(_ path: String, isEdited: Bool) async throws -> SQLiteGenealogy? {
      guard let source = try await source(of: path) else { return nil }
      return try await tellingFailures(of: path, isEdited ? .cannotWrite : .unreadable) {
        let database = try store(at: path, isEdited ? .readWrite : .readOnly)
        // Whoever edits it hears of others who do.
        if isEdited { try await database.installTracking() }
        return SQLiteGenealogy(source: source, database: database, isEdited: isEdited)
      }
    }

    // What cannot be filled has no more than before, except for empty tables.
    static func fill(
      _ path: String, with genealogy: Genealogy, of source: SourceFile
    ) async throws -> Bool {
      try await tellingFailures(of: path, .cannotWrite) {
        try await fill(store(at: path, .readWrite), with: genealogy, of: source)
      }
    }

    var store: any BackingStore { database }

    var shared: (any SharedStore)? { isEdited ? database : nil }

    var figures: [StoreFigure] {
      let statistics = database.statistics
      return [
        StoreFigure(label: "statements", count: statistics.statementsExecuted),
        StoreFigure(label: "rows read", count: statistics.rowsRead),
      ]
    }

    /// Opens a database whose tables are there, or makes them where it is to be written.
    private static func store(
      at path: String, _ access: SQLiteConfiguration.Access
    ) throws -> SQLiteStore {
      try SQLiteStore(
        at: path, GenealogyTables.persons, GenealogyTables.families, GenealogyTables.events,
        GenealogyTables.places, GenealogyTables.source, GenealogyTables.edition,
        configuration: SQLiteConfiguration(access: access, setup: GenealogySchema.sqlite))
    }

    /// Finds out which file a database was imported from, and changes nothing in it.
    ///
    /// - Returns: The file; nil for a database that is empty or does not exist.
    /// - Throws: `Failure` for a file that is no database or one of another program.
    private static func source(of path: String) async throws -> SourceFile? {
      guard FileAccess.exists(path) else { return nil }
      return try await tellingFailures(of: path, .unreadable) {
        let probe = try SQLiteStore(
          at: path, SQLiteTable<SchemaEntry>("sqlite_master", id: "name"),
          configuration: SQLiteConfiguration(access: .readOnly))
        if try await probe.fetch(RecordQuery<SchemaEntry>().limited(to: 1)).isEmpty { return nil }
        return try await store(at: path, .readOnly)
          .fetch(SourceFile.self, ids: [SourceFile.only.id]).first
      }
    }
  }

  /// Something that a database has: a table, an index, a view.
  private struct SchemaEntry: GraphRecord, Codable {
    let id: String
  }

  extension SQLiteGenealogy {
    static func failure(
      _ error: SQLiteError, of path: String, _ status: ExitStatus
    ) -> Failure {
      if case .failed(_, "SQLITE_NOTADB", _, _) = error {
        return Failure(status: .badData, subject: path, message: "it is no SQLite database")
      }
      return failure(error, isBusy: error.isBusy, of: path, status)
    }
  }

  extension SQLiteError: DataError {
    var isOfData: Bool {
      switch self {
      // Corrupt, or no database.
      case .failed(let code, _, _, _): [11, 26].contains(code & 0xFF)
      default: false
      }
    }
  }
#endif
