#if SQLite || PostgreSQL
  import Kinship
  import KinshipProgram
  import KinshipSQL

  /// A genealogy in a database: what those of all kinds have in common.
  protocol SQLGenealogy: StoredGenealogy {
    /// The error of the database, or of the connection to it.
    associatedtype DatabaseError: DataError

    /// Why the database could not be used.
    static func failure(
      _ error: DatabaseError, of name: String, _ status: ExitStatus
    ) -> Failure
  }

  extension SQLGenealogy {
    var notes: [String] { [] }

    /// A database is left as it should be with every commit.
    func close() {}

    /// Writes a genealogy to a database with the tables for it.
    ///
    /// - Returns: Whether it was written: not if there is one by now.
    static func fill(
      _ database: any BackingStore, with genealogy: Genealogy, of source: SourceFile
    ) async throws -> Bool {
      let cache = try GraphCache(
        for: Person.self, Family.self, Event.self, Place.self, SourceFile.self, Edition.self,
        store: database)
      return try await cache.fill(with: genealogy, of: source)
    }

    /// Does something with a database, whose errors become the program's.
    static func tellingFailures<Result>(
      of name: String, _ status: ExitStatus, _ body: () async throws -> Result
    ) async throws -> Result {
      do {
        return try await body()
      } catch let error as SQLMappingError {
        throw failure(error, of: name, status)
      } catch let error as DatabaseError {
        throw failure(error, of: name, status)
      } catch KinshipError.commitFailed(let cause as DatabaseError) {
        throw failure(cause, of: name, status)
      } catch let error as KinshipError {
        throw Failure(
          status: error.isOfData ? .badData : status, subject: name, message: error.description)
      }
    }

    private static func failure(
      _ error: SQLMappingError, of name: String, _ status: ExitStatus
    ) -> Failure {
      switch error {
      case .noColumn("born", table: "persons"): .earlierVersion(of: name)
      case .noTable, .noColumn:
        Failure(
          status: .badData, subject: name,
          message: "it is the database of another program; nothing was changed in it")
      default: failure(error, isBusy: false, of: name, status)
      }
    }

    /// Why a database could not be used, where nothing more than its error is known.
    static func failure(
      _ error: some DataError, isBusy: Bool, of name: String, _ status: ExitStatus
    ) -> Failure {
      if error.isOfData {
        return Failure(status: .badData, subject: name, message: "it is damaged: \(error)")
      }
      if isBusy {
        return Failure(status: status, subject: name, message: "another program is writing to it")
      }
      return .unusable(name, status, error)
    }
  }

  extension SQLMappingError: DataError {
    var isOfData: Bool {
      switch self {
      case .wrongType, .unsuitableValue, .noTable, .noColumn: true
      default: false
      }
    }
  }
#endif
