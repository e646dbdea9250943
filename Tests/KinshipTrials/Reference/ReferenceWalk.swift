/// Builds a graph in a reference cache, generation by generation, with all effects on memory.
struct ReferenceWalk {
  /// A ref to an unknown record.
  private struct Absence {
    let key: Key
    let edge: Edge
    /// The number of records of the leg before it.
    let before: Int
  }

  /// A missing root.
  struct MissingRoot: Error, Hashable {
    let key: Key
  }

  private var graph: ReferenceGraph
  /// The keys that the walk has pinned, in order, once for each pin.
  private var pins: [Key] = []
  private var pinnedCounts: [Kind: Int] = [:]
  private var requested: Set<Key> = []
  private var missingRoot: Key?
  private var isPassing: Bool { graph.legs.allSatisfy(\.plan.isPassing) }

  // The leg at hand.
  private var leg = 0
  private var hops = -1
  private var start = 0
  private var visited: Set<Key> = []
  private var frontier: [Key] = []

  private init(_ legs: [ReferenceGraph.Leg]) { graph = ReferenceGraph(legs: legs) }

  /// Builds a graph.
  static func graph(
    _ legs: [ReferenceGraph.Leg], in cache: inout ReferenceCache
  ) throws(MissingRoot) -> ReferenceGraph {
    try graphs([legs], in: &cache)[0].get()
  }

  /// Builds graphs together: their absent records are loaded together.
  static func graphs(
    _ graphs: [[ReferenceGraph.Leg]], in cache: inout ReferenceCache
  ) -> [Result<ReferenceGraph, MissingRoot>] {
    var walks = graphs.map { ReferenceWalk($0) }
    while true {
      var needs: [Key] = []
      for number in walks.indices { needs += walks[number].goOn(&cache) }
      if needs.isEmpty { break }
      for number in walks.indices { walks[number].pinReached(&cache) }
      cache.load(needs, passing: walks.allSatisfy(\.isPassing))
    }
    for walk in walks { walk.end(&cache) }
    cache.evictOverflow()
    return walks.map { walk in
      walk.missingRoot.map { .failure(MissingRoot(key: $0)) } ?? .success(walk.graph)
    }
  }

  /// Continues until a record is lacking, and returns the absences, or none if everything is
  /// reached.
  private mutating func goOn(_ cache: inout ReferenceCache) -> [Key] {
    while leg < graph.legs.count, missingRoot == nil {
      let leg = graph.legs[leg]
      if hops < 0 {
        if cache.records[leg.root] == nil {
          if !cache.isMissing(leg.root) { return lacking([leg.root], &cache) }
          missingRoot = leg.root
          break
        }
        start = graph.generations[leg.root] ?? leg.generation
        var (reached, first): (Set<Key>, [Key]) = ([], [])
        reach(leg.root, start, leg, &reached, &first, cache)
        (visited, frontier, hops) = (reached, first, 0)
      }
      while !frontier.isEmpty {
        let before = graph
        var (reached, next): (Set<Key>, [Key]) = (visited, [])
        let absences = expand(frontier, hops, start, leg, &reached, &next, cache)
        if !absences.isEmpty {
          // The generation is walked again with the loaded records.
          pinReached(&cache)
          graph = before
          for kind in Kind.allCases {
            let count = graph.order.count { $0.kind == kind }
            pinnedCounts[kind] = min(pinnedCounts[kind, default: 0], count)
          }
          return lacking(needs(of: absences, leg.plan.budget), &cache)
        }
        (visited, frontier, hops) = (reached, next, hops + 1)
      }
      self.leg += 1
      hops = -1
    }
    return []
  }

  /// Follows the edges of a generation, and returns the absences.
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
          } else if visited.count >= leg.plan.budget {
            continue
          } else if cache.isMissing(target) {
            graph.missing.insert(target)
          } else {
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

  /// The absent keys that fit the budget, by kind and relationship, without duplicates.
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
    if isPassing { cache.keep(key) } else { cache.pin(key) }
    pins.append(key)
  }

  /// Pins the lacking records.
  private mutating func lacking(_ needs: [Key], _ cache: inout ReferenceCache) -> [Key] {
    pinReached(&cache)
    for key in needs { pin(key, &cache) }
    cache.tally.misses += needs.count
    requested.formUnion(needs)
    return needs
  }

  private func end(_ cache: inout ReferenceCache) {
    let loaded = requested.filter { cache.records[$0] != nil }
    for key in pins { if isPassing { cache.endKeeping(key) } else { cache.unpin(key) } }
    guard missingRoot == nil else { return }
    if !isPassing { for key in graph.order { cache.touch(key) } }
    cache.tally.hits += graph.order.count { !loaded.contains($0) }
  }
}

extension ReferenceCache {
  /// Whether a key is known to be missing: without a store, every record that is not in memory.
  func isMissing(_ key: Key) -> Bool {
    records[key] == nil && (store == nil || missing.contains(key))
  }
}
