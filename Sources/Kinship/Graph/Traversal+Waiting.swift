extension Traversal {
  mutating func resume(_ map: borrowing IdentityMap, _ marks: inout TraversalMarks) {
    marks.grow(to: map.pages.slotCount)
    if map.version != version || (map.drops != drops && !isClaiming) {
      restart(map)
      // What is dropped while the walk gives others a turn would undo it again and again.
      isClaiming = true
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
    for column in columns where !column.copies.isEmpty { discarded.append(column.copies) }
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
    if isClaiming { claimReached(&map) }
    return .again
  }

  /// Claims what has been reached and what is needed, and takes the generation back.
  ///
  /// - Parameters:
  ///   - map: The map that is walked.
  ///   - lists: By the number of a type: arrays of the ids that are needed.
  /// - Returns: The step that says so.
  mutating func wait(_ map: inout IdentityMap, for lists: [Int: [any Sendable]]) -> Step {
    isClaiming = true
    claimReached(&map)
    if !frontier.isEmpty { rollBack() }
    stalls = order.count > farthest ? 0 : stalls + 1
    farthest = max(farthest, order.count)
    var needs: [Claims] = []
    for (type, ids) in lists.sorted(by: { $0.key < $1.key }) {
      let places = map.operations[type].claims.claimDistinct(&map, ids)
      needs.append(Claims(type: type, places: places))
      map.tally.misses &+= places.count
    }
    claims += needs
    requests += needs
    return .needs(needs)
  }

  /// Whether what it waits for is written faster than it is fetched.
  var isStalled: Bool { stalls > 8 }

  mutating func claimReached(_ map: inout IdentityMap) {
    for type in columns.indices where columns[type].claimed < columns[type].slots.count {
      let slots = Array(columns[type].slots[columns[type].claimed...])
      let places = map.operations[type].claims.claimSlots(&map, slots[...])
      claims.append(Claims(type: type, places: places))
      columns[type].claimed = columns[type].slots.count
    }
  }

  /// Asks for the absent records of the generation: once each, a list a type; nothing if there are none but
  /// such as cannot be loaded.
  mutating func waitForAbsent(_ map: inout IdentityMap) -> Step? {
    if !absences.isEmpty, !failures.isEmpty { dropFailed(map) }
    if absences.isEmpty { return nil }
    var lists: [Int: [any Sendable]] = [:]
    for (target, ids) in idLists(of: affordableAbsences(map), map) {
      lists[target, default: []].append(ids)
    }
    return wait(&map, for: lists)
  }

  /// The absences whose records the budget has room for, should they all exist.
  func affordableAbsences(_ map: borrowing IdentityMap) -> ContiguousArray<Absence> {
    if budget == .max { return absences }
    var distinct: [Int: Set<AnyHashable>] = [:]
    var count = 0
    var affordable: ContiguousArray<Absence> = []
    for absence in absences {
      if absence.visitedBefore + count >= budget { break }
      guard let id = id(of: absence, map) else { continue }
      if distinct[edge(of: absence).target, default: []].insert(id).inserted { count += 1 }
      affordable.append(absence)
    }
    return affordable
  }

  /// Passes over what cannot be loaded: it stays unloaded.
  private mutating func dropFailed(_ map: borrowing IdentityMap) {
    var failed: [Int: Set<AnyHashable>] = [:]
    for ref in failures.keys {
      guard let type = schema.number(of: ref.type) else { continue }
      failed[type, default: []].insert(AnyHashable(ref.id))
    }
    var lacking: ContiguousArray<Absence> = []
    for absence in absences {
      if let id = id(of: absence, map), failed[edge(of: absence).target]?.contains(id) == true {
        continue
      }
      lacking.append(absence)
    }
    absences = lacking
  }

  private func edge(of absence: Absence) -> GraphSchema.Edge {
    schema.relationships[absence.origin.source][absence.origin.edge]
  }

  /// The id that a ref which was followed names.
  private func id(of absence: Absence, _ map: borrowing IdentityMap) -> AnyHashable? {
    (edge(of: absence).collect([absence.origin.position], map) as? [AnyHashable])?.first
  }

  /// The ids at positions, a list for each relationship, with the number of its target type.
  func idLists(
    of absences: ContiguousArray<Absence>, _ map: borrowing IdentityMap
  ) -> [(target: Int, ids: any Sendable)] {
    if absences.isEmpty { return [] }
    var positions = widths.map { Array(repeating: [RefPosition](), count: $0) }
    for absence in absences {
      positions[absence.origin.source][absence.origin.edge].append(absence.origin.position)
    }
    var lists: [(target: Int, ids: any Sendable)] = []
    for (edges, positions) in zip(schema.relationships, positions) {
      for (edge, positions) in zip(edges, positions) where !positions.isEmpty {
        lists.append((edge.target, edge.collect(positions[...], map)))
      }
    }
    return lists
  }
}
