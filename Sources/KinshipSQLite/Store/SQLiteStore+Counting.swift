#if SQLite
  public import Kinship

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
