import Kinship
import KinshipTestSupport

extension Graph {
  /// Verifies that a graph of the reference world has its expected contents, in every property.
  func verifyHolds<ID: TestID>(_ expected: ReferenceGraph, ids: ID.Type) throws {
    try verifyEqual(refs, expected.order.map { $0.ref(ID.self) }, "the order of the graph")
    try verifyEqual(count, expected.order.count, "the count of the graph")
    try verifyEqual(AnyRef(root.ref), expected.order[0].ref(ID.self), "the root")
    try verifyEqual(
      root.generation, expected.generations[expected.order[0]] ?? -1, "its generation")
    let deepest = expected.generations.values.max() ?? 0
    try verifyEqual(generationCount, deepest + 1, "the number of generations")
    try verifyEqual(horizon, expected.horizon.map { $0.ref(ID.self) }, "the horizon")
    try verifyEqual(missing, expected.missingRefs.map { $0.ref(ID.self) }, "what is missing")
    for generation in 0...deepest {
      let refs = expected.order.filter { expected.generations[$0] == generation }
      try verifyEqual(
        self.refs(generation: generation), refs.map { $0.ref(ID.self) }, "generation \(generation)")
    }
    try verifyRecords(of: Author<ID>.self, expected)
    try verifyRecords(of: Work<ID>.self, expected)
    for node in nodes(of: Author<ID>.self) { try verifyEdges(of: node) }
    for node in nodes(of: Work<ID>.self) { try verifyEdges(of: node) }
  }

  private func verifyRecords<R: LibraryRecord>(
    of type: R.Type, _ expected: ReferenceGraph
  ) throws {
    let keys = expected.order.filter { $0.kind == R.kind }
    let expectedRecords = keys.compactMap { key in
      expected.entries[key].map { R(key.number, $0) }
    }
    try verifyEqual(records(of: type), expectedRecords, "the records of \(type)")
    try verifyEqual(nodes(of: type).map(\.record), expectedRecords, "the nodes of \(type)")
    for (place, node) in nodes(of: type).enumerated() {
      let generation = expected.generations[keys[place]]
      try verifyEqual(node.generation, generation ?? -1, "the generation of \(node)")
    }
    for key in Key.all where key.kind == R.kind {
      let ref = R.ref(key.number)
      let entry = expected.entries[key]
      switch self[ref] {
      case .loaded(let node):
        try verifyEqual(node.record, entry.map { R(key.number, $0) }, "\(key)")
      case .unloaded(let other):
        try verify(
          other == ref && entry == nil && !expected.missing.contains(key), "\(key): unloaded")
      case .missing(let other):
        try verify(other == ref && expected.missing.contains(key), "\(key): missing")
      }
      try verifyEqual(self[ref].node != nil, entry != nil, "whether \(key) is in the graph")
      try verifyEqual(
        self[ref].node?.generation, expected.generations[key], "the generation of \(key)")
    }
  }

  // MARK: Edges: what walking says must be what looking up says.

  private func verifyEdges<ID>(of node: Node<Author<ID>>) throws {
    try verifyEqual(
      node.mentor?.ref, node.record.mentor.flatMap { self[$0].node?.ref }, "the mentor of \(node)")
    try verifyEqual(node.lookup(\.mentor)?.node?.ref, node.mentor?.ref, "its lookup")
    try verifyNodes(node.works, node.record.works, "the works of \(node)")
    try verifyEqual(
      node.lookup(\.works).compactMap { $0.node?.ref }, node.works.map(\.ref), "their lookup")
    try verifyEqual(node.value, node.record.value, "the value of \(node)")
  }

  private func verifyEdges<ID>(of node: Node<Work<ID>>) throws {
    try verifyEqual(
      node.author?.ref, self[node.record.author].node?.ref, "the author of \(node)")
    try verifyEqual(node.lookup(\.author).node?.ref, node.author?.ref, "its lookup")
    try verifyNodes(node.sequels, node.record.sequels, "the sequels of \(node)")
  }

  private func verifyNodes<R: LibraryRecord>(
    _ nodes: Nodes<R>, _ refs: [Ref<R>], _ subject: String
  ) throws {
    var loaded: [R] = []
    var unloaded: [Ref<R>] = []
    var missing: [Ref<R>] = []
    for ref in refs {
      switch self[ref] {
      case .loaded(let node): loaded.append(node.record)
      case .unloaded(let ref): unloaded.append(ref)
      case .missing(let ref): missing.append(ref)
      }
    }
    try verifyEqual(nodes.map(\.record), loaded, subject)
    try verifyEqual(nodes.unloaded, unloaded, "\(subject), unloaded")
    try verifyEqual(nodes.missing, missing, "\(subject), missing")
    try verifyEqual(nodes.isComplete, unloaded.isEmpty, "\(subject), complete")
  }
}
