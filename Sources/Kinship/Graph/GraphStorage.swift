/// What all values of one graph share: its columns, and how it came about.
@usableFromInline
final class GraphStorage: Sendable {
  let schema: GraphSchema
  let legs: [Traversal.Leg]
  /// Whether what could not be loaded was left out.
  let bearsFailures: Bool
  /// What could not be loaded, and why.
  let failures: [AnyRef: KinshipError]
  /// All nodes in the order of discovery: by generation.
  let order: ContiguousArray<NodeKey>
  /// By the number of the type.
  @usableFromInline let columns: ContiguousArray<any ErasedGraphColumn>

  init(_ traversal: Traversal, schema: GraphSchema) {
    self.schema = schema
    legs = traversal.legs
    bearsFailures = traversal.bearsFailures
    failures = traversal.failures
    order = traversal.found.order
    var columns: ContiguousArray<any ErasedGraphColumn> = []
    for (number, column) in traversal.found.columns.enumerated() {
      columns.append(
        Self.makeColumn(column, of: schema.types[number], schema.relationships[number]))
    }
    self.columns = columns
  }

  private static func makeColumn<R: GraphRecord>(
    _ column: Traversal.Column, of type: R.Type, _ edges: [GraphSchema.Edge]
  ) -> any ErasedGraphColumn {
    GraphColumn(column, of: type, edges)
  }

  /// The column with a number, which must be that of the type.
  @inlinable @inline(__always)
  func column<R: GraphRecord>(_ number: TypeNumber, of type: R.Type) -> GraphColumn<R> {
    // The number was looked up for this type in this schema; debug builds check it.
    unsafeDowncast(columns[number], to: GraphColumn<R>.self)
  }

  /// Finds a record by its identity.
  @usableFromInline
  func lookup<R: GraphRecord>(_ ref: Ref<R>) -> Lookup<R> {
    guard let number = schema.number(of: R.self) else { return .unloaded(ref) }
    let link = column(number, of: R.self).link(to: ref.id)
    if link >= 0 { return .loaded(Node(self, column: number.index, place: Int(link))) }
    return link == Link.missing ? .missing(ref) : .unloaded(ref)
  }

  /// Finds a record whose type is known at run time only.
  func key(of ref: AnyRef) -> NodeKey? {
    guard let number = schema.number(of: ref.type) else { return nil }
    let link = columns[number].link(to: ref)
    return link >= 0 ? NodeKey(type: number.index, index: Int(link)) : nil
  }

  func ref(of node: NodeKey) -> AnyRef { columns[Int(node.type)].ref(at: Int(node.index)) }

  func generation(of node: NodeKey) -> Int {
    columns[Int(node.type)].generation(at: Int(node.index))
  }

  /// Every ref of a node, with the name of its relationship and where it leads in this graph.
  func edges(of node: NodeKey) -> [(name: String, ref: AnyRef, link: Int32, target: TypeNumber)] {
    let relationships = schema.relationships[Int(node.type)]
    return columns[Int(node.type)].refs(at: Int(node.index)).flatMap { number, refs in
      let edge = relationships[number]
      return refs.map { ref in
        (edge.name, ref, columns[edge.target].link(to: ref), edge.target)
      }
    }
  }
}
