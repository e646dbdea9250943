#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// The tables that a plan reaches from one of them, and the relationships between them.
  struct GraphOutline {
    /// The tables, beginning with the starting one.
    let tables: [any MappedTable]
    /// For each table, the relationships to follow from its rows, and the numbers of their targets.
    let edges: [[(edge: GraphEdge, target: Int)]]
    /// The generation after which nothing is followed; `nil` without an end.
    ///
    /// If only some relationships have an end, this end also applies to the endless ones. The
    /// remaining records are requested by ids.
    let end: Int?

    /// Creates an outline, unless statements can follow no relationship or ids have several
    /// columns.
    init?(
      from type: any GraphRecord.Type, _ plan: FetchPlan,
      _ plans: [ObjectIdentifier: any MappedTable]
    ) {
      guard let first = plans[ObjectIdentifier(type)] else { return nil }
      var tables = [first]
      // The first generation that reaches each table.
      var distances = [0]
      var numbers = [ObjectIdentifier(type): 0]
      var edges: [[(edge: GraphEdge, target: Int)]] = []
      while edges.count < tables.count {
        let distance = distances[edges.count]
        var followed: [(GraphEdge, Int)] = []
        for edge in tables[edges.count].edges(plan) where edge.generations > distance {
          guard let target = plans[edge.target] else { continue }
          let number = numbers[edge.target] ?? tables.count
          if number == tables.count {
            numbers[edge.target] = number
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

    /// The statements, each of which returns the rows of one table.
    ///
    /// These are the rows with one of the ids `$1`, and the rows that they lead to, at most `$2` of
    /// them.
    var statements: [String] {
      let name = unusedName
      return GraphGenerations(self, name)?.statements ?? GraphRecursion(self, name).statements
    }

    /// The information from which the statements are built.
    ///
    /// Several types may be in one table, each with columns of its own.
    struct Shape: Hashable {
      let types: [ObjectIdentifier]
      let edges: [[GraphEdge]]
    }

    var shape: Shape {
      Shape(
        types: tables.map { ObjectIdentifier($0.recordType) }, edges: edges.map { $0.map(\.edge) })
    }

    /// A prefix for names in the statements that hides no table.
    private var unusedName: String {
      var name = "kinship reached"
      while tables.contains(where: { $0.select.contains("\"" + name) }) { name += "_" }
      return name
    }

    /// Returns the common type of ids; `nil` if they must be converted to texts.
    static func common(_ types: some Sequence<PostgreSQLType>) -> String? {
      let all = Set(types)
      let integers: Set<PostgreSQLType.Kind> = [.int2, .int4, .int8]
      if integers.isSuperset(of: all.map(\.kind)) { return "bigint" }
      if all.allSatisfy(\.isPlainText) { return "text" }
      guard all.count == 1, let type = all.first, ![.text, .padded].contains(type.kind) else {
        return nil
      }
      return type.name
    }

    /// Returns a column as an id.
    ///
    /// A text gets the default collation, because the texts of one statement must not differ in it.
    /// The column that it is compared with keeps its own.
    static func cast(_ column: String, to id: String) -> String {
      id == "text" ? "\(column)::text COLLATE \"default\"" : "\(column)::\(id)"
    }
  }
#endif
