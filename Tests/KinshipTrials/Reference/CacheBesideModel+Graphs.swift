import Kinship
import KinshipTestSupport

extension CacheBesideModel {
  mutating func graph<R: LibraryRecord>(
    of key: Key, _ ref: Ref<R>, _ plan: ReferencePlan
  ) async throws {
    let cache = cache
    let actual = await outcome {
      try HeldGraph<ID>(await cache.graph(of: ref, plan.plan(of: R.self)))
    }
    try compare(actual, [ReferenceGraph.Leg(root: key, plan: plan)])
  }

  mutating func graphWithin<R: LibraryRecord>(
    of key: Key, _ ref: Ref<R>, _ plan: ReferencePlan, _ limit: Int?
  ) async throws {
    let cache = cache
    let actual = await outcome { () -> HeldGraph<ID> in
      guard let limit else { return try HeldGraph(await cache.refresh(ref, plan.plan(of: R.self))) }
      let age = Duration.milliseconds(limit * 100)
      return try HeldGraph(await cache.find(ref.graph(plan.plan(of: R.self)), .within(age)))
    }
    let leg = ReferenceGraph.Leg(root: key, plan: plan)
    try compare(actual, [leg]) { legs, model throws(Missing) in
      guard let limit else { return try model.refreshGraph(legs) }
      return try model.graph(legs, since: model.now - limit)
    }
  }

  mutating func graphs<R: LibraryRecord>(
    of keys: [Key], _ refs: [Ref<R>], _ plan: ReferencePlan, within limit: Int?
  ) async throws {
    let whole = plan.plan(of: R.self)
    let graphs: [Graph<R>?]
    if let limit {
      graphs = try await cache.find(refs.graphs(whole), .within(.milliseconds(limit * 100)))
    } else {
      graphs = try await cache.find(refs.graphs(whole))
    }
    try verifyEqual(graphs.count, refs.count, "how many graphs there are")
    var distinct: [Key] = []
    for key in keys where !distinct.contains(key) { distinct.append(key) }
    let legs = distinct.map { [ReferenceGraph.Leg(root: $0, plan: plan)] }
    let expected =
      limit.map { model.graphs(legs, since: model.now - $0) }
      ?? ReferenceWalk.graphs(legs, in: &model)
    for (key, graph) in zip(keys, graphs) {
      switch (graph, distinct.firstIndex(of: key).map { expected[$0] }) {
      case (let graph?, .success(let expected)): try verify(HeldGraph<ID>(graph), expected)
      case (nil, .failure): continue
      default: throw Mismatch("the graph of \(key) is \(graph, default: "missing")")
      }
    }
  }

  mutating func expand<R: LibraryRecord>(
    _ index: Int, from key: Key, _ ref: Ref<R>, _ plan: ReferencePlan, within limit: Int?
  ) async throws {
    guard graphs.indices.contains(index) else { return }
    let (held, old) = graphs[index]
    let cache = cache
    let actual = await outcome {
      try await held.expanded(in: cache, from: ref, plan.plan(of: R.self), within: limit)
    }
    if let generation = old.generationOfExpansion(from: key) {
      let leg = ReferenceGraph.Leg(root: key, plan: plan, generation: generation)
      try compare(actual, old.legs + [leg]) { legs, model throws(Missing) in
        guard let limit else { return try ReferenceWalk.graph(legs, in: &model) }
        return try model.graph(legs, since: model.now - limit)
      }
    } else if case .failure(let words) = actual {
      try verifyEqual(words, "unrelated(\(ref))", "the error of an expansion")
    } else {
      throw Mismatch("a graph was expanded from \(key), which is unrelated")
    }
  }

  private typealias Missing = ReferenceWalk.MissingRoot

  private mutating func compare(
    _ actual: Outcome<HeldGraph<ID>>, _ legs: [ReferenceGraph.Leg],
    _ walk: ([ReferenceGraph.Leg], inout ReferenceCache) throws(Missing) -> ReferenceGraph = {
      legs, model throws(Missing) in try ReferenceWalk.graph(legs, in: &model)
    }
  ) throws {
    do {
      let expected = try walk(legs, &model)
      guard case .success(let graph) = actual else {
        throw Mismatch("the graph failed: \(actual)")
      }
      try verify(graph, expected)
    } catch let error as ReferenceWalk.MissingRoot {
      guard case .failure("missing(\(error.key.ref(ID.self)))") = actual else {
        throw Mismatch("the graph is \(actual), expected \(error)")
      }
    }
  }

  private mutating func verify(_ graph: HeldGraph<ID>, _ expected: ReferenceGraph) throws {
    try graph.verify(expected)
    try verifyBySearch(expected)
    hold(graph, expected)
  }

  /// Verifies the model's own graph by a search in the world that the cache was loaded from.
  private func verifyBySearch(_ graph: ReferenceGraph) throws {
    // A removed record may still be in the store, and an outdated one in memory.
    var world = model.store ?? [:]
    for key in model.missing { world[key] = nil }
    world.merge(model.records) { _, cached in cached }
    world.merge(graph.entries) { _, cached in cached }
    guard let searched = ReferenceGraph.search(graph.legs, in: world) else {
      throw Mismatch("a search does not find the roots")
    }
    try verifyEqual(graph.order, searched.order, "the order by search")
    try verifyEqual(graph.generations, searched.generations, "the generations by search")
    try verifyEqual(searched.missing.isSubset(of: graph.missing), true, "what is missing by search")
  }

  private mutating func hold(_ graph: HeldGraph<ID>, _ expected: ReferenceGraph) {
    graphs.append((graph, expected))
    if graphs.count > 3 { graphs.removeFirst() }
  }

  // MARK: Leases and listeners

  mutating func lease<R: LibraryRecord>(_ refs: [Ref<R>], _ keys: [Key]) {
    leases.append((cache.lease(refs), keys))
    for key in keys { model.pin(key) }
  }

  mutating func leaseGraph(_ index: Int) {
    guard graphs.indices.contains(index) else { return }
    let (graph, expected) = graphs[index]
    let keys = Kind.allCases.flatMap { kind in expected.order.filter { $0.kind == kind } }
    leases.append((graph.lease(in: cache), keys))
    for key in keys { model.pin(key) }
  }

  mutating func endLease(_ index: Int) {
    guard leases.indices.contains(index) else { return }
    let (lease, keys) = leases.remove(at: index)
    // Every other lease ends because its reference is released.
    if index.isMultiple(of: 2) {
      lease.end()
      lease.end()
    }
    for key in keys { model.unpin(key) }
    model.evictOverflow()
  }

  mutating func listen(_ isOn: Bool) {
    let log = log
    subscription = nil
    if isOn { subscription = cache.onRemoval { log.hear($0) } }
    model.isListening = isOn
  }
}
