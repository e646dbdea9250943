/// Builds a graph in a reference cache, generation by generation, with all that this does to what
/// is in memory.
struct ReferenceWalk {
  /// A ref that leads to something of which nothing is known.
  private struct Absence {
    let key: Key
    let edge: Edge
    /// How many records the leg had before it.
    let before: Int
  }

  /// A root that does not exist.
  struct MissingRoot: Error, Hashable {
    let key: Key
  }

  private var graph: ReferenceGraph
  /// What the walk has pinned, in order, as often as it has.
  private var pins: [Key] = []
  private var pinnedCounts: [Kind: Int] = [:]
  private var loaded: Set<Key> = []

  private init(_ legs: [ReferenceGraph.Leg]) { graph = ReferenceGraph(legs: legs) }

  /// Builds a graph.
  static func graph(
    _ legs: [ReferenceGraph.Leg], in cache: inout ReferenceCache
  ) throws(MissingRoot) -> ReferenceGraph {
    var walk = ReferenceWalk(legs)
    do {
      for leg in legs { try walk.follow(leg, &cache) }
      walk.end(&cache, isComplete: true)
      return walk.graph
    } catch {
      walk.end(&cache, isComplete: false)
      throw error
    }
  }

  private mutating func follow(
    _ leg: ReferenceGraph.Leg, _ cache: inout ReferenceCache
  ) throws(MissingRoot) {
    if cache.records[leg.root] == nil, !cache.isMissing(leg.root) { wait(for: [leg.root], &cache) }
    guard cache.records[leg.root] != nil else { throw MissingRoot(key: leg.root) }
    let start = graph.generations[leg.root] ?? leg.generation
    var visited: Set<Key> = []
    var frontier: [Key] = []
    reach(leg.root, start, leg, &visited, &frontier, cache)
    var hops = 0
    while !frontier.isEmpty {
      let before = (graph, visited)
      var next: [Key] = []
      let absences = expand(frontier, hops, start, leg, &visited, &next, cache)
      if absences.isEmpty {
        frontier = next
        hops += 1
      } else {
        // Load what is absent and walk the generation again.
        pinReached(&cache)
        (graph, visited) = before
        for kind in Kind.allCases {
          let count = graph.order.count { $0.kind == kind }
          pinnedCounts[kind] = min(pinnedCounts[kind, default: 0], count)
        }
        wait(for: needs(of: absences, leg.plan.budget), &cache)
      }
    }
  }

  /// Follows the edges of a generation; returns what is absent.
  private mutating func expand(
    _ frontier: [Key], _ hops: Int, _ start: Int, _ leg: ReferenceGraph.Leg,
    _ visited: inout Set<Key>, _ next: inout [Key], _ cache: ReferenceCache
  ) -> [Absence] {
    var absences: [Absence] = []
    for node in frontier {
      for (edge, targets) in graph.entries[node]?.targets(of: node.kind) ?? []
      where leg.plan.limit(of: edge) > hops {
        for target in targets {
          if cache.records[target] != nil {
            reach(target, start + hops + 1, leg, &visited, &next, cache)
          } else if cache.isMissing(target) {
            graph.missing.insert(target)
          } else if visited.count < leg.plan.budget {
            absences.append(Absence(key: target, edge: edge, before: visited.count))
          }
        }
      }
    }
    return absences
  }

  private mutating func reach(
    _ key: Key, _ generation: Int, _ leg: ReferenceGraph.Leg, _ visited: inout Set<Key>,
    _ next: inout [Key], _ cache: ReferenceCache
  ) {
    guard !visited.contains(key), visited.count < leg.plan.budget else { return }
    visited.insert(key)
    next.append(key)
    guard graph.entries[key] == nil else { return }
    graph.order.append(key)
    graph.generations[key] = generation
    graph.entries[key] = cache.records[key]
  }

  /// What the budget has room for, by kind and relationship, each once.
  private func needs(of absences: [Absence], _ budget: Int) -> [Key] {
    var affordable: [Absence] = []
    var distinct: Set<Key> = []
    for absence in absences {
      if budget - absence.before <= distinct.count { break }
      distinct.insert(absence.key)
      affordable.append(absence)
    }
    var needs: [Key] = []
    for kind in Kind.allCases {
      for edge in Edge.allCases where edge.target == kind {
        for absence in affordable where absence.edge == edge && !needs.contains(absence.key) {
          needs.append(absence.key)
        }
      }
    }
    return needs
  }

  private mutating func pinReached(_ cache: inout ReferenceCache) {
    for kind in Kind.allCases {
      let reached = graph.order.filter { $0.kind == kind }
      for key in reached.dropFirst(pinnedCounts[kind, default: 0]) { pin(key, &cache) }
      pinnedCounts[kind] = reached.count
    }
  }

  private mutating func pin(_ key: Key, _ cache: inout ReferenceCache) {
    cache.pin(key)
    pins.append(key)
  }

  private mutating func wait(for needs: [Key], _ cache: inout ReferenceCache) {
    pinReached(&cache)
    for key in needs { pin(key, &cache) }
    cache.tally.misses += needs.count
    cache.load(needs)
    loaded.formUnion(needs.filter { cache.records[$0] != nil })
  }

  private func end(_ cache: inout ReferenceCache, isComplete: Bool) {
    for key in pins { cache.unpin(key) }
    if isComplete {
      for key in graph.order { cache.touch(key) }
      cache.tally.hits += graph.order.count { !loaded.contains($0) }
    }
    cache.evictOverflow()
  }
}

extension ReferenceCache {
  /// Whether a key is known not to exist: without a store, whatever is not in memory.
  func isMissing(_ key: Key) -> Bool {
    records[key] == nil && (store == nil || missing.contains(key))
  }
}
