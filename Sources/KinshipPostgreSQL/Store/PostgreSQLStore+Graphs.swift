#if PostgreSQL
  public import Kinship
  internal import KinshipSQL

  extension PostgreSQLStore {
    /// Fetches records by their ids, and the records that a plan reaches from them, in one round
    /// trip.
    ///
    /// It sends a statement for each record type in the plan, all at once. The statements follow
    /// columns and lists with ids of one column: one generation after another, or by recursion if
    /// the plan has no end or more than 48 parts, one for each table in each generation.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    ///   - plan: The relationships to follow from the records.
    /// - Returns: The records that exist, and others that the plan reaches; `nil` if one of the
    ///   requested rows is not a record, if statements cannot follow the plan, or if an id that can
    ///   be encoded in another way was not found.
    /// - Throws: The errors of fetching by ids.
    public func fetch<R: GraphRecord>(
      _ type: R.Type, ids: [R.ID], following plan: FetchPlan
    ) async throws -> FetchedGraph<R>? {
      let root = try self.plan(type)
      guard let outline = GraphOutline(from: type, plan, plans) else { return nil }
      let limit = SQLValue.integer(Int64(max(plan.limit, ids.count)))
      let parameters = try root.idParameters(ids) + [PostgreSQLType.int8.parameter(limit)]
      let commands = statements(outline).map { SQLCommand($0, parameters) }
      return try await pool.run { connection in
        let results = try connection.pipeline(commands)
        let answer = try root.records(of: results[0])
        if !answer.failures.isEmpty { return nil }
        var asked = Set(ids)
        var (records, reached): ([R], [R]) = ([], [])
        for record in root.plan.distinct(answer).records {
          // The requested records usually come first; so no more ids are hashed than were
          // requested.
          if !asked.isEmpty, asked.remove(record.id) != nil {
            records.append(record)
          } else {
            reached.append(record)
          }
        }
        // A text that Unicode can encode in another way must be looked up by its id.
        if asked.contains(where: { root.plan.hasOtherSpellings($0) }) { return nil }
        var graph = FetchedGraph(records)
        graph.add(reached)
        for (table, rows) in zip(outline.tables, results).dropFirst() {
          try table.add(rows, to: &graph)
        }
        return graph
      }
    }

    /// Returns the statements of a graph, built once.
    private func statements(_ outline: GraphOutline) -> [String] {
      let shape = outline.shape
      if let known = graphs.withLock({ $0[shape] }) { return known }
      let statements = outline.statements
      graphs.withLock { known in
        if known.count >= 64 { known.removeAll() }
        known[shape] = statements
      }
      return statements
    }
  }
#endif
