#if PostgreSQL
  internal import KinshipSQL

  /// Statements that follow a plan within the server, one generation after another.
  ///
  /// Each generation is a part of the statement, and looks up by id all rows that the previous one
  /// reaches. This costs half as much as a recursion, which looks them up one by one and carries
  /// only ids.
  struct GraphGenerations {
    let statements: [String]

    /// The most parts of a statement, because the server takes time to plan each.
    private static let mostParts = 48

    /// Creates the statements, unless the plan has no end, goes too far, or compares ids of
    /// different types.
    init?(_ outline: GraphOutline, _ name: String) {
      guard let end = outline.end, Self.areComparable(outline),
        let reached = Self.tablesReached(outline, end)
      else { return nil }
      statements = outline.tables.indices.map { own in
        let rows = outline.tables.indices.map { Rows(outline, $0, isOwn: $0 == own) }
        func named(_ generation: Int, _ table: Int) -> String {
          SQLText.quoted("\(name) \(generation) \(table)")
        }
        func ids(_ generation: Int, _ table: Int) -> String {
          if generation == 0 { return "$1" }
          let targets = reached[generation - 1].flatMap { source in
            rows[source].targets(in: table, from: named(generation - 1, source), generation)
          }
          return "ARRAY(\(targets.joined(separator: " UNION ALL ")))"
        }
        let parts = reached.enumerated().flatMap { generation, tables in
          tables.map { table in
            """
            \(named(generation, table))(\(rows[table].columns)) AS MATERIALIZED (\
            \(rows[table].select) = ANY(\(ids(generation, table))))
            """
          }
        }
        let all = reached.indices.filter { reached[$0].contains(own) }.map {
          "SELECT * FROM \(named($0, own))"
        }
        return """
          WITH \(parts.joined(separator: ", ")) \(all.joined(separator: " UNION ALL ")) LIMIT $2
          """
      }
    }

    /// Returns the tables that each generation reaches; `nil` if there are too many.
    private static func tablesReached(_ outline: GraphOutline, _ end: Int) -> [[Int]]? {
      var reached = [[0]]
      var count = 1
      for generation in 0..<end {
        let next = Set(
          reached[generation].flatMap { table in
            outline.edges[table].filter { $0.edge.generations > generation }.map(\.target)
          })
        if next.isEmpty { break }
        count += next.count
        if count > mostParts { return nil }
        reached.append(next.sorted())
      }
      return reached
    }

    private static func areComparable(_ outline: GraphOutline) -> Bool {
      zip(outline.tables, outline.edges).allSatisfy { table, edges in
        edges.allSatisfy { edge, target in
          let isTarget =
            GraphOutline.common([edge.type, outline.tables[target].idTypes[0]]) != nil
          guard case .list(_, _, let owner, _) = edge.place else { return isTarget }
          return isTarget && GraphOutline.common([owner, table.idTypes[0]]) != nil
        }
      }
    }

    /// The rows of a table within a part of a statement.
    private struct Rows {
      let columns: String
      /// The `SELECT` that reads the rows, up to the id in its condition.
      let select: String
      private let id: String
      private let idType: PostgreSQLType
      private let edges: [(edge: GraphEdge, column: String, target: Int)]

      /// Rows that the statement does not return need only the columns to follow.
      init(_ outline: GraphOutline, _ number: Int, isOwn: Bool) {
        let table = outline.tables[number]
        let idColumn = SQLText.quoted(table.idColumns[0])
        var names = [idColumn]
        idType = table.idTypes[0]
        id = "c\(isOwn ? table.layout.idPositions[0] : 0)"
        edges = outline.edges[number].map { edge, target in
          guard case .column(let name, let position) = edge.place else { return (edge, "", target) }
          names.append(SQLText.quoted(name))
          return (edge, "c\(isOwn ? position : names.count - 1)", target)
        }
        let width = isOwn ? table.layout.width : names.count
        columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
        let rows =
          isOwn
          ? table.select
          : "SELECT \(names.joined(separator: ", ")) FROM \(table.name.sql)"
        select = "\(rows) WHERE \(idColumn)"
      }

      /// Returns statements for the ids of a table's rows that the previous generation reaches.
      func targets(in table: Int, from rows: String, _ generation: Int) -> [String] {
        edges.filter { $0.target == table && $0.edge.generations >= generation }.map {
          edge, column, _ in
          guard case .list(let list, let owner, _, let target) = edge.place else {
            return "SELECT \(plain(column, edge.type)) FROM \(rows)"
          }
          return """
            SELECT \(plain("l.\(SQLText.quoted(target))", edge.type)) FROM \(list.sql) AS l \
            WHERE l.\(SQLText.quoted(owner)) = ANY(ARRAY(SELECT \(plain(id, idType)) FROM \(rows)))
            """
        }
      }

      /// Returns a value without a collation of its own.
      private func plain(_ value: String, _ type: PostgreSQLType) -> String {
        type.isPlainText ? GraphOutline.cast(value, to: "text") : value
      }
    }
  }
#endif
