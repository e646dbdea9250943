#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// A relationship that statements follow.
  struct GraphEdge {
    /// What holds the ids of the targets.
    enum Place {
      /// The position is that in the rows of its table.
      case column(String, position: Int)
      case list(table: TableName, owner: String, ownerType: PostgreSQLType, target: String)
    }

    let target: any GraphRecord.Type
    let place: Place
    /// The type of these ids.
    let type: PostgreSQLType
    /// Up to how many hops from where the statement begins it leads.
    let generations: Int

    init(
      _ target: any GraphRecord.Type, _ place: Place, _ type: PostgreSQLType, _ generations: Int
    ) {
      self.target = target
      self.place = place
      self.type = type
      self.generations = generations
    }
  }

  /// The tables that a plan reaches from one of them, and the relationships that lead to them.
  struct GraphOutline {
    /// The one to begin with first.
    let tables: [any ErasedPlan]
    /// For each table what leads on from its rows, and the number of the table that it leads to.
    let edges: [[(edge: GraphEdge, target: Int)]]
    /// After how many generations nothing is followed; `nil` if there is no end to it.
    ///
    /// Where some have an end, what is followed without end is so far enough: the rest is asked for
    /// by ids.
    let end: Int?

    /// None if nothing is followed that statements can follow, or ids have several columns.
    init?(
      from type: any GraphRecord.Type, _ plan: FetchPlan,
      _ table: (any GraphRecord.Type) -> (any ErasedPlan)?
    ) {
      guard let first = table(type) else { return nil }
      var tables = [first]
      // Which generation is the first to reach them.
      var distances = [0]
      var numbers = [ObjectIdentifier(type): 0]
      var edges: [[(edge: GraphEdge, target: Int)]] = []
      while edges.count < tables.count {
        let distance = distances[edges.count]
        var followed: [(GraphEdge, Int)] = []
        for edge in tables[edges.count].edges(plan) where edge.generations > distance {
          guard let target = table(edge.target) else { continue }
          let number = numbers[ObjectIdentifier(edge.target)] ?? tables.count
          if number == tables.count {
            numbers[ObjectIdentifier(edge.target)] = number
            tables.append(target)
            distances.append(distance + 1)
          }
          followed.append((edge, number))
        }
        edges.append(followed)
      }
      let all = edges.joined().map(\.edge)
      guard !all.isEmpty, tables.allSatisfy({ $0.idTypes.count == 1 }) else { return nil }
      (self.tables, self.edges) = (tables, edges)
      let finite = all.map(\.generations).filter { $0 < .max }.max()
      end = finite.map { $0 + (all.contains { $0.generations == .max } ? tables.count : 0) }
    }

    /// The statements, of which each gives the rows of a table; at most so many of each.
    func commands(_ ids: [Parameter], limit: Int) throws -> [SQLCommand] {
      let parameters = ids + [try PostgreSQLType.int8.parameter(.integer(Int64(limit)))]
      let name = unusedName
      let statements =
        GraphGenerations(self, name)?.statements ?? GraphRecursion(self, name).statements
      return statements.map { SQLCommand($0, parameters) }
    }

    /// What names of the statements may begin with: a table of such a name would be hidden.
    private var unusedName: String {
      var name = "kinship reached"
      while tables.contains(where: { $0.select.contains("\"" + name) }) { name += "_" }
      return name
    }

    /// The type that ids of some types can have in common; if none, they go as texts.
    static func common(_ types: some Sequence<PostgreSQLType>) -> String? {
      let all = Set(types)
      let integers: Set<PostgreSQLType.Kind> = [.int2, .int4, .int8]
      if integers.isSuperset(of: all.map(\.kind)) { return "bigint" }
      if all.allSatisfy(\.isPlainText) { return "text" }
      return all.count == 1 && all.first?.kind != .text ? all.first?.name : nil
    }

    /// A column as an id.
    ///
    /// Of a text the collation is left out, for those of one statement must not differ in it. What
    /// it is compared with has its own.
    static func cast(_ column: String, to id: String) -> String {
      id == "text" ? "\(column)::text COLLATE \"default\"" : "\(column)::\(id)"
    }
  }

  /// What follows a plan within the server, however far it leads, from rows of one table: a
  /// statement for each table that is reached, since their rows have different columns.
  ///
  /// Each of them finds out by itself what is reached. To carry the rows along would take as long,
  /// and could be done for one table only.
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

    /// What leads on from the rows of a table: `r` is one of them, by its number and id.
    private static func parts(
      _ table: any ErasedPlan, _ number: Int, _ edges: [(edge: GraphEdge, target: Int)],
      id: String, isCommon: Bool, end: Int?
    ) -> [String] {
      // A text that is the id of another table's row may not be read as one of this table's.
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
            SELECT \(target), \(GraphOutline.cast(column, to: id)) FROM \(table.sql) AS l WHERE r.t = \(number)\
            \(isNear) AND l.\(SQLText.quoted(owner)) = \(rowID) AND \(column) IS NOT NULL
            """)
        }
      }
      if values.isEmpty { return lists }
      // The row is looked up once for all of its columns, and not at all where none is followed.
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
