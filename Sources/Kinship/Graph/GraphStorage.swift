/// The storage that all values of one graph share: its columns, and how it was loaded.
@usableFromInline
final class GraphStorage: Sendable {
  @usableFromInline let schema: GraphSchema
  /// The rules of the root's plan.
  let rules: PlanRules
  /// The origins from which the graph was expanded.
  let expansions: ArraySlice<Traversal.Origin>
  /// Whether the graph is partial: it leaves out records that could not be loaded.
  let toleratesFailures: Bool
  /// The refs whose records could not be loaded, with the errors.
  let failures: [AnyRef: KinshipError]
  /// All nodes in the order of discovery: by generation.
  let order: ContiguousArray<NodeKey>
  /// By the number of the type; none for a type of which the walk found nothing.
  @usableFromInline let columns: ContiguousArray<(any ErasedGraphColumn)?>
  /// Records what a view reads; `nil` unless the graph is made for one.
  @usableFromInline let reads: ViewReads?
  /// The referrers by relationship; computed on first use.
  private let referrers: Lock<[EdgeID: [[Int32]]]>

  /// Creates a graph; by default, one of a walk that found every record in memory.
  init(
    _ schema: GraphSchema, _ rules: PlanRules, order: ContiguousArray<NodeKey>,
    columns: ContiguousArray<(any ErasedGraphColumn)?>,
    expansions: ArraySlice<Traversal.Origin> = [], toleratesFailures: Bool = false,
    failures: [AnyRef: KinshipError] = [:], reads: ViewReads? = nil,
    referrers: [EdgeID: [[Int32]]] = [:]
  ) {
    (self.schema, self.rules, self.order, self.columns) = (schema, rules, order, columns)
    (self.expansions, self.toleratesFailures) = (expansions, toleratesFailures)
    (self.failures, self.reads) = (failures, reads)
    self.referrers = Lock(referrers)
  }

  convenience init(_ traversal: Traversal, schema: GraphSchema, reads: ViewReads? = nil) {
    var columns = ContiguousArray<(any ErasedGraphColumn)?>(
      repeating: nil, count: schema.types.count)
    for column in traversal.found.columns.made {
      let number = column.type
      let backward = traversal.backward.isEmpty ? [] : traversal.backward[number.index]
      columns[number] = schema.operations[number].makeColumn(
        ColumnParts(
          records: schema.type(number).joined(column.copies), edges: column.edges,
          lists: column.lists, generations: column.generations, layout: schema.layouts[number],
          missing: column.missing, backward: backward.map { schema.referrers[number][$0].id },
          notes: reads?.notes(of: number)))
    }
    self.init(
      schema, traversal.legs[0].origin.rules, order: traversal.found.order, columns: columns,
      expansions: traversal.legs.map(\.origin).dropFirst(),
      toleratesFailures: traversal.toleratesFailures, failures: traversal.failures, reads: reads)
  }

  /// Creates a graph in which some records have changed, but none of their refs; it shares the
  /// rest.
  ///
  /// - Complexity: That of `GraphColumn.changing(_:)`.
  convenience init(
    _ graph: GraphStorage, changing changed: [(node: NodeKey, record: any GraphRecord)]
  ) {
    var columns = graph.columns
    for (type, changed) in Dictionary(grouping: changed, by: \.node.type) {
      columns[Int(type)] = graph.columns[Int(type)]?.changing(
        changed.map { (Int($0.node.index), $0.record) })
    }
    self.init(
      graph.schema, graph.rules, order: graph.order, columns: columns,
      expansions: graph.expansions, toleratesFailures: graph.toleratesFailures,
      failures: graph.failures,
      reads: graph.reads, referrers: graph.referrers.withLock { $0 })
  }

  /// The origins from which the walk began and was expanded.
  var origins: [Traversal.Origin] {
    [Traversal.Origin(ref: ref(of: order[0]), rules: rules, generation: 0)] + expansions
  }

  /// The column of a node: its number must be that of the type.
  @inlinable @inline(__always)
  func column<R: GraphRecord>(_ number: TypeNumber, of type: R.Type) -> GraphColumn<R> {
    // A node has a column, and the number was looked up for its type; debug builds check both.
    unsafeDowncast(columns[number].unsafelyUnwrapped, to: GraphColumn<R>.self)
  }

  /// The column of a type, if the walk found anything of it.
  func column<R: GraphRecord>(of type: R.Type) -> GraphColumn<R>? {
    schema.number(of: type).flatMap { foundColumn($0, of: type) }
  }

  /// The column with a number, which must be that of the type, if the walk found anything of it.
  @inlinable
  func foundColumn<R: GraphRecord>(_ number: TypeNumber, of type: R.Type) -> GraphColumn<R>? {
    columns[number].map { unsafeDowncast($0, to: GraphColumn<R>.self) }
  }

  /// The column of a node.
  func column(of node: NodeKey) -> any ErasedGraphColumn {
    columns[Int(node.type)].unsafelyUnwrapped
  }

  /// Finds a record by its identity.
  @inlinable
  func lookup<R: GraphRecord>(_ ref: Ref<R>) -> Lookup<R> {
    guard let number = schema.number(of: R.self), let column = foundColumn(number, of: R.self)
    else { return .unloaded(ref) }
    let link = column.link(to: ref.id)
    if link >= 0 { return .loaded(Node(self, column: number.index, place: Int(link))) }
    return link == Link.missing ? .missing(ref) : .unloaded(ref)
  }

