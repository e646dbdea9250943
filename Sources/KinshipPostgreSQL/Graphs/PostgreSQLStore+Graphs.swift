#if PostgreSQL
  public import Kinship

  extension PostgreSQLStore {
    /// Fetches records by their ids, and those that a plan leads to from them, in one round trip:
    /// a statement for each record type that the plan leads to, all sent at once.
    ///
    /// It follows what a column or a list holds, between ids of one column: a generation after
    /// another, as long as these are few, or else by recursion.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The ids, each once.
    ///   - plan: What leads on from the records.
    /// - Returns: The records that exist, and others that the plan leads to; `nil` where one of the
    ///   rows that were asked for is no record, statements cannot follow the plan, or an id was not
    ///   found that may be written in another way.
    /// - Throws: What fetching by ids throws.
    public func fetch<R: GraphRecord>(
      _ type: R.Type, ids: [R.ID], following plan: FetchPlan
    ) async throws -> FetchedGraph<R>? {
      let root = try self.plan(type)
      guard let outline = GraphOutline(from: type, plan, plans) else { return nil }
      let commands = try graphs.commands(
        outline, root.idParameters(ids), limit: max(plan.limit, ids.count))
      return try await pool.run { connection in
        let results = try connection.pipeline(commands)
        let answer = try root.records(of: results[0])
        if !answer.failures.isEmpty { return nil }
        var asked = Set(ids)
        var (records, reached): ([R], [R]) = ([], [])
        for record in root.plan.distinct(answer).records {
          // Most often they come first: then no more ids are hashed than were asked for.
          if !asked.isEmpty, asked.remove(record.id) != nil {
            records.append(record)
          } else {
            reached.append(record)
          }
        }
        // A text that Unicode writes in another way is looked for by its id.
        if asked.contains(where: { root.plan.hasOtherSpellings($0) }) { return nil }
        var graph = FetchedGraph(records)
        graph.add(reached)
        for (table, rows) in zip(outline.tables, results).dropFirst() {
          try table.add(rows, to: &graph)
        }
        return graph
      }
    }
  }

  extension PostgreSQLPlan {
    func records(of rows: Rows) throws -> PartialAnswer<R> {
      try plan.table.read(
        SQLRow(PostgreSQLCells(beforeFirstOf: rows), layout: plan.layout), rows.count)
    }

    /// Adds what the rows are to a graph; what is no record is asked for by its id.
    func add<Root: GraphRecord>(_ rows: Rows, to graph: inout FetchedGraph<Root>) throws {
      graph.add(plan.distinct(try records(of: rows)).records)
    }

    /// The relationships of a plan that SQL can follow.
    func edges(_ graph: FetchPlan) -> [GraphEdge] {
      graph.relationships(of: R.self).compactMap { relationship, generations in
        guard relationship.choice == nil, let place = plan.position(of: relationship.property)
        else { return nil }
        if place < types.count {
          return GraphEdge(
            relationship.target, .column(plan.layout.columns[place], position: place),
            types[place], generations)
        }
        let (list, types) = (
          plan.table.lists[place - types.count].source, lists[place - types.count]
        )
        return GraphEdge(
          relationship.target,
          .list(
            table: types.table, owner: list.owner, ownerType: types.owner, target: list.target),
          types.target, generations)
      }
    }
  }
#endif
