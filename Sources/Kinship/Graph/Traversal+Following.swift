extension Traversal {
  /// Follows the relationships of the next nodes of one type; returns how many nodes those were.
  mutating func followRun(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Int {
    let run = nextRun()
    let type = Int(search.queue[run.lowerBound].type)
    let edges = schema.relationships[type]
    let plan = legs[search.leg].plan
    let backwardLimits = plan.backwardLimits(of: type)
    let isFollowed = marks.prepare(edges, for: plan, in: generation.number)
    guard isFollowed || backwardLimits.contains(where: { $0 > generation.number }) else {
      return run.count
    }
    let slots = run.map { found.columns[type].slots[Int(search.queue[$0].index)] }
    for number in edges.indices where marks.followed[number].isWanted {
      edges[number].follow(slots[...], map, &marks.followed[number])
    }
    let referrers = findReferrers(toThoseIn: slots, type, backwardLimits, &map)
    for (offset, slot) in slots.enumerated() {
      let row = Int(search.queue[run.lowerBound + offset].index) * widths[type]
      for number in edges.indices where marks.followed[number].isWanted {
        let (cell, isToMany) = (row + number, edges[number].isToMany)
        let count = isToMany ? Int(marks.followed[number].counts[offset]) : 1
        let isNew = isToMany && found.columns[type].beginList(cell, count: count)
        for element in 0..<count {
          let absence = Absence(
            source: type, edge: number, position: RefPosition(slot: slot, element: element),
            visitedBefore: search.queue.count)
          let next = marks.followed[number].takeNext()
          let link = follow(next, to: edges[number].target.index, orNote: absence, &marks)
          if !isToMany { found.columns[type].edges[cell] = link }
          if isNew { found.columns[type].lists.append(link) }
        }
      }
      for (cell, edge, found) in referrers {
        follow(found[offset], by: edge, type, cell: row + edges.count + cell, &marks)
      }
    }
    return run.count
  }

  /// Takes the next nodes of one type from the queue, at most a stride of them.
  private mutating func nextRun() -> Range<Int> {
    let start = generation.cursor
    let type = search.queue[start].type
    let longest = min(generation.nodes.upperBound, start + Self.stride)
    while generation.cursor < longest, search.queue[generation.cursor].type == type {
      generation.cursor += 1
    }
    return start..<generation.cursor
  }

  /// Follows one ref; notes it if its record is absent.
  private mutating func follow(
    _ slot: Slot, to type: Int, orNote absence: Absence, _ marks: inout TraversalMarks
  ) -> Int32 {
    switch slot {
    case .none: return Link.none
    case _ where isMissing(slot):
      found.missing.append(absence)
      return Link.missing
    case .absent:
      let isAffordable = absence.visitedBefore < search.budget
      if loads, isAffordable { generation.absences.append(absence) }
      if !loads, isAffordable { found.isPartial = true }
      return Link.unloaded
    default: return reach(slot, type: type, &marks)
    }
  }

  /// Whether a record does not exist.
  func isMissing(_ slot: Slot) -> Bool { slot == .missing || (slot == .absent && !hasStore) }

  func place(of slot: Slot, type: Int, _ marks: borrowing TraversalMarks) -> Int? {
    let place = marks[slot]
    let isThere =
      place < found.columns.count(type)
      && found.columns.slot(NodeKey(type: type, index: place)) == slot
    return isThere ? place : nil
  }

  /// Adds a node unless it is there or the leg's budget is spent; each node is walked once a leg.
  mutating func reach(
    _ slot: Slot, type: Int, _ marks: inout TraversalMarks
  ) -> Int32 {
    let isAffordable = search.queue.count < search.budget
    if let place = place(of: slot, type: type, marks) {
      if isAffordable, found.columns[type].legs[place] != Int32(search.leg) {
        found.columns[type].legs[place] = Int32(search.leg)
        search.queue.append(NodeKey(type: type, index: place))
      }
      return Int32(truncatingIfNeeded: place)
    }
    if !isAffordable { return Link.unloaded }
    let index = found.columns[type].add(slot, generation: generation.reaching, leg: search.leg)
    marks.note(slot, at: index)
    let node = NodeKey(type: type, index: index)
    found.order.append(node)
    search.queue.append(node)
    return Int32(truncatingIfNeeded: index)
  }
}