  /// Finds a record whose type is known at run time only.
  func key(of ref: AnyRef) -> NodeKey? {
    guard let number = schema.number(of: ref.type), let column = columns[number] else {
      return nil
    }
    let link = column.link(to: ref)
    return link >= 0 ? NodeKey(type: number.index, index: Int(link)) : nil
  }

  func ref(of node: NodeKey) -> AnyRef { column(of: node).ref(at: Int(node.index)) }

  func generation(of node: NodeKey) -> Int {
    column(of: node).generation(at: Int(node.index))
  }

  /// Returns every ref of a node, with the name of its relationship and its target in this graph.
  func edges(of node: NodeKey) -> [(name: String, ref: AnyRef, link: Int32, target: TypeNumber)] {
    let relationships = schema.relationships[Int(node.type)]
    return column(of: node).refs(at: Int(node.index)).flatMap { number, refs in
      let edge = relationships[number]
      return refs.map { ref in
        (edge.name, ref, columns[edge.target]?.link(to: ref) ?? Link.unloaded, edge.target)
      }
    }
  }

  /// The refs that records hold and whose records are known not to exist.
  var missing: [AnyRef] { refs(where: { $0 == Link.missing }) }

  /// The refs that records hold and whose links fulfil a condition, each once, in the order of
  /// discovery.
  func refs(where condition: (Int32) -> Bool) -> [AnyRef] {
    var seen: Set<AnyRef> = []
    var refs: [AnyRef] = []
    for node in order {
      for edge in edges(of: node)
      where condition(edge.link) && seen.insert(edge.ref).inserted {
        refs.append(edge.ref)
      }
    }
    return refs
  }

  // MARK: Against the relationships

  /// Returns the branches of a node: its refs, and its referrers if the plan follows them.
  ///
  /// A branch without a ref stands for referrers that are not in the graph, if there are any.
  func branches(
    of node: NodeKey
  ) -> [(name: String, ref: AnyRef?, link: Int32, target: TypeNumber)] {
    var branches: [(name: String, ref: AnyRef?, link: Int32, target: TypeNumber)] = []
    for edge in edges(of: node) { branches.append((edge.name, edge.ref, edge.link, edge.target)) }
    for edge in column(of: node).backwardEdges {
      let name = "←\(schema[edge].name)"
      for place in referrers(of: node, by: edge) {
        let ref = columns[edge.source]?.ref(at: Int(place))
        branches.append((name, ref, place, edge.source))
      }
      if !hasAllReferrers(of: node, by: edge) {
        branches.append((name, nil, Link.unloaded, edge.source))
      }
    }
    return branches
  }

  /// The records of the graph that refer to a node by a relationship, in the order of their ids:
  /// their places.
  ///
  /// - Complexity: O(1); the first time for a relationship O(*n*) in the records that have it.
  func referrers(of node: NodeKey, by edge: EdgeID) -> [Int32] {
    let known = referrers.withLock { $0[edge] } ?? makeReferrers(by: edge)
    return known[Int(node.index)]
  }

  /// Like the index of a column, it is made outside of the lock.
  private func makeReferrers(by edge: EdgeID) -> [[Int32]] {
    let (sources, targets) = (columns[edge.source], columns[schema[edge].target])
    var places: [[Int32]] = Array(repeating: [], count: targets?.count ?? 0)
    for place in 0..<(sources?.count ?? 0) {
      for ref in sources?.refs(at: place, by: edge.number) ?? [] {
        guard let targets else { continue }
        let (target, source) = (Int(targets.link(to: ref)), Int32(truncatingIfNeeded: place))
        if target >= 0, places[target].last != source { places[target].append(source) }
      }
    }
    if let sources { for target in places.indices { sources.sort(&places[target]) } }
    return referrers.withLock { referrers in
      referrers[edge] = places
      return places
    }
  }

  /// Returns whether the graph has all referrers of a node by a relationship.
  func hasAllReferrers(of node: NodeKey, by edge: EdgeID) -> Bool {
    column(of: node).referrerCount(of: edge, at: Int(node.index))
      == referrers(of: node, by: edge).count
  }

  /// The records of the graph that refer to a node by any of the relationships of an inverse.
  func referrers<Target: GraphRecord, Source: GraphRecord>(
    of node: NodeKey, _ inverse: Inverse<Target, Source>
  ) -> Nodes<Source> {
    guard let number = schema.number(of: Source.self), let edges = try? schema.edges(of: inverse)
    else { return Nodes(self, column: 0, places: [], isCut: true) }
    let lists = edges.map { referrers(of: node, by: $0.id) }
    var places = lists.count == 1 ? lists[0] : Set(lists.joined()).sorted()
    if lists.count > 1 { columns[number]?.sort(&places) }
    return Nodes(
      self, column: number.index, places: places[...],
      isCut: !edges.allSatisfy { hasAllReferrers(of: node, by: $0.id) })
  }
}

extension GraphRecord {
  /// One array of the records in several.
  fileprivate static func joined(_ copies: [any Sendable]) -> any Sendable {
    copies.count == 1 ? copies[0] : copies.flatMap { checked($0, as: [Self].self) }
  }
}
