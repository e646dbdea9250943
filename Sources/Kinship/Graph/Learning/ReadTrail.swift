/// The records that a piece of a program has read, and the records that led to them.
///
/// A record that no earlier one led to is a root.
struct ReadTrail: Sendable {
  private struct ReadRecord: Sendable {
    let ref: AnyRef
    let type: TypeNumber
    /// The type of the root from which it was read, and the number of hops; `nil` if it was not
    /// read.
    var way: (root: TypeNumber, generation: Int)?
    /// Whether the record is known to exist: no plan leads on from others.
    var exists = false
    /// The known records that it leads to.
    var steps: [(step: PlanStep, target: Int)] = []
    /// The records that were read and hold its ref.
    var holders: [(edge: EdgeID, source: Int)] = []
    var links: [EdgeID: [Int]] = [:]
  }

  /// The depth of each relationship from the roots of each type.
  typealias Depths = [TypeNumber: [PlanStep: Int]]

  private struct Question: Hashable {
    let place: Int
    let edge: EdgeID
  }

  private let schema: GraphSchema
  private var places: [ReadRecord] = []
  private var numbers: [AnyRef: Int] = [:]
  private var roots: [Int] = []
  /// The records whose referrers were requested, by relationship.
  private var questions: Set<Question> = []
  /// The plan that follows each record along the path on which it was reached, and so leads to all.
  private var depths: Depths = [:]
  /// The number of records that were read.
  private(set) var count = 0

  init(_ schema: GraphSchema) { self.schema = schema }

  // MARK: Reading

  /// Records that a record was read; one without links does not exist.
  mutating func read(_ ref: AnyRef, _ links: RecordLinks?) {
    guard let place = number(of: ref) else { return }
    let earlier = places[place].way
    if let links {
      places[place].exists = true
      addLinks(links, of: place)
    }
    if earlier != nil { return }
    count += 1
    let ways = sourcesOfPlans(place)
    guard let (step, source) = ways.min(by: { generation($0.source) < generation($1.source) }),
      let way = places[source].way
    else {
      places[place].way = (places[place].type, 0)
      roots.append(place)
      return
    }
    places[place].way = (way.root, way.generation + 1)
    follow(step, from: way)
  }

  /// Records that the referrers of a record were requested.
  mutating func readReferrers(
    to ref: AnyRef, by edges: [EdgeID], _ sources: [(ref: AnyRef, links: RecordLinks)]
  ) {
    guard let place = number(of: ref) else { return }
    if places[place].way == nil { read(ref, []) }
    for edge in edges { ask(place, edge) }
    for source in sources { read(source.ref, source.links) }
  }

  /// Records that all records of a graph were read.
  mutating func read(_ graph: GraphStorage) {
    // A record that was reached against a relationship holds the ref that led there.
    for node in graph.order {
      let ref = graph.ref(of: node)
      read(ref, graph.links(of: node))
      guard let place = number(of: ref) else { continue }
      for edge in graph.column(of: node).backwardEdges
      where graph.column(of: node).referrerCount(of: edge, at: Int(node.index)) != nil {
        ask(place, edge)
      }
    }
  }

  private mutating func number(of ref: AnyRef) -> Int? {
    if let number = numbers[ref] { return number }
    guard let type = schema.number(of: ref.type) else { return nil }
    numbers[ref] = places.count
    places.append(ReadRecord(ref: ref, type: type))
    return places.count - 1
  }

  private mutating func addLinks(_ links: RecordLinks, of place: Int) {
    for (edge, refs) in links {
      let targets = refs.compactMap { number(of: $0) }
      if places[place].links.updateValue(targets, forKey: edge) == targets { continue }
      for target in targets {
        places[target].holders.append((edge, place))
        places[place].steps.append((PlanStep(edge: edge), target))
        places[target].steps.append((PlanStep(edge: edge, isBackward: true), place))
      }
    }
  }

  private mutating func ask(_ place: Int, _ edge: EdgeID) {
    guard questions.insert(Question(place: place, edge: edge)).inserted,
      let way = places[place].way
    else { return }
    follow(PlanStep(edge: edge, isBackward: true), from: way)
  }

  private mutating func follow(_ step: PlanStep, from way: (root: TypeNumber, generation: Int)) {
    let depth = max(depths[way.root]?[step] ?? 0, way.generation + 1)
    depths[way.root, default: [:]][step] = depth
  }

  private func generation(_ place: Int) -> Int { places[place].way?.generation ?? .max }

  /// Returns the records from which a plan could have reached one.
  private func sourcesOfPlans(_ place: Int) -> [(step: PlanStep, source: Int)] {
    let ahead = places[place].holders.filter { places[$0.source].way != nil && $0.source != place }
    let back = places[place].links.flatMap { edge, targets in
      targets.filter { questions.contains(Question(place: $0, edge: edge)) && $0 != place }
        .map { (PlanStep(edge: edge, isBackward: true), $0) }
    }
    return ahead.map { (PlanStep(edge: $0.edge), $0.source) } + back.sorted { $0.0 < $1.0 }
  }

