#if PostgreSQL
  public import Kinship
  internal import KinshipSQL

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

    /// Fetches the records that match a query.
    ///
    /// The database compares texts by their bytes, whatever the collation of their column, and
    /// sorts and compares properties as stored. If the stored order differs from the order of the
    /// values, a cache rejects the answer. Columns of `char(n)`, `citext` and enumerations, and
    /// those whose collation treats different texts as equal, are not compared in SQL: the cache
    /// filters and sorts their rows.
    ///
    /// A filter becomes part of the statement if SQL means the same: comparisons of integers,
    /// `Double`, Boolean values, texts, refs and `nil`, ranges, and membership in a list, combined
    /// by and, or, not. If SQL means the same by all of the query, it takes one statement. If the
    /// filter compares texts, the store may read more rows, in batches, and compares again; so it
    /// does if you pass a query of which it supports only a part. No value becomes part of the
    /// statement's text.
    ///
    /// - Parameter query: The query.
    /// - Returns: The records, in the order of the query.
    /// - Throws: The errors of `fetch` by ids, and `KinshipError.misuse(.unsupported)` for an order
    ///   by a property that no column holds.
    public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      let plan = try plan(R.self).plan
      return try await plan.fetch(query) { sql, values in
        try await pool.run { connection in try plan.records(sql, values, from: connection) }
      }.get()
    }

    /// Returns the part of a query that SQL can express; the cache does the rest.
    ///
    /// - Parameter query: The query.
    /// - Returns: The part, without closures and what else has no meaning in SQL.
    public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
      // A type without a table is an error of `fetch`.
      (try? plan(R.self).plan)?.support(for: query) ?? .complete
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

  /// Queries that the store answers without translating rows into records.
  extension PostgreSQLStore {
    /// Counts the records that match a query.
    ///
    /// If SQL can evaluate the query, the database counts rows without reading records.
    ///
    /// - Parameter query: The query; its order does not matter.
    /// - Returns: The number of records. A row that is not a record counts, unless all must be
    ///   read.
    /// - Throws: The errors of `fetch`.
    public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
      let plan = try plan(R.self)
      let count = try await pool.run { connection in try plan.plan.count(query, from: connection) }
      if let count { return count }
      return try await fetch(query).count
    }

    /// Finds the refs of the records that match a query.
    ///
    /// If SQL can evaluate the query, only the ids are read.
    ///
    /// - Parameter query: The query.
    /// - Returns: The refs, in the order of the query. They include rows that are not records,
    ///   unless all rows must be read.
    /// - Throws: The errors of `fetch`.
    public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
      let plan = try plan(R.self)
      let refs = try await pool.run { connection in try plan.plan.refs(query, from: connection) }
      if let refs { return refs }
      return try await fetch(query).map(\.ref)
    }

    /// Counts the records that match a query, by the values of a property.
    ///
    /// This takes one statement if SQL can evaluate the query and a column holds the property. The
    /// property is read as stored, regardless of what the record or its translator makes of it.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - property: The property.
    /// - Returns: The number of records for each value. A row that is not a record counts, unless
    ///   all must be read.
    /// - Throws: The errors of `fetch`.
    public func count<R: GraphRecord, Value: Hashable & Sendable>(
      _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
    ) async throws -> [Value: Int] {
      let plan = try plan(R.self)
      let counts = try await pool.run { connection in
        try plan.plan.counts(of: property, query, from: connection)
      }
      if let counts { return counts }
      return ValueCounts(of: property, in: try await fetch(query.orderedAsNeeded)).dictionary
    }
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
