#if PostgreSQL
  import Kinship
  import KinshipPostgreSQL
  import KinshipProgram

  /// A genealogy in a database of a PostgreSQL server, which several programs edit at once.
  struct PostgreSQLGenealogy: SQLGenealogy {
    let source: SourceFile
    private let database: PostgreSQLStore
    private let isEdited: Bool

    static func open(
      _ conninfo: String, isEdited: Bool
    ) async throws -> PostgreSQLGenealogy? {
      let name = DatabaseName(conninfo).description
      let found = try await tellingFailures(of: name, .unreadable) {
        let database: PostgreSQLStore
        do {
          database = try await store(at: conninfo)
        } catch SQLMappingError.noTable(GenealogyTables.persons.name) {
          return nil as (PostgreSQLStore, SourceFile)?
        }
        let source = try await database.fetch(SourceFile.self, ids: [SourceFile.only.id]).first
        return source.map { (database, $0) }
      }
      guard let (database, source) = found else { return nil }
      if isEdited {
        try await tellingFailures(of: name, .cannotWrite) { try await track(database) }
      }
      return PostgreSQLGenealogy(source: source, database: database, isEdited: isEdited)
    }

    // What cannot be filled has no more than before, except for empty tables.
    static func fill(
      _ conninfo: String, with genealogy: Genealogy, of source: SourceFile
    ) async throws -> Bool {
      try await tellingFailures(of: DatabaseName(conninfo).description, .cannotWrite) {
        try await makeTables(in: conninfo)
        let database = try await store(at: conninfo)
        try await track(database)
        return try await fill(database, with: genealogy, of: source)
      }
    }

    var store: any BackingStore { database }

    var shared: (any SharedStore)? { isEdited ? database : nil }

    var figures: [StoreFigure] { [] }

    /// Opens a database whose tables are there.
    private static func store(at conninfo: String) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        conninfo, GenealogyTables.persons, GenealogyTables.families, GenealogyTables.events,
        GenealogyTables.places, GenealogyTables.source, GenealogyTables.edition)
    }

    /// Makes all tables, or none where there is any of them: those of an import that was
    /// interrupted or is being made, or of another program, which is found out next.
    private static func makeTables(in conninfo: String) async throws {
      do {
        try await PostgreSQLStore(conninfo).execute(GenealogySchema.postgreSQL)
      } catch let error as PostgreSQLError where error.state == .duplicateTable {}
    }

    /// Has the database log what is changed in it, if it does not yet: so that all hear of it.
    ///
    /// Whoever has just done so may write already, and be in the way: then it is done.
    private static func track(_ database: PostgreSQLStore) async throws {
      if try await isTracked(database) { return }
      do {
        try await database.execute(database.trackingSQL)
      } catch let error as PostgreSQLError where error.isSerializationFailure {
        if try await !isTracked(database) { throw error }
      }
    }

    private static func isTracked(_ database: PostgreSQLStore) async throws -> Bool {
      do {
        _ = try await database.changes(since: nil)
        return true
      } catch PostgreSQLError.notTracked {
        return false
      }
    }
  }

  extension PostgreSQLGenealogy {
    static func failure(
      _ error: PostgreSQLError, of name: String, _ status: ExitStatus
    ) -> Failure {
      switch error {
      case .unknownOutcome:
        Failure(
          status: status, subject: name,
          message: "the connection was lost: look whether it was written")
      default:
        failure(error, isBusy: error.state == .lockNotAvailable, of: name, status)
      }
    }
  }

  extension PostgreSQLError: DataError {
    var isOfData: Bool {
      switch self {
      case .unsuitableValue, .unsupportedType: true
      // Rows or an index are corrupted.
      default: ["XX001", "XX002"].contains(state?.rawValue)
      }
    }
  }

  extension SQLSTATE {
    fileprivate static let duplicateTable = SQLSTATE(rawValue: "42P07")
    fileprivate static let lockNotAvailable = SQLSTATE(rawValue: "55P03")
  }
#endif
