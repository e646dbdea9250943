import Kinship
import KinshipTestSupport

/// Records that refer to records of two types, beside a plain world of numbers.
struct ChoiceTrial<Rules: RuleSet> {
  typealias Even = ChoiceNode<Rules, EvenSide>
  typealias Odd = ChoiceNode<Rules, OddSide>
  typealias Choice = OneOf<Even, Odd>

  let cache: GraphCache
  /// Whether the store can find referrers by a list.
  private let findsLists: Bool
  private let hasStore: Bool
  private var world = RuleWorld(many: DirectedGraph(successors: []))

  /// Begins with an empty store, or entirely in memory if there is none.
  init(store: (any BackingStore)?, capacity: Int = .max, findsLists: Bool = true) throws {
    self.findsLists = findsLists
    hasStore = store != nil
    cache = try GraphCache(schema: Self.schema, store: store, capacity: capacity)
  }

  static var schema: GraphSchema {
    get throws {
      try GenericStatics.value(of: self) { try GraphSchema(Even.self, Odd.self) }
    }
  }

  mutating func perform(_ command: ChoiceCommand) async throws {
    switch command {
    case .put(let node, let links): try await put(node, links)
    case .setOne(let node, let one): try await set(node) { $0.one = one }
    case .setMany(let node, let many): try await set(node) { $0.many = many }
    case .delete(let node): try await delete(node)
    case .walk(let node, let one, let many): try await walk(node, one, many)
    case .referrers(let node): try await verifyReferrers(of: node)
    case .resolve(let node): try await resolve(node)
    case .drop: if hasStore { await cache.trim(to: 0) }
    }
    try verifyEqual(await cache.audit(), [], "the audit")
  }

  // MARK: Writing

  private mutating func put(_ node: Int, _ links: RuleWorld.Links) async throws {
    try await cache.write { tx in
      switch Choice.numbered(node) {
      case .first: try tx.put(Even(node, links))
      case .second: try tx.put(Odd(node, links))
      }
    }
    world.nodes[node] = links
  }

  private mutating func set(
    _ node: Int, _ change: (inout RuleWorld.Links) -> Void
  ) async throws {
    guard var links = world.nodes[node] else { return }
    let old = links
    change(&links)
    let (one, many) = (
      links.one.map { Choice.numbered($0) }, links.many.map { Choice.numbered($0) }
    )
    let setsOne = links.one != old.one
    try await cache.write { tx in
      switch Choice.numbered(node) {
      case .first(let ref):
        if setsOne {
          try tx.update(ref, \.one, to: one)
        } else {
          try tx.update(ref, \.many, to: many)
        }
      case .second(let ref):
        if setsOne {
          try tx.update(ref, \.one, to: one)
        } else {
          try tx.update(ref, \.many, to: many)
        }
      }
    }
    world.nodes[node] = links
  }

  private mutating func delete(_ node: Int) async throws {
    guard world.nodes[node] != nil else { return }
    let expected = ReferenceDeletion(of: node, in: world) { $0 == .one ? Rules.one : Rules.many }
    do {
      let changes = try await cache.write { tx in
        switch Choice.numbered(node) {
        case .first(let ref): try tx.delete(ref)
        case .second(let ref): try tx.delete(ref)
        }
      }
      try verify(expected.denials.isEmpty, "\(node) was deleted, denied by \(expected.denials)")
      let deleted = changes.deleted(Even.self).map(\.id) + changes.deleted(Odd.self).map(\.id)
      try verifyEqual(deleted.sorted(), expected.deleted.sorted(), "deleted")
      let updated =
        changes.updated(Even.self).map(\.ref.id) + changes.updated(Odd.self).map(\.ref.id)
      try verifyEqual(Set(updated), Set(expected.losses.map(\.node)), "updated")
    } catch KinshipError.deletionDenied(_, let referrers) {
      let numbers = Set(referrers.compactMap { Choice($0)?.number })
      try verifyEqual(numbers, Set(expected.denials.map(\.node)), "who denies \(node)")
    }
    world = expected.world
  }

  // MARK: Reading

  private func resolve(_ node: Int) async throws {
    let choice = Choice.numbered(node)
    guard let links = world.nodes[node] else {
      do {
        _ = try await cache.resolve(choice)
        throw Mismatch("\(node) is there")
      } catch KinshipError.missing(choice.ref) { return }
    }
    let even = try await cache.resolve(choice.as(Even.self))
    let odd = try await cache.resolve(choice.as(Odd.self))
    try verifyEqual(even, node.isMultiple(of: 2) ? Even(node, links) : nil, "as an even one")
    try verifyEqual(odd, node.isMultiple(of: 2) ? nil : Odd(node, links), "as an odd one")
    let any = try await cache.resolve(choice)
    try verifyEqual(any.anyRef, choice.ref, "whatever its type")
  }

