#if PostgreSQL
  public import Kinship
  package import KinshipSQL

  extension PostgreSQLStore {
    /// Fetches records by their ids, with one statement.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    /// - Returns: The records that exist, in any order.
    /// - Throws: `PartialAnswer` if some rows are not records, with `KinshipError.untranslatable`
    ///   as the cause, or that error alone if one record was requested; `PostgreSQLError`,
    ///   `KinshipError.invalidSchema(.noTable)` for a type without a table, and `CancellationError`
    ///   if the task is cancelled.
    public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      let plan = try plan(type)
      return try await pool.run { connection in try plan.fetch(ids, in: connection) }
        .get(of: ids.count)
    }

    /// Finds the records that refer to others, with one statement.
    ///
    /// Only the referring rows are read, so unreadable rows elsewhere do no harm.
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
      let plan = try plan(Source.self)
      return try await pool.run { connection in
        try plan.referrers(to: targets, by: relationship, in: connection)
      }.get()
    }
  }

  extension PostgreSQLStore: QueryingStore {
    package func tablePlan<R: GraphRecord>(
      of type: R.Type
    ) throws(KinshipError) -> TablePlan<R> { try plan(type).plan }

    package func reading<Result: Sendable>(
      _ body: @Sendable (any SQLReader) throws -> Result
    ) async throws -> Result { try await pool.run { try body($0) } }
  }

  extension PostgreSQLStore {
    /// Lets the server choose ids for rows to insert.
    ///
    /// The server uses the sequence of an identity column, or the default of the id's column, such
    /// as `gen_random_uuid()`. Unused numbers of a sequence leave gaps. An identity column needs
    /// `USAGE` on its sequence. The store does not know if a trigger changes the id of a row.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - count: The number of ids to choose.
    /// - Returns: The ids.
    /// - Throws: `KinshipError.misuse(.unsupported)` for ids of several columns, or whose column
    ///   has no default; `.invalidSchema(.noTable)` for a type without a table; `PostgreSQLError`,
    ///   for instance if the role may not use the sequence; `CancellationError` if the task is
    ///   cancelled.
    public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
      let plan = try plan(type)
      guard let newID = plan.newID else { throw plan.plan.cannotChooseIDs }
      return try await pool.run { connection in
        let rows = try connection.query(
          "SELECT \(newID) FROM generate_series(1, $1)", with: [.integer(Int64(clamping: count))])
        return try plan.plan.newIDs(try (0..<rows.count).map { try rows.value($0, 0) })
      }
    }
  }
#endif
