#if SQLite
  public import Kinship
  package import KinshipSQL

  extension SQLiteStore {
    /// Fetches records by their ids.
    ///
    /// Integer ids take one statement; other ids take one for each 16,384.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    /// - Returns: The records that exist, in any order.
    /// - Throws: `PartialAnswer` if some rows are not records, with `KinshipError.untranslatable`
    ///   as the cause, or that error alone if one record was requested; `SQLiteError`,
    ///   `KinshipError.invalidSchema(.noTable)` for a type without a table, and `CancellationError`
    ///   if the task is cancelled.
    public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      let plan = try tablePlan(of: type)
      return try await read { connection in try plan.fetch(ids, in: connection) }
        .get(of: ids.count)
    }

    /// Fetches records by their ids, and the records that a plan reaches from them.
    ///
    /// All come from one state of the database. Each generation takes one statement for each record
    /// type.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    ///   - plan: The relationships to follow from the records.
    /// - Returns: The records that exist, and others that the plan reaches, at most 16,384 of them,
    ///   in complete generations; `nil` if one of the requested rows is not a record.
    /// - Throws: The errors of fetching by ids.
    public func fetch<R: GraphRecord>(
      _ type: R.Type, ids: [R.ID], following plan: FetchPlan
    ) async throws -> FetchedGraph<R>? {
      let root = try tablePlan(of: type)
      let known = plan.limited { plans[ObjectIdentifier($0)] != nil }
      return try await read { connection in
        try connection.transaction("DEFERRED") { () -> FetchedGraph<R>? in
          let answer = try root.fetch(ids, in: connection)
          if !answer.failures.isEmpty { return nil }
          let source = TablesReader(plans: self.plans, connection: connection)
          return try known.follow(from: answer.records, by: source, most: 1 << 14)
        }
      }
    }

    /// Finds the records that refer to others.
    ///
    /// This takes one statement, or one for each 16,384 targets. Only the referring rows are read,
    /// so unreadable rows elsewhere do no harm.
    ///
    /// - Parameters:
    ///   - targets: The refs of the targets.
    ///   - relationship: The relationship from the records to the targets.
    /// - Returns: The records that refer to at least one of the targets, in any order, each once.
    /// - Throws: The errors of `fetch`, and `KinshipError.misuse(.unsupported)` for a relationship
    ///   that neither a column nor a list holds.
    public func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      let plan = try tablePlan(of: Source.self)
      return try await read { connection in
        try plan.referrers(to: targets, by: relationship, in: connection)
      }.get()
    }
  }

  /// Reads the records of all tables with one connection, and omits rows that are not records.
  ///
  /// The cache requests the omitted ones by their ids, and then gets the error.
  private struct TablesReader: GenerationSource {
    let plans: [ObjectIdentifier: any TrackedTable]
    let connection: Connection

    func read<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) throws -> [R] {
      try Task.checkCancellation()
      guard let plan = plans[ObjectIdentifier(type)] as? TablePlan<R> else { return [] }
      return try plan.fetch(ids, in: connection).records
    }
  }

  extension SQLiteStore: QueryingStore {
    package func tablePlan<R: GraphRecord>(
      of type: R.Type
    ) throws(KinshipError) -> TablePlan<R> {
      guard let plan = plans[ObjectIdentifier(type)] as? TablePlan<R> else {
        throw .invalidSchema(.noTable(type: R.recordName, store: "SQLiteStore"))
      }
      return plan
    }

    package func reading<Result: Sendable>(
      _ body: @Sendable (any SQLReader) throws -> Result
    ) async throws -> Result { try await read { try body($0) } }
  }
#endif