  private func walk(_ node: Int, _ one: Int, _ many: Int) async throws {
    guard world.nodes[node] != nil else { return }
    switch Choice.numbered(node) {
    case .first(let ref): try await walk(ref, one, many)
    case .second(let ref): try await walk(ref, one, many)
    }
  }

  private func walk<Side: NodeSide>(
    _ root: Ref<ChoiceNode<Rules, Side>>, _ one: Int, _ many: Int
  ) async throws {
    let plan = Plan<ChoiceNode<Rules, Side>>.generations(0)
      .following(\Even.one, generations: one).following(\Odd.one, generations: one)
      .following(\Even.many, generations: many).following(\Odd.many, generations: many)
    let graph = try await cache.graph(of: root, plan)
    let found = graph.records(of: Even.self).map(\.id) + graph.records(of: Odd.self).map(\.id)
    try verifyEqual(found.sorted(), reached(from: root.id, one, many).sorted(), "the graph")
    for node in graph.nodes(of: Even.self) { try verifyEdges(of: node, found) }
    for node in graph.nodes(of: Odd.self) { try verifyEdges(of: node, found) }
  }

  /// The nodes within the generations of a node.
  private func reached(from root: Int, _ one: Int, _ many: Int) -> Set<Int> {
    var (reached, generation): (Set<Int>, Set<Int>) = ([root], [root])
    for distance in 0..<max(one, many) {
      var next: Set<Int> = []
      for links in generation.compactMap({ world.nodes[$0] }) {
        if distance < one { next.formUnion(links[.one]) }
        if distance < many { next.formUnion(links[.many]) }
      }
      generation = next.subtracting(reached).filter { world.nodes[$0] != nil }
      reached.formUnion(generation)
    }
    return reached
  }

  private func verifyEdges<Side: NodeSide>(
    of node: Node<ChoiceNode<Rules, Side>>, _ found: [Int]
  ) throws {
    let links = node.record.links
    try verifyEqual(links, world.nodes[node.record.id], "the links of \(node.record.id)")
    let one = [node[\.one, as: Even.self]?.record.id, node[\.one, as: Odd.self]?.record.id]
    try verifyEqual(
      one.compactMap(\.self), links[.one].filter(found.contains), "where \\.one leads")
    try verifyEqual(
      node[\.many, as: Even.self].map(\.record.id),
      links.many.filter { $0.isMultiple(of: 2) && found.contains($0) }, "the even of \\.many")
    try verifyEqual(
      node[\.many, as: Odd.self].map(\.record.id),
      links.many.filter { !$0.isMultiple(of: 2) && found.contains($0) }, "the odd of \\.many")
  }

  private func verifyReferrers(of node: Int) async throws {
    switch Choice.numbered(node) {
    case .first(let ref): try await verifyReferrers(of: ref)
    case .second(let ref): try await verifyReferrers(of: ref)
    }
  }

  private func verifyReferrers<Side: NodeSide>(
    of ref: Ref<ChoiceNode<Rules, Side>>
  ) async throws {
    typealias Target = ChoiceNode<Rules, Side>
    let one =
      try await cache.find(ref.related(Inverse<Target, Even>(\.one))).map(\.id)
      + cache.find(ref.related(Inverse<Target, Odd>(\.one))).map(\.id)
    try verifyEqual(one.sorted(), referrers(of: ref.id, [.one]), "who refers by one")
    guard findsLists else { return }
    let all =
      try await cache.find(ref.related(Inverse<Target, Even>(\.one, \.many))).map(\.id)
      + cache.find(ref.related(Inverse<Target, Odd>(\.one, \.many))).map(\.id)
    try verifyEqual(all.sorted(), referrers(of: ref.id, [.one, .many]), "who refers")
  }

  private func referrers(of node: Int, _ relationships: [RuleWorld.Relationship]) -> [Int] {
    world.nodes.filter { _, links in
      relationships.contains { links[$0].contains(node) }
    }.keys.sorted()
  }

  // MARK: The whole

  /// Verifies the contents of a store, or of memory.
  func verifyAll(_ cache: GraphCache) async throws {
    for node in ChoiceCommand.nodes {
      let links = world.nodes[node]
      switch Choice.numbered(node) {
      case .first(let ref):
        try verifyEqual(try await cache.find(ref), links.map { Even(node, $0) }, "\(node)")
      case .second(let ref):
        try verifyEqual(try await cache.find(ref), links.map { Odd(node, $0) }, "\(node)")
      }
    }
  }
}

extension GraphRecord {
  fileprivate var anyRef: AnyRef { AnyRef(ref) }
}
