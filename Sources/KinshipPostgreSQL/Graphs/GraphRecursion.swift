#if PostgreSQL
  internal import KinshipSQL

  /// Statements that follow a plan within the server from rows of one table, to any depth.
  ///
  /// There is one statement for each table, because their rows have different columns. Each finds
  /// the reached rows by itself: carrying the rows along would take as long, and is possible for
  /// one table only.
  struct GraphRecursion {
    let statements: [String]

    init(_ outline: GraphOutline, _ name: String) {
      let (tables, end) = (outline.tables, outline.end)
      let types = tables.flatMap(\.idTypes) + outline.edges.joined().map(\.edge.type)
      let id = GraphOutline.common(types)
      let parts = zip(tables, outline.edges).enumerated().flatMap { number, table in
        Self.parts(table.0, number, table.1, id: id ?? "text", isCommon: id != nil, end: end)
      }
      let (distance, next) = end == nil ? ("", "") : (", 0", ", r.d + 1")
      let name = SQLText.quoted(name)
      let reached = """
        WITH RECURSIVE \(name)(t, id\(end == nil ? "" : ", d")) AS (\
        SELECT 0, x::\(id ?? "text")\(distance) FROM unnest($1) AS x \
        UNION SELECT e.t, e.id\(next) FROM \(name) AS r CROSS JOIN LATERAL (\
        \(parts.joined(separator: " UNION ALL "))) AS e(t, id)) 
        """
      statements = tables.enumerated().map { number, table in
        """
        \(reached)\(table.select) WHERE \(SQLText.quoted(table.idColumns[0])) = ANY(ARRAY(\
        SELECT id::\(table.idTypes[0].name) FROM \(name) WHERE t = \(number) LIMIT $2))
        """
      }
    }

    /// Returns the queries that follow a table's rows; `r` is one of them, by its table's number
    /// and its id.
    private static func parts(
      _ table: any MappedTable, _ number: Int, _ edges: [(edge: GraphEdge, target: Int)],
      id: String, isCommon: Bool, end: Int?
    ) -> [String] {
      // A text that is the id of another table's row may not be a valid id of this table.
      let rowID =
        isCommon
        ? "r.id" : "CASE WHEN r.t = \(number) THEN r.id::\(table.idTypes[0].name) END"
      var (values, lists): ([String], [String]) = ([], [])
      var farthest = 0
      for (edge, target) in edges {
        let generations = min(edge.generations, end ?? .max)
        let isNear = end == nil ? "" : " AND r.d < \(generations)"
        switch edge.place {
        case .column(let column, _):
          let value = GraphOutline.cast("p.\(SQLText.quoted(column))", to: id)
          values.append("(\(target), \(value), \(generations))")
          farthest = max(farthest, generations)
        case .list(let table, let owner, _, let column):
          let column = "l.\(SQLText.quoted(column))"
          lists.append(
            """
            SELECT \(target), \(GraphOutline.cast(column, to: id)) FROM \(table.sql) AS l \
            WHERE r.t = \(number)\(isNear) AND l.\(SQLText.quoted(owner)) = \(rowID) \
            AND \(column) IS NOT NULL
            """)
        }
      }
      if values.isEmpty { return lists }
      // This looks the row up once for all of its columns, and not at all if none is followed.
      let (isNear, isFollowed) =
        end == nil ? ("", "") : (" AND r.d < \(farthest)", " AND r.d < v.g")
      let row = """
        SELECT v.t, v.id FROM \(table.name.sql) AS p CROSS JOIN LATERAL \
        (VALUES \(values.joined(separator: ", "))) AS v(t, id, g) WHERE r.t = \(number)\(isNear) \
        AND p.\(SQLText.quoted(table.idColumns[0])) = \(rowID) AND v.id IS NOT NULL\(isFollowed)
        """
      return [row] + lists
    }
  }
#endif
