import Kinship
import KinshipTestSupport

/// One request for a graph of a small world.
struct SmallGraphTrial: Sendable, CustomStringConvertible {
  typealias Node = TestNode<Int>

  let world: DirectedGraph
  let generations: Int
  let budget: Int
  /// The records in memory beforehand, as bits.
  let cachedBits: Int

  var description: String {
    "\(world): \(generations) generations, at most \(budget), in memory \(cached.sorted())"
  }

  private var cached: Set<Int> { Set(0..<world.nodeCount).filter { cachedBits >> $0 & 1 == 1 } }

  private var plan: Plan<Node> {
    let plan = Plan<Node>.generations(generations)
    return budget == .max ? plan : plan.limited(to: budget)
  }

  /// Requests the graph of record 0 and verifies it.
  ///
  /// By symmetry this covers every root.
  ///
  /// Then it requests the graphs of all records together.
  func run(_ schedule: Schedule) async throws {
    do {
      let store = ScriptedStore(over: MemoryStore(world.records()))
      let cache = try GraphCache(for: Node.self, store: store, executor: schedule.executor)
      try await cache.put(contentsOf: world.records().filter { cached.contains($0.id) })
      let graph = try await cache.graph(of: 0, plan)
      try verify(graph, storeCalls: store.calls)
      let again = try await cache.graph(of: 0, plan)
      try verify(again, storeCalls: store.calls)
      try verifyEqual(await cache.audit(), [], "the audit")
      try await runTogether(schedule)
      try await runAhead(schedule)
    } catch {
      throw Mismatch("\(self): \(error)")
    }
  }

  /// Requests the graphs of all records, of one twice, and of a missing one.
  private func runTogether(_ schedule: Schedule) async throws {
    let store = ScriptedStore(over: MemoryStore(world.records()))
    let cache = try GraphCache(
      for: Node.self, store: store, capacity: max(1, cached.count), executor: schedule.executor)
    try await cache.put(contentsOf: world.records().filter { cached.contains($0.id) })
    let roots = Array(0..<world.nodeCount) + [0, world.nodeCount + 1]
    let graphs = try await cache.find((roots.map { Ref($0) }).graphs(plan))
    try verifyEqual(graphs.count, roots.count, "how many graphs there are")
    var needed: Set<Int> = []
    var storeCalls = 1
    for (root, graph) in zip(roots, graphs) {
      try verifyEqual(graph != nil, root < world.nodeCount, "whether there is a graph of \(root)")
      guard let graph else { continue }
      let search = search(from: root)
      try verify(graph, search)
      needed.formUnion(search.order.filter { !cached.contains($0) })
      storeCalls = max(storeCalls, search.storeCalls(cached: cached))
    }
    // G2: one call for each generation in which any of them must load something, with each record
    // once.
    let asked = store.calls.flatMap(\.refs).compactMap { $0.as(Node.self)?.id }
    try verifyEqual(asked.count, Set(asked).count, "what was asked for, each once")
    if world.danglingTargets.isEmpty {
      try verifyEqual(Set(asked), needed.union([world.nodeCount + 1]), "what was asked for")
      try KinshipTestSupport.verify(
        store.calls.count <= storeCalls, "\(store.calls.count) store calls, not \(storeCalls)")
    }
    try verifyEqual(await cache.audit(), [], "the audit")
    try verifyEqual(cache.statistics.traversals, 0, "the traversals that are left")
  }

  /// Requests the graph of record 0 from a store that fetches the records along it in the same
  /// call, all of them or not.
  private func runAhead(_ schedule: Schedule) async throws {
    for omitted in 0...1 {
      let store = ScriptedStore(
        over: MemoryStore(world.records()), script: .always(StoreBehavior(isShuffled: true)),
        followsPlans: true, seed: UInt64(omitted))
      let cache = try GraphCache(
        for: Node.self, store: store, capacity: omitted == 0 ? .max : 2,
        executor: schedule.executor)
      try await cache.put(contentsOf: world.records().filter { cached.contains($0.id) })
      let search = search(from: 0)
      try verify(try await cache.graph(of: 0, plan), search)
      if omitted == 0, world.danglingTargets.isEmpty {
        let most = cached.isEmpty ? 1 : search.storeCalls(cached: cached)
        try KinshipTestSupport.verify(
          store.calls.count <= most, "\(store.calls.count) store calls ahead, not \(most)")
      }
      try verifyEqual(await cache.audit(), [], "the audit")
      try verifyEqual(cache.statistics.traversals, 0, "the traversals that are left")
    }
  }

  private func search(from root: Int) -> BoundedSearch {
    BoundedSearch(world, from: root, generations: generations, budget: budget)
  }

  private func verify(_ graph: Graph<Node>, storeCalls: [StoreCall]) throws {
    let search = search(from: 0)
    try verify(graph, search)
    // G2: one call for each generation that must load something.
    if world.danglingTargets.isEmpty {
      let expected = search.storeCalls(cached: cached)
      try verifyEqual(storeCalls.count, expected, "the number of store calls")
    } else if budget == .max {
      try KinshipTestSupport.verify(
        storeCalls.count <= generations + 1, "\(storeCalls.count) store calls")
    }
  }

  private func verify(_ graph: Graph<Node>, _ search: BoundedSearch) throws {
    // G1 and G3: the nearest records, each once, in order.
    try verifyEqual(graph.records(of: Node.self).map(\.id), search.order, "the records")
    for node in graph.nodes(of: Node.self) {
      try verifyEqual(node.generation, search.generations[node.id] ?? -1, "generation of \(node)")
    }
    try verifyTruth(graph, search)
  }

  /// G4: loaded, unloaded and missing are distinguished, for every ref and along every edge.
  private func verifyTruth(_ graph: Graph<Node>, _ search: BoundedSearch) throws {
    for id in 0..<world.nodeCount + 2 {
      let isLoaded = search.generations[id] != nil
      let isMissing = search.missing.contains(id)
      switch graph[Ref<Node>(id)] {
      case .loaded: try KinshipTestSupport.verify(isLoaded, "\(id) is loaded")
      case .missing: try KinshipTestSupport.verify(id >= world.nodeCount, "\(id) is missing")
      case .unloaded:
        try KinshipTestSupport.verify(!isLoaded && !isMissing, "\(id) is unloaded")
      }
    }
    for node in graph.nodes(of: Node.self) {
      let links = node.record.links.map(\.id)
      try verifyEqual(
        node.links.map(\.id), links.filter { search.generations[$0] != nil }, "links of \(node)")
      let open = links.filter { id in graph[Ref<Node>(id)].isUnloaded }
      try verifyEqual(node.links.unloaded.map(\.id), open, "what \(node) has unloaded")
      try verifyEqual(node.links.isComplete, open.isEmpty, "whether \(node) is complete")
    }
    let referred = Set(search.order.flatMap { world.successors[$0] })
    let horizon = Set(graph.horizon.compactMap { $0.as(Node.self)?.id })
    let known = Set(graph.missing.compactMap { $0.as(Node.self)?.id })
    try verifyEqual(
      horizon.union(known).union(search.order), referred.union(search.order), "what is referred to")
    try verifyEqual(graph.horizon.count, horizon.count, "the horizon, each once")
    try KinshipTestSupport.verify(horizon.isDisjoint(with: search.order), "the horizon is loaded")
    try KinshipTestSupport.verify(known.isSuperset(of: search.missing), "what is missing")
  }
}

extension Lookup {
  /// Whether the graph did not load the record.
  var isUnloaded: Bool { if case .unloaded = self { true } else { false } }
}
