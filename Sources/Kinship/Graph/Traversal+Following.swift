extension Traversal {
  /// Follows the relationships of the next nodes of one type; returns the number of nodes and refs.
  mutating func followRun(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Int {
    if generation.part != nil { return followPart(&map, &marks) }
    let run = nextRun()
    let type = Int(search.queue[run.lowerBound].type)
    let edges = schema.relationships[type]
    let plan = legs[search.leg].plan
    let backwardLimits = plan.backwardLimits(of: type)
    // Once the budget is spent, refs are looked up in the graph's index.
    let isFollowed =
      search.queue.count < search.budget
      && marks.prepare(edges, for: plan, in: generation.number)
    guard isFollowed || backwardLimits.contains(where: { $0 > generation.number }) else {
      return run.count
    }
    var slots = run.map { found.columns[type].slots[Int(search.queue[$0].index)] }
    let wanted = isFollowed ? edges.indices.filter { marks.followed[$0].isWanted } : []
    let count = lookUp(slots, by: wanted, of: edges, map, &marks)
    if count < slots.count {
      generation.cursor = run.lowerBound + count
      slots.removeLast(slots.count - count)
    }
    if slots.isEmpty {
      generation.part = Part(wanted: wanted)
      return followPart(&map, &marks)
    }
    var work = count
    for number in wanted { work += marks.followed[number].slots.count }
    let referrers = findReferrers(toThoseIn: slots, type, backwardLimits, &map)
    for (offset, slot) in slots.enumerated() {
      let row = Int(search.queue[run.lowerBound + offset].index) * widths[type]
      for number in wanted {
        let isToMany = edges[number].isToMany
        let count = isToMany ? Int(marks.followed[number].counts[offset]) : 1
        let isWhole = offset < marks.followed[number].firstCut
        let isNew =
          isToMany && isWhole && found.columns[type].beginList(row + number, count: count)
        follow(
          count, of: slot, type, row, by: number, to: edges[number].target.index,
          isToMany: isToMany, isNew: isNew, &marks)
      }
      for (cell, edge, found) in referrers {
        follow(found[offset], by: edge, type, cell: row + edges.count + cell, &marks)
      }
    }
    return work
  }

  /// Follows the next refs of a node that has too many to be followed in one call; returns their
  /// number.
  private mutating func followPart(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Int {
    guard var part = generation.part, let number = part.wanted.first else { return 0 }
    let node = search.queue[generation.cursor]
    let (type, edges) = (Int(node.type), schema.relationships[Int(node.type)])
    let slot = found.columns[type].slots[Int(node.index)]
    let row = Int(node.index) * widths[type]
    marks.followed[number].removeAll()
    marks.followed[number].skipped = part.followed
    marks.followed[number].room = Self.stride / 2
    edges[number].follow([slot], map, &marks.followed[number])
    let isCut = marks.followed[number].firstCut == 0
    let count = edges[number].isToMany ? Int(marks.followed[number].counts[0]) : 1
    if part.followed == 0 {
      part.isNew =
        edges[number].isToMany
        && found.columns[type].beginList(
          row + number, count: isCut ? marks.followed[number].cutCount : count)
    }
    follow(
      count, of: slot, type, row, by: number, from: part.followed,
      to: edges[number].target.index, isToMany: edges[number].isToMany, isNew: part.isNew, &marks)
    part.followed += count
    if !isCut { (part.wanted, part.followed) = (part.wanted.dropFirst(), 0) }
    generation.part = part.wanted.isEmpty ? nil : part
    if generation.part == nil {
      generation.cursor += 1
      let limits = legs[search.leg].plan.backwardLimits(of: type)
      for (cell, edge, found) in findReferrers(toThoseIn: [slot], type, limits, &map) {
        follow(found[0], by: edge, type, cell: row + edges.count + cell, &marks)
      }
    }
    return count
  }

  /// Follows refs of a node that were looked up.
  private mutating func follow(
    _ count: Int, of slot: Slot, _ type: Int, _ row: Int, by number: Int, from first: Int = 0,
    to target: Int, isToMany: Bool, isNew: Bool, _ marks: inout TraversalMarks
  ) {
    for element in first..<first + count {
      let absence = Absence(
        source: type, edge: number, position: RefPosition(slot: slot, element: element),
        visitedBefore: search.queue.count)
      let next = marks.followed[number].takeNext()
      let link = follow(next, to: target, orNote: absence, &marks)
      if !isToMany { found.columns[type].edges[row + number] = link }
      if isNew { found.columns[type].lists.append(link) }
    }
  }

  /// Looks up the refs of some nodes: as many as one call follows, and no more than the budget has
  /// room for, if they are certain to spend it.
  ///
  /// - Returns: The number of nodes that can be followed; 0 if the first has too many refs.
  private func lookUp(
    _ slots: [Slot], by wanted: [Int], of edges: [GraphSchema.Edge], _ map: borrowing IdentityMap,
    _ marks: inout TraversalMarks
  ) -> Int {
    let (rest, most) = (search.budget - search.queue.count, Self.stride / 2)
    for room in rest < most / 2 ? [max(Chunk.tiny, rest * 2), most] : [most] {
      for number in wanted {
        marks.followed[number].removeAll()
        marks.followed[number].room = room
        edges[number].follow(slots[...], map, &marks.followed[number])
      }
      if spends(rest, slots, wanted, of: edges, map, marks) { return slots.count }
    }
    return wanted.map { marks.followed[$0].firstCut }.min() ?? slots.count
  }

  /// Returns whether so many nodes are new, or must be loaded, before the first ref that was not
  /// looked up, if there is one.
  private func spends(
    _ rest: Int, _ slots: [Slot], _ wanted: [Int], of edges: [GraphSchema.Edge],
    _ map: borrowing IdentityMap, _ marks: borrowing TraversalMarks
  ) -> Bool {
    if wanted.allSatisfy({ marks.followed[$0].firstCut == .max }) { return true }
    if rest >= Self.stride { return false }
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

  /// Takes the next nodes of one type from the queue, at most a chunk of them.
  private mutating func nextRun() -> Range<Int> {
    let start = generation.cursor
    let type = search.queue[start].type
    // With a budget, less may be enough.
    let most = search.budget == .max ? Chunk.size : Chunk.tiny
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

  /// Returns whether a record does not exist.
  func isMissing(_ slot: Slot) -> Bool { slot == .missing || (slot == .absent && !hasStore) }

  func place(of slot: Slot, type: Int, _ marks: borrowing TraversalMarks) -> Int? {
    let place = marks[slot]
    let isThere =
      place < found.columns.count(type)
      && found.columns.slot(NodeKey(type: type, index: place)) == slot
    return isThere ? place : nil
  }

  /// Adds a node unless it was added before or the leg's budget is spent; each node is walked once
  /// a leg.
  mutating func reach(
    _ slot: Slot, type: Int, _ marks: inout TraversalMarks
  ) -> Int32 {
    let isAffordable = search.queue.count < search.budget
    // G3: a record that was reached before is not added again.
    if let place = place(of: slot, type: type, marks) {
      if isAffordable, found.columns[type].legs[place] != Int32(search.leg) {
        found.columns[type].legs[place] = Int32(search.leg)
        search.queue.append(NodeKey(type: type, index: place))
      }
      return Int32(truncatingIfNeeded: place)
    }
    // G4: a ref beyond the budget is reported as unloaded.
    if !isAffordable { return Link.unloaded }
    let index = found.columns[type].add(slot, generation: generation.reaching, leg: search.leg)
    marks.setPlace(slot, at: index)
    let node = NodeKey(type: type, index: index)
    found.order.append(node)
    search.queue.append(node)
    return Int32(truncatingIfNeeded: index)
  }
}
