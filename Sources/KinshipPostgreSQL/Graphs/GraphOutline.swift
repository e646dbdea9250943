#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// A relationship that statements follow.
  struct GraphEdge: Hashable {
    /// What holds the ids of the targets.
    enum Place: Hashable {
      /// The position is that in the rows of its table.
      case column(String, position: Int)
      case list(table: TableName, owner: String, ownerType: PostgreSQLType, target: String)
    }

    /// The type of the records that it leads to.
    let target: ObjectIdentifier
    let place: Place
    /// The type of these ids.
    let type: PostgreSQLType
    /// Up to how many hops from where the statement begins it leads.
    let generations: Int

    init(
      _ target: any GraphRecord.Type, _ place: Place, _ type: PostgreSQLType, _ generations: Int
    ) {
      self.target = ObjectIdentifier(target)
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
      _ plans: [ObjectIdentifier: any ErasedPlan]
    ) {
      guard let first = plans[ObjectIdentifier(type)] else { return nil }
      var tables = [first]
      // Which generation is the first to reach them.
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

    /// The statements, of which each gives the rows of a table: those that have one of the ids
    /// `$1`, or that they lead to, at most `$2` of them.
    var statements: [String] {
      let name = unusedName
      return GraphGenerations(self, name)?.statements ?? GraphRecursion(self, name).statements
    }

    /// What the statements are made of.
    ///
    /// Several types may lie in one table, each with columns of its own.
    struct Shape: Hashable {
      let types: [ObjectIdentifier]
      let edges: [[GraphEdge]]
    }

    var shape: Shape {
      Shape(
        types: tables.map { ObjectIdentifier($0.recordType) }, edges: edges.map { $0.map(\.edge) })
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
      guard all.count == 1, let type = all.first, ![.text, .padded].contains(type.kind) else {
        return nil
      }
      return type.name
    }

    /// A column as an id.
    ///
    /// Of a text the collation is left out, for those of one statement must not differ in it. What
    /// it is compared with has its own.
    static func cast(_ column: String, to id: String) -> String {
      id == "text" ? "\(column)::text COLLATE \"default\"" : "\(column)::\(id)"
    }
  }
#endif