  // MARK: Learning

  /// Returns the smallest plans that lead to all records read: for each type, one for all its
  /// roots.
  ///
  /// - Complexity: O(*n* *r* log *g*) in the records, the relationships that were followed and the
  ///   generations.
  func plans() -> [(root: TypeNumber, roots: [AnyRef], depths: [PlanStep: Int])] {
    var smallest = depths
    for (root, steps) in depths.sorted(by: { $0.key < $1.key }) {
      for (step, depth) in steps.sorted(by: { $0.key < $1.key }) {
        // L6: a larger depth leads to more records, so a binary search finds the smallest that is
        // enough.
        var (few, enough) = (0, depth)
        while few < enough {
          let middle = (few + enough) / 2
          smallest[root]?[step] = middle
          if leadsEverywhere(smallest) { enough = middle } else { few = middle + 1 }
        }
        smallest[root]?[step] = enough
      }
    }
    return rootTypes.map { type in
      let steps = smallest[type] ?? [:]
      return (
        type, roots.filter { places[$0].type == type }.map { places[$0].ref },
        steps.filter { $0.value > 0 }
      )
    }
  }

  /// The types of the roots, in the order in which they were read.
  private var rootTypes: [TypeNumber] {
    var types: [TypeNumber] = []
    for root in roots where !types.contains(places[root].type) { types.append(places[root].type) }
    return types
  }

  private func leadsEverywhere(_ depths: Depths) -> Bool {
    var reached = Array(repeating: false, count: places.count)
    var open = questions
    for type in rootTypes {
      walk(from: type, depths[type] ?? [:]) { places, _, asked in
        for place in places { reached[place] = true }
        open.subtract(asked)
      }
    }
    return open.isEmpty && places.indices.allSatisfy { places[$0].way == nil || reached[$0] }
  }

  /// Returns the number of calls that plans need to a store that follows none, if nothing is in
  /// memory.
  ///
  /// They are counted over the records that were read; a call loads `batchSize` of them.
  func calls(of plans: Depths, batchSize: Int) -> Int {
    var loaded = Array(repeating: false, count: places.count)
    var calls = 0
    for type in rootTypes {
      walk(from: type, plans[type] ?? [:]) { found, brought, asked in
        var counts: [TypeNumber: Int] = [:]
        for place in found where !loaded[place] {
          loaded[place] = true
          if !brought.contains(place) { counts[places[place].type, default: 0] += 1 }
        }
        for count in counts.values { calls += 1 + (count - 1) / max(1, batchSize) }
        calls += Set(asked.map(\.edge)).count
      }
    }
    return calls
  }

  /// Walks from the roots of a type, one generation after another, to the depth of each
  /// relationship.
  ///
  /// A closure receives the places of each generation, those that refer to an earlier one, and the
  /// questions that follow.
  private func walk(
    from type: TypeNumber, _ depths: [PlanStep: Int],
    _ body: (_ places: [Int], _ brought: Set<Int>, _ asked: Set<Question>) -> Void
  ) {
    var isFound = Array(repeating: false, count: places.count)
    var current = roots.filter { places[$0].type == type }
    for place in current { isFound[place] = true }
    var brought: Set<Int> = []
    var generation = 0
    while !current.isEmpty {
      var next: [Int] = []
      var (nextBrought, asked): (Set<Int>, Set<Question>) = ([], [])
      for place in current where places[place].exists {
        for (step, depth) in depths
        where step.isBackward && depth > generation
          && schema[step.edge].target == places[place].type
        {
          asked.insert(Question(place: place, edge: step.edge))
        }
        for (step, target) in places[place].steps where depths[step] ?? 0 > generation {
          if step.isBackward { nextBrought.insert(target) }
          if !isFound[target] {
            isFound[target] = true
            next.append(target)
          }
        }
      }
      body(current, brought, asked)
      (current, brought) = (next, nextBrought)
      generation += 1
    }
  }
}

/// The refs of a record, by relationship.
typealias RecordLinks = [(edge: EdgeID, refs: [AnyRef])]

extension GraphSchema {
  /// The refs that a record holds.
  func links<R: GraphRecord>(of record: R) -> RecordLinks {
    guard let number = number(of: R.self) else { return [] }
    return R.relationships.elements.enumerated().map { place, relationship in
      (EdgeID(source: number, number: place), relationship.refs(record))
    }
  }
}

extension GraphStorage {
  /// The refs that a record of the graph holds.
  func links(of node: NodeKey) -> RecordLinks {
    let type = TypeNumber(Int(node.type))
    return column(of: node).refs(at: Int(node.index)).map {
      (EdgeID(source: type, number: $0.relationship), $0.refs)
    }
  }
}
