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
  ///   - lists: The ids that are needed.
  /// - Returns: The step that says so.
  mutating func wait(_ map: inout IdentityMap, for lists: [IDs]) -> Step {
    isClaiming = true
    claimReached(&map)
    if !frontier.isEmpty { rollBack() }
    stalls = order.count > farthest ? 0 : stalls + 1
    farthest = max(farthest, order.count)
    var needs: [Claims] = []
    let byType = Dictionary(grouping: lists, by: \.type)
    for (type, lists) in byType.sorted(by: { $0.key < $1.key }) {
      let need = map.claimDistinct(lists, of: type)
      needs.append(need)
      map.tally.misses &+= need.count
    }
    claims += needs
    requests += needs
    return .needs(needs)
  }

  /// Whether what it waits for is written faster than it is fetched.
  var isStalled: Bool { stalls > 8 }

  mutating func claimReached(_ map: inout IdentityMap) {
    for type in columns.typeNumbers where columns[type].claimed < columns[type].slots.count {
      claims.append(map.claim(columns[type].slots[columns[type].claimed...], of: type))
      columns[type].claimed = columns[type].slots.count
    }
  }

  /// Asks for the absent records of the generation: once each, a list a type; nothing if there are none but
  /// such as cannot be loaded.
  mutating func waitForAbsent(_ map: inout IdentityMap) -> Step? {
    if !absences.isEmpty, !failures.isEmpty {
      // What cannot be loaded is passed over: it stays unloaded.
      absences = absences.filter { absence in
        ref(of: absence, map).map { failures[$0] == nil } ?? true
      }
    }
    if absences.isEmpty { return nil }
    return wait(&map, for: idLists(of: affordableAbsences(map), map))
  }

  /// The absences whose records the budget has room for, should they all exist.
  func affordableAbsences(_ map: borrowing IdentityMap) -> ContiguousArray<Absence> {
    if budget == .max { return absences }
    var distinct: Set<AnyRef> = []
    var affordable: ContiguousArray<Absence> = []
    for absence in absences {
      if absence.visitedBefore + distinct.count >= budget { break }
      guard let ref = ref(of: absence, map) else { continue }
      distinct.insert(ref)
      affordable.append(absence)
    }
    return affordable
  }

  /// A ref that was followed.
  private func ref(of absence: Absence, _ map: borrowing IdentityMap) -> AnyRef? {
    let edge = schema.relationships[absence.origin.source][absence.origin.edge]
    let ids = edge.collect([absence.origin.position], edge.target, map)
    return schema.type(edge.target).refs(of: ids).first
  }

  /// The ids at positions, a list for each relationship.
  func idLists(
    of absences: ContiguousArray<Absence>, _ map: borrowing IdentityMap
  ) -> [IDs] {
    if absences.isEmpty { return [] }
    var positions = widths.map { Array(repeating: [RefPosition](), count: $0) }
    for absence in absences {
      positions[absence.origin.source][absence.origin.edge].append(absence.origin.position)
    }
    var lists: [IDs] = []
    for (edges, positions) in zip(schema.relationships, positions) {
      for (edge, positions) in zip(edges, positions) where !positions.isEmpty {
        lists.append(edge.collect(positions[...], edge.target, map))
      }
    }
    return lists
  }
}
