#if SQLite
  public import Kinship

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
      let plan = try plan(type)
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
      let root = try self.plan(type)
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

    /// Fetches the records that match a query.
    ///
    /// The database compares texts by their bytes, and sorts and compares properties as stored. If
    /// the stored order differs from the order of the values, a cache rejects the answer.
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
      let plan = try plan(R.self)
      return try await plan.fetch(query) { sql, values in
        try await read { connection in try plan.records(sql, values, from: connection) }
      }.get()
    }

    /// Returns the part of a query that SQL can express; the cache does the rest.
    ///
    /// - Parameter query: The query.
    /// - Returns: The part, without closures and what else has no meaning in SQL.
    public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
      // A type without a table is an error of `fetch`.
      (try? plan(R.self))?.support(for: query) ?? .complete
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
      let plan = try plan(Source.self)
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

  /// Queries that the store answers without translating rows into records.
  extension SQLiteStore {
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
      let count = try await read { connection in try plan.count(query, from: connection) }
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
      let refs = try await read { connection in try plan.refs(query, from: connection) }
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
      let counts = try await read { connection in
        try plan.counts(of: property, query, from: connection)
      }
      if let counts { return counts }
      return ValueCounts(of: property, in: try await fetch(query.orderedAsNeeded)).dictionary
    }
  }
#endif
