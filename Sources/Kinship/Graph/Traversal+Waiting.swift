extension Traversal {
  /// Whether what it has found may be so no longer.
  func isStale(in map: borrowing IdentityMap) -> Bool {
    map.version != found.version || mustBeginAnew || (map.drops != drops && !isClaiming)
  }

  /// Whether it has nothing to do before it gets what it needs, or something is written.
  func isAtRest(in map: borrowing IdentityMap) -> Bool {
    isWaiting || (search.leg == legs.count && !isStale(in: map))
  }

  mutating func resume(_ map: borrowing IdentityMap, _ marks: inout TraversalMarks) {
    if isStale(in: map) {
      discarded.append(found)
      if search.queue.count > Chunk.size { discarded.append(search) }
      found = Findings(of: map.version, widths: widths)
      search = Search()
      generation = Generation()
      mustBeginAnew = false
      // What is dropped while the walk gives others a turn would undo it again and again.
      isClaiming = true
    } else if marks.owner != id {
      for column in found.columns.made {
        for (index, slot) in column.slots.enumerated() {
          marks.note(slot, at: index)
        }
      }
    }
    marks.owner = id
    drops = map.drops
  }

  /// Claims what has been reached and what is needed, and takes the generation back.
  ///
  /// - Parameters:
  ///   - map: The map that is walked.
  ///   - lists: The ids that are needed.
  ///   - referrers: The records whose referrers are needed.
  /// - Returns: The step that says so.
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

  /// Claims what has been reached, and what is needed; returns how much of it.
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

  /// Claims the absent records that the generation has come to, as far as they are to be loaded;
  /// returns how many.
  ///
  /// To claim all of them at its end would take long.
  mutating func claimAbsent(_ map: inout IdentityMap) -> Int {
    let lists = schema.idLists(of: takeAbsences(map), map)
    return lists.isEmpty ? 0 : claim(lists, &map)
  }

  /// Relies on it that nothing leaves memory; what was reached so far is claimed.
  mutating func stopClaiming(_ map: borrowing IdentityMap) {
    isClaiming = false
    drops = map.drops
  }

  /// Claims what has been reached, if it claims at all.
  mutating func claimReached(_ map: inout IdentityMap) {
    if !isClaiming { return }
    // In the order of the types: where the walk comes to no end, it is the order of use.
    let columns = found.columns.made.sorted { $0.type < $1.type }
    for column in columns where column.claimed < column.slots.count {
      claims.append(
        map.claim(column.slots[column.claimed...], of: column.type, passing: isPassing))
    }
    found.columns.forEach { $0.claimed = $0.slots.count }
  }

  /// Asks for the absent records of the generation, once each, as far as they are to be loaded, and
  /// for those who refer to its records.
  mutating func waitForAbsent(_ map: inout IdentityMap) -> Step? {
    let (unknown, absent) = generation.referrers
    let lists = schema.idLists(of: takeAbsences(map), map) + absent.filter { isLoadable($0) }
    if lists.isEmpty, unknown.isEmpty, generation.needs.isEmpty { return nil }
    return wait(&map, for: lists, unknown)
  }

  private func isLoadable(_ ids: IDs) -> Bool {
    failures.isEmpty || !schema.type(ids.type).refs(of: ids).contains { failures[$0] != nil }
  }

  /// Takes the absences out, without those that could not be loaded, and no more than the budget
  /// has room for, should the records all exist.
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
  /// The ids that absences name, a list for each relationship.
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
