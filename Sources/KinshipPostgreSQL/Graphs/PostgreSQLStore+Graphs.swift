#if PostgreSQL
  public import Kinship

  extension PostgreSQLStore {
    /// Fetches records by their ids, and the records that a plan reaches from them, in one round
    /// trip.
    ///
    /// It sends a statement for each record type in the plan, all at once. The statements follow
    /// columns and lists with ids of one column: one generation after another, as long as these are
    /// few, and otherwise by recursion.
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
      let commands = try graphs.commands(
        outline, root.idParameters(ids), limit: max(plan.limit, ids.count))
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
  }

  extension PostgreSQLPlan {
    func records(of rows: Rows) throws -> PartialAnswer<R> {
      try plan.table.read(
        SQLRow(PostgreSQLCells(beforeFirstOf: rows), layout: plan.layout), rows.count)
    }

    /// Adds rows to a graph; rows that are not records are requested by their ids.
    func add<Root: GraphRecord>(_ rows: Rows, to graph: inout FetchedGraph<Root>) throws {
      graph.add(plan.distinct(try records(of: rows)).records)
    }

    /// Returns the relationships of a plan that SQL can follow.
    func edges(_ graph: FetchPlan) -> [GraphEdge] {
      graph.relationships(of: R.self).compactMap { relationship, generations in
        guard relationship.choice == nil, let place = plan.position(of: relationship.property)
        else { return nil }
        func edge(_ place: GraphEdge.Place, _ type: PostgreSQLType) -> GraphEdge {
          GraphEdge(
            target: ObjectIdentifier(relationship.target), place: place, type: type,
            generations: generations)
        }
        if place < types.count {
          return edge(.column(plan.layout.columns[place], position: place), types[place])
        }
        let list = plan.table.lists[place - types.count].place
        let types = lists[place - types.count]
        return edge(
          .list(
            table: types.table, owner: list.owner, ownerType: types.owner, target: list.target),
          types.target)
      }
    }
  }

  /// The statements of recent graphs; most graphs use one of a few plans.
  final class GraphStatements: Sendable {
    /// The most plans to keep.
    private static let limit = 64

    private let known = Lock<[GraphOutline.Shape: [String]]>([:])

    /// Returns the statements of a graph, with their parameters.
    func commands(
      _ outline: GraphOutline, _ ids: [Parameter], limit: Int
    ) throws -> [SQLCommand] {
      let parameters = ids + [try PostgreSQLType.int8.parameter(.integer(Int64(limit)))]
      let shape = outline.shape
      let statements = known.withLock { $0[shape] } ?? remember(outline.statements, shape)
      return statements.map { SQLCommand($0, parameters) }
    }

    private func remember(_ statements: [String], _ shape: GraphOutline.Shape) -> [String] {
      known.withLock { known in
        if known.count >= Self.limit { known.removeAll() }
        known[shape] = statements
      }
      return statements
    }
  }
#endif
