extension Traversal {
  /// Follows the relationships of the next nodes of one type; returns how many nodes and refs those
  /// were.
  mutating func followRun(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Int {
    let run = nextRun()
    let type = Int(search.queue[run.lowerBound].type)
    let edges = schema.relationships[type]
    let plan = legs[search.leg].plan
    let backwardLimits = plan.backwardLimits(of: type)
    // Where the budget is spent, the graph's index tells where refs lead.
    let isFollowed =
      search.queue.count < search.budget
      && marks.prepare(edges, for: plan, in: generation.number)
    guard isFollowed || backwardLimits.contains(where: { $0 > generation.number }) else {
      return run.count
    }
    var work = run.count
    let slots = run.map { found.columns[type].slots[Int(search.queue[$0].index)] }
    let wanted = isFollowed ? edges.indices.filter { marks.followed[$0].isWanted } : []
    lookUp(slots, by: wanted, of: edges, map, &marks)
    for number in wanted { work += marks.followed[number].slots.count }
    let referrers = findReferrers(toThoseIn: slots, type, backwardLimits, &map)
    for (offset, slot) in slots.enumerated() {
      let row = Int(search.queue[run.lowerBound + offset].index) * widths[type]
      for number in wanted {
        let (cell, isToMany) = (row + number, edges[number].isToMany)
        let count = isToMany ? Int(marks.followed[number].counts[offset]) : 1
        let isWhole = offset < marks.followed[number].firstCut
        let isNew =
          isToMany && isWhole && found.columns[type].beginList(cell, count: count)
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
    return work
  }

  /// Looks up where the refs of some nodes lead: no more of them than the budget has room for,
  /// where it is certain that these spend it.
  private func lookUp(
    _ slots: [Slot], by wanted: [Int], of edges: [GraphSchema.Edge], _ map: borrowing IdentityMap,
    _ marks: inout TraversalMarks
  ) {
    let rest = search.budget - search.queue.count
    for room in rest < .max / 4 ? [max(64, rest * 2), .max] : [.max] {
      for number in wanted {
        marks.followed[number].removeAll()
        marks.followed[number].room = room
        edges[number].follow(slots[...], map, &marks.followed[number])
      }
      if spends(rest, slots, wanted, of: edges, map, marks) { return }
    }
  }

  /// Whether so many nodes are new, or are to be loaded, before refs come that were not looked up,
  /// if there are such.
  private func spends(
    _ rest: Int, _ slots: [Slot], _ wanted: [Int], of edges: [GraphSchema.Edge],
    _ map: borrowing IdentityMap, _ marks: borrowing TraversalMarks
  ) -> Bool {
    if wanted.allSatisfy({ marks.followed[$0].firstCut == .max }) { return true }
    var reached: Set<Slot> = []
    var absent: Set<AnyRef> = []
    var next = wanted.map { marks.followed[$0].slots[...] }
    for (offset, source) in slots.enumerated() {
      for (place, number) in wanted.enumerated() {
        let edge = edges[number]
        let refs = edge.isToMany ? Int(marks.followed[number].counts[offset]) : 1
        for (element, slot) in next[place].prefix(refs).enumerated() {
          switch slot {
          case .none, .missing: break
          case .absent:
            guard loads, hasStore else { break }
            let position = RefPosition(slot: source, element: element)
            let ids = edge.collect([position], edge.target, map)
            guard let ref = schema.type(edge.target).refs(of: ids).first else { break }
            if failures[ref] == nil { absent.insert(ref) }
          default:
            if self.place(of: slot, type: edge.target.index, marks) == nil { reached.insert(slot) }
          }
        }
        if reached.count + absent.count >= rest { return true }
        if offset == marks.followed[number].firstCut { return false }
        next[place] = next[place].dropFirst(refs)
      }
    }
    return true
  }

  /// Takes the next nodes of one type from the queue, at most a portion of them.
  private mutating func nextRun() -> Range<Int> {
    let start = generation.cursor
    let type = search.queue[start].type
    // Where there is a budget, less may be enough.
    let most = search.budget == .max ? Portion.size : min(64, Portion.size)
    let longest = min(generation.nodes.upperBound, start + most)
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
      if absence.visitedBefore >= search.budget { return Link.unloaded }
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
