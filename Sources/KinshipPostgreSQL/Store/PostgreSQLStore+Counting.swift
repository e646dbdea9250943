#if PostgreSQL
  public import Kinship

  /// What rows tell without being made into records.
  extension PostgreSQLStore {
    /// Counts the records that a query asks for: rows, where SQL can tell which they are.
    ///
    /// - Parameter query: The query; its order does not matter.
    /// - Returns: How many there are. A row that is no record counts, unless all must be read.
    /// - Throws: What `fetch` throws.
    public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
      let plan = try plan(R.self)
      let count = try await pool.run { connection in try plan.plan.count(query, from: connection) }
      if let count { return count }
      return try await fetch(query).count
    }

    /// Finds the refs of the records that a query asks for: reads no more than the ids, where SQL
    /// can tell which rows these are.
    ///
    /// - Parameter query: The query.
    /// - Returns: The refs, in the order of the query. A row that is no record is among them,
    ///   unless all must be read.
    /// - Throws: What `fetch` throws.
    public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
      let plan = try plan(R.self)
      let refs = try await pool.run { connection in try plan.plan.refs(query, from: connection) }
      if let refs { return refs }
      return try await fetch(query).map(\.ref)
    }

    /// Counts, of the records that a query asks for, how many have which value of a property: with
    /// one statement, where SQL can tell which rows these are and a column holds the property.
    ///
    /// The property is read as it is stored, whatever the record or its translator makes of it.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - property: The property.
    /// - Returns: By each value, how many records have it. A row that is no record counts, unless
    ///   all must be read.
    /// - Throws: What `fetch` throws.
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
#endif
