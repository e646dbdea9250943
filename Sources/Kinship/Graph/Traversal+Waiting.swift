extension Traversal {
  /// Returns whether its findings may be stale.
  func isStale(in map: borrowing IdentityMap) -> Bool {
    map.version != found.version || mustRestart || (map.drops != drops && !isClaiming)
  }

  /// Returns whether it can do nothing before its needs arrive or something is written.
  func isAtRest(in map: borrowing IdentityMap) -> Bool {
    isWaiting || (search.leg == legs.count && !isStale(in: map))
  }

  mutating func resume(_ map: borrowing IdentityMap, _ marks: inout TraversalMarks) {
    // I2: after a write, the walk begins again, so that its result shows one version.
    if isStale(in: map) {
      discarded.append(found)
      if search.queue.count > Chunk.size { discarded.append(search) }
      found = Findings(of: map.version, widths: widths)
      search = Search()
      generation = Generation()
      mustRestart = false
      // Otherwise, records that are dropped while others have a turn would undo the walk
      // repeatedly.
      isClaiming = true
    } else if marks.owner != id {
      for column in found.columns.made {
        for (index, slot) in column.slots.enumerated() {
          marks.setPlace(slot, at: index)
        }
      }
    }
    marks.owner = id
    drops = map.drops
  }

  /// Claims the records that the walk has reached or needs, and rolls back the generation; returns
  /// the step that says what it needs.
  mutating func wait(
    _ map: inout IdentityMap, for lists: [IDs], _ referrers: [Needs.Referrers] = []
  ) -> Step {
    _ = claim(lists, &map)
    isWaiting = true
    let needs = Needs(claims: generation.needs, referrers: referrers)
    (generation.asked, generation.needs, generation.turns) = ([], [], [:])
    if generation.number >= 0 { rollBack() }
    stalls = found.order.count > farthest ? 0 : stalls + 1
    farthest = max(farthest, found.order.count)
    return .needs(needs)
  }

  /// Claims the records that the walk has reached or needs; returns their number.
  private mutating func claim(_ lists: [IDs], _ map: inout IdentityMap) -> Int {
    isClaiming = true
    claimReached(&map)
    var count = 0
    for (type, lists) in lists.byType {
      let need = map.claimDistinct(lists, of: type, &generation.turns[type], passing: isPassing)
      generation.needs.append(need)
      claims.append(need)
      requests.append(need)
      count += need.count
    }
    map.tally.misses &+= count
    return count
  }

  /// Claims the absent records of the generation that must be loaded; returns their number.
  ///
  /// Claiming all of them at the end of the generation would take long.
  mutating func claimAbsent(_ map: inout IdentityMap) -> Int {
    let lists = schema.idLists(of: takeAbsences(map), map)
    return lists.isEmpty ? 0 : claim(lists, &map)
  }

  /// Stops claiming, on the assumption that nothing leaves memory; the records reached so far stay
  /// claimed.
  mutating func stopClaiming(_ map: borrowing IdentityMap) {
    isClaiming = false
    drops = map.drops
  }

  /// Claims the reached records, if the walk claims at all.
  mutating func claimReached(_ map: inout IdentityMap) {
    if !isClaiming { return }
    // In the order of the types: if the walk does not finish, this is the recency order.
    let columns = found.columns.made.sorted { $0.type < $1.type }
    for column in columns where column.claimed < column.slots.count {
      claims.append(
        map.claim(column.slots[column.claimed...], of: column.type, passing: isPassing))
    }
    found.columns.forEach { $0.claimed = $0.slots.count }
  }

  /// Requests the absent records of the generation that must be loaded, once each, and the
  /// referrers of its records.
  mutating func waitForAbsent(_ map: inout IdentityMap) -> Step? {
    let (unknown, absent) = generation.referrers
    let lists = schema.idLists(of: takeAbsences(map), map) + absent.filter { hasLoadable($0) }
    if lists.isEmpty, unknown.isEmpty, generation.needs.isEmpty { return nil }
    // G2: everything that the generation lacks is requested together.
    return wait(&map, for: lists, unknown)
  }

  /// Returns whether any of some ids has not failed to load.
  func hasLoadable(_ ids: IDs) -> Bool {
    failures.isEmpty || schema.type(ids.type).refs(of: ids).contains { failures[$0] == nil }
  }

  /// Takes the absences, without those that could not be loaded, and no more than the budget has
  /// room for if all the records exist.
  private mutating func takeAbsences(_ map: borrowing IdentityMap) -> ContiguousArray<Absence> {
    defer { generation.absences = [] }
    if failures.isEmpty, search.budget == .max { return generation.absences }
    var loadable: ContiguousArray<Absence> = []
    for absence in generation.absences
    where absence.visitedBefore + generation.asked.count < search.budget {
      let edge = schema.relationships[absence.source][absence.edge]
      let ids = edge.collect([absence.position], edge.target, map)
      let ref = schema.type(edge.target).refs(of: ids).first
      guard let ref, failures[ref] == nil else { continue }
      generation.asked.insert(ref)
      loadable.append(absence)
    }
    return loadable
  }
}

extension GraphSchema {
  /// Returns the ids of absences, a list for each relationship.
  func idLists(
    of absences: ContiguousArray<Traversal.Absence>, _ map: borrowing IdentityMap
  ) -> [IDs] {
    if absences.isEmpty { return [] }
    var positions = [[[RefPosition]]](repeating: [], count: relationships.count)
    for absence in absences {
      if positions[absence.source].isEmpty {
        positions[absence.source] = Array(
          repeating: [], count: relationships[absence.source].count)
      }
      positions[absence.source][absence.edge].append(absence.position)
    }
    var lists: [IDs] = []
    for source in positions.indices {
      for number in positions[source].indices where !positions[source][number].isEmpty {
        let edge = relationships[source][number]
        lists.append(edge.collect(positions[source][number][...], edge.target, map))
      }
    }
    return lists
  }
}
