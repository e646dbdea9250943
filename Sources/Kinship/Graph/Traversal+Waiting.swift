extension Traversal {
  mutating func resume(_ map: borrowing IdentityMap, _ marks: inout TraversalMarks) {
    marks.grow(to: map.pages.slotCount)
    if map.version != version || (map.drops != drops && !isPinning) {
      restart(map)
      // What is dropped while the walk gives others a turn would undo it again and again.
      isPinning = true
    } else if marks.owner != id {
      for column in columns {
        for (index, slot) in column.slots.enumerated() {
          marks.places[slot.index] = Int32(truncatingIfNeeded: index)
        }
      }
    }
    marks.owner = id
    drops = map.drops
  }

  mutating func restart(_ map: borrowing IdentityMap) {
    version = map.version
    columns = widths.map { _ in Column() }
    order = []
    leg = 0
    visited = 0
    generation = 0
    frontier = []
    next = []
    cursor = 0
    absences = []
    missing = []
    isPartial = false
  }

  /// Lets others have the map for a moment.
  mutating func yield(_ map: inout IdentityMap) -> Step {
    if isPinning { pinReached(&map) }
    return .again
  }

  /// Pins what has been reached and what is needed, and takes the generation back.
  mutating func wait(_ map: inout IdentityMap, for needs: [Need], count: Int) -> Step {
    isPinning = true
    pinReached(&map)
    if !frontier.isEmpty { rollBack() }
    for need in needs { map.operations[need.type].pinIDs(&map, need.ids) }
    pins += needs
    requests += needs
    map.tally.misses &+= count
    return .needs(needs)
  }

  mutating func pinReached(_ map: inout IdentityMap) {
    for type in columns.indices where columns[type].pinned < columns[type].slots.count {
      let slots = Array(columns[type].slots[columns[type].pinned...])
      pins.append(Need(type: type, ids: map.operations[type].pin(&map, slots[...])))
      columns[type].pinned = columns[type].slots.count
    }
  }

  /// Asks for the absent records of the generation: once each, a list a type.
  mutating func waitForAbsent(_ map: inout IdentityMap) -> Step {
    var pieces: [Int: [any Sendable]] = [:]
    for (target, ids) in idLists(of: affordableAbsences(map), map) {
      pieces[target, default: []].append(ids)
    }
    var needs: [Need] = []
    var total = 0
    for (target, lists) in pieces.sorted(by: { $0.key < $1.key }) {
      let (ids, count) = map.operations[target].distinct(lists)
      needs.append(Need(type: target, ids: ids))
      total += count
    }
    return wait(&map, for: needs, count: total)
  }

  /// The absences whose records the budget has room for, should they all exist.
  func affordableAbsences(_ map: borrowing IdentityMap) -> ContiguousArray<Absence> {
    if budget == .max { return absences }
    var distinct: [Int: Set<AnyHashable>] = [:]
    var count = 0
    var affordable: ContiguousArray<Absence> = []
    for absence in absences {
      if absence.visitedBefore + count >= budget { break }
      let origin = absence.origin
      let edge = schema.relationships[origin.source][origin.edge]
      guard let id = (edge.collect([origin.position], map) as? [AnyHashable])?.first else {
        continue
      }
      if distinct[edge.target, default: []].insert(id).inserted { count += 1 }
      affordable.append(absence)
    }
    return affordable
  }

  /// The ids at positions, a list for each relationship, with the number of its target type.
  func idLists(
    of absences: ContiguousArray<Absence>, _ map: borrowing IdentityMap
  ) -> [(target: Int, ids: any Sendable)] {
    var positions: [NodeKey: [RefPosition]] = [:]
    for absence in absences {
      let relationship = NodeKey(type: absence.origin.source, index: absence.origin.edge)
      positions[relationship, default: []].append(absence.origin.position)
    }
    var lists: [(target: Int, ids: any Sendable)] = []
    for (source, edges) in schema.relationships.enumerated() {
      for (number, edge) in edges.enumerated() {
        guard let found = positions[NodeKey(type: source, index: number)] else { continue }
        lists.append((edge.target, edge.collect(found[...], map)))
      }
    }
    return lists
  }
}
