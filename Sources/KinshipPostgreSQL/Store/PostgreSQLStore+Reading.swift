#if PostgreSQL
  public import Kinship

  extension PostgreSQLStore {
    /// Fetches records by their ids, with one statement.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    /// - Returns: The records that exist, in any order.
    /// - Throws: `PartialAnswer` if some rows are not records, with `KinshipError.untranslatable`
    ///   as the cause, or that error alone if one record was requested; `PostgreSQLError`,
    ///   `KinshipError.unknownType` for a type without a table, and `CancellationError` if the task
    ///   is cancelled.
    public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      let plan = try plan(type)
      return try await pool.run { connection in try plan.fetch(ids, in: connection) }
        .get(of: ids.count)
    }

    /// Fetches the records that match a query, with one statement.
    ///
    /// The database compares texts by their bytes, and sorts and compares properties as stored. If
    /// the stored order differs from the order of the values, a cache rejects the answer.
    ///
    /// A filter becomes part of the statement if SQL means the same: comparisons of integers,
    /// `Double`, Boolean values, texts, refs and `nil`, ranges, and membership in a list, combined
    /// by and, or, not. If the filter compares texts, or if SQL cannot express a part of it, the
    /// store reads more rows and applies the filter itself. No value becomes part of the
    /// statement's text.
    ///
    /// - Parameter query: The query.
    /// - Returns: The records, in the order of the query.
    /// - Throws: The errors of `fetch` by ids, and `KinshipError.unsupported` for an order by a
    ///   property that no column holds.
    public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      let plan = try plan(R.self)
      return try await pool.run { connection in try plan.plan.fetch(query, from: connection) }.get()
    }

    /// Returns whether the store can apply a filter: it can apply any filter.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: `true`.
    public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool { true }

    /// Finds the records that refer to others, with one statement.
    ///
    /// Only the referring rows are read, so unreadable rows elsewhere do no harm.
    ///
    /// - Parameters:
    ///   - targets: The refs of the targets.
    ///   - relationship: The relationship from the records to the targets.
    /// - Returns: The records that refer to at least one of the targets, in any order, each once.
    /// - Throws: The errors of `fetch`, and `KinshipError.unsupported` for a relationship that
    ///   neither a column nor a list holds.
    public func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      let plan = try plan(Source.self)
      return try await pool.run { connection in
        try plan.referrers(to: targets, by: relationship, in: connection)
      }.get()
    }
  }
#endif
