import KinshipTestSupport

/// The expected contents of a graph, by breadth-first search over plain dictionaries.
struct ReferenceGraph: Sendable {
  /// A root with its plan: the first is the graph's own, and the others are expansions.
  struct Leg: Sendable {
    let root: Key
    let plan: ReferencePlan
    /// The generation of the root, unless an earlier leg reaches it.
    var generation = 0
  }

  let legs: [Leg]
  /// The records, nearest first.
  var order: [Key] = []
  var generations: [Key: Int] = [:]
  var entries: [Key: Entry] = [:]
  /// The missing targets of followed refs.
  var missing: Set<Key> = []

  init(legs: [Leg]) { self.legs = legs }

  /// Searches a world of which everything is known.
  ///
  /// - Parameters:
  ///   - legs: The root and the expansions, with their plans.
  ///   - world: The records that exist.
  /// - Returns: The graph, or `nil` if a root is missing.
  static func search(_ legs: [Leg], in world: [Key: Entry]) -> ReferenceGraph? {
    var graph = ReferenceGraph(legs: legs)
    for leg in legs {
      guard world[leg.root] != nil else { return nil }
      graph.add(leg, from: world)
    }
    return graph
  }

  private mutating func add(_ leg: Leg, from world: [Key: Entry]) {
    let start = generations[leg.root] ?? leg.generation
    var distances: [Key: Int] = [leg.root: 0]
    var queue = [leg.root]
    var head = 0
    while head < queue.count {
      let node = queue[head]
      head += 1
      let distance = distances[node, default: 0]
      if entries[node] == nil {
        order.append(node)
        generations[node] = start + distance
        entries[node] = world[node]
      }
      for (edge, targets) in entries[node]?.targets(of: node.kind) ?? []
      where leg.plan.limit(of: edge) > distance {
        for target in targets where distances[target] == nil && queue.count < leg.plan.budget {
          if world[target] == nil {
            missing.insert(target)
          } else {
            distances[target] = distance + 1
            queue.append(target)
          }
        }
      }
      for edge in Edge.allCases
      where edge.target == node.kind && leg.plan.inverses[edge, default: 0] > distance {
        for source in Self.referrers(to: node, by: edge, in: world)
        where distances[source] == nil && queue.count < leg.plan.budget {
          distances[source] = distance + 1
          queue.append(source)
        }
      }
    }
  }

  /// The referrers of a record, in the order of their numbers.
  static func referrers(to key: Key, by edge: Edge, in world: [Key: Entry]) -> [Key] {
    world.filter { source, entry in
      entry.targets(of: source.kind).contains { $0.edge == edge && $0.keys.contains(key) }
    }.keys.sorted()
  }

  /// The refs of the records that fulfil a condition, in the order of discovery, without
  /// duplicates.
  private func refs(where condition: (Key) -> Bool) -> [Key] {
    var seen: Set<Key> = []
    return order.flatMap { node in
      (entries[node]?.targets(of: node.kind) ?? []).flatMap(\.keys)
    }.filter { condition($0) && seen.insert($0).inserted }
  }

  /// The refs of the records to others that the plan did not load.
  var horizon: [Key] { refs { entries[$0] == nil && !missing.contains($0) } }

  /// The refs of the records to missing ones, in the order of discovery.
  var missingRefs: [Key] { refs { missing.contains($0) } }

  /// The generation in which an expansion from a key starts; `nil` if the key is unrelated.
  func generationOfExpansion(from key: Key) -> Int? {
    if let generation = generations[key] { return generation }
    for node in order {
      let targets = entries[node]?.targets(of: node.kind) ?? []
      if targets.contains(where: { $0.keys.contains(key) }) {
        return generations[node].map { $0 + 1 }
      }
    }
    return nil
  }
}
