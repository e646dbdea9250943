#if SQLite
  public import Kinship

  extension SQLiteStore {
    /// Fetches records by their ids, with one statement; where ids are no integers, with one for
    /// each 16,384.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    /// - Returns: The records that exist, in any order.
    /// - Throws: `PartialAnswer` if some rows are no records, with `KinshipError.untranslatable` as
    ///   the cause, or that error alone, where one record was asked for; `SQLiteError`,
    ///   `KinshipError.unknownType` for a type without a table, and `CancellationError` if the task
    ///   is cancelled.
    public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      let plan = try plan(type)
      return try await read { connection in try plan.fetch(ids, in: connection) }
        .get(of: ids.count)
    }

    /// Fetches records by their ids, and those that a plan leads to from them: of one state of the
    /// database, with a statement for each record type in each generation.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    ///   - plan: What leads on from the records.
    /// - Returns: The records that exist, and others that the plan leads to, 16,384 of them at
    ///   most, in whole generations; `nil` where one of the rows that were asked for is no record.
    /// - Throws: What fetching by ids throws.
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

    /// Fetches the records that a query asks for, with one statement.
    ///
    /// Texts are compared by their bytes. A property is sorted by as it is stored: where that is
    /// another order than that of the values, a cache refuses the answer.
    ///
    /// A filter becomes part of the statement as far as SQL means the same: comparisons of
    /// integers, `Double`, Boolean values, texts, refs and `nil`, ranges, and membership in a list,
    /// combined by and, or, not. A property is compared as it is stored, too. Where texts are
    /// compared, or a part of the filter cannot be said in SQL, more rows are read, and the filter
    /// is tried here. No value becomes part of the statement's text.
    ///
    /// - Parameter query: The query.
    /// - Returns: The records, in the order of the query.
    /// - Throws: What `fetch` by ids throws, and `KinshipError.unsupported` for an order by a
    ///   property that no column holds.
    public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      let plan = try plan(R.self)
      return try await read { connection in try plan.fetch(query, from: connection) }.get()
    }

    /// Any filter is known here.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: `true`.
    public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool { true }

    /// Finds the records that refer to others, with one statement, or one for each 16,384 targets.
    ///
    /// Only the rows that refer to them are read: what else cannot be read does no harm.
    ///
    /// - Parameters:
    ///   - targets: The refs that name the others.
    ///   - relationship: The relationship by which they are referred to.
    /// - Returns: The records that refer to at least one of them, in any order, each once.
    /// - Throws: What `fetch` throws, and `KinshipError.unsupported` for a relationship that
    ///   neither a column nor a list holds.
    public func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      let plan = try plan(Source.self)
      return try await read { connection in
        try plan.referrers(to: targets, by: relationship, in: connection)
      }.get()
    }
  }

  /// Reads the records of all tables with one connection; rows that are none are left out: a cache
  /// asks for them by their ids, and hears why.
  private struct TablesReader: GenerationSource {
    let plans: [ObjectIdentifier: any ErasedTablePlan]
    let connection: Connection

    func read<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) throws -> [R] {
      try Task.checkCancellation()
      guard let plan = plans[ObjectIdentifier(type)] as? TablePlan<R> else { return [] }
      return try plan.fetch(ids, in: connection).records
    }
  }
#endif
