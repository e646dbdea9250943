extension Traversal {
  /// Follows the relationships of the next nodes of one type; returns how many nodes those were.
  mutating func followRun(
    _ map: borrowing IdentityMap, _ marks: inout TraversalMarks
  ) -> Int {
    let type = Int(frontier[cursor].type)
    var end = cursor + 1
    let longest = min(frontier.count, cursor + Self.stride)
    while end < longest, Int(frontier[end].type) == type { end += 1 }
    let run = cursor..<end
    cursor = end
    let limits = legs[leg].plan.limits[type]
    guard limits.contains(where: { $0 > generation }) else { return run.count }

    let slots = run.map { columns[type].slots[Int(frontier[$0].index)] }[...]
    let edges = schema.relationships[type]
    for (number, edge) in edges.enumerated() where limits[number] > generation {
      followed[number].removeAll()
      edge.follow(slots, map, &followed[number])
    }
    var position = ContiguousArray(repeating: 0, count: edges.count)
    for (offset, place) in run.enumerated() {
      let index = Int(frontier[place].index)
      for number in edges.indices where limits[number] > generation {
        let cell = index * edges.count + number
        if edges[number].isToMany {
          let count = Int(followed[number].counts[offset])
          let isNew = columns[type].edges[cell] == Link.unfollowed
          let start = columns[type].lists.count
          if isNew {
            columns[type].edges[cell] = Int32(truncatingIfNeeded: start)
            columns[type].lists.append(Int32(truncatingIfNeeded: count))
          }
          for element in 0..<count {
            let link = follow(
              followed[number].slots[position[number] + element], to: edges[number].target.index,
              Absence.Origin(
                source: type, edge: number,
                position: RefPosition(slot: slots[offset], element: element)), &marks)
            if isNew { columns[type].lists.append(link) }
          }
          position[number] += count
        } else {
          columns[type].edges[cell] = follow(
            followed[number].slots[offset], to: edges[number].target.index,
            Absence.Origin(
              source: type, edge: number, position: RefPosition(slot: slots[offset], element: 0)),
            &marks)
        }
      }
    }
    return run.count
  }

  /// Follows one ref; notes it if its record is absent.
  mutating func follow(
    _ slot: Slot, to type: Int, _ origin: Absence.Origin, _ marks: inout TraversalMarks
  ) -> Int32 {
    let isMissing = slot == .missing || (slot == .absent && !hasStore)
    switch slot {
    case .none: return Link.none
    case _ where isMissing:
      missing.append(Absence(origin: origin, visitedBefore: visited))
      return Link.missing
    case .absent where !loads:
      isPartial = isPartial || visited < budget
      return Link.unloaded
    case .absent:
      if visited < budget { absences.append(Absence(origin: origin, visitedBefore: visited)) }
      return Link.unloaded
    default: return reach(slot, type: type, &marks)
    }
  }

  func place(of slot: Slot, type: Int, _ marks: borrowing TraversalMarks) -> Int? {
    let place = Int(marks.places[slot.index])
    guard place < columns[type].slots.count, columns[type].slots[place] == slot else { return nil }
    return place
  }

  /// Adds a node unless it is there or the leg's budget is spent; each node is walked once a leg.
  mutating func reach(
    _ slot: Slot, type: Int, _ marks: inout TraversalMarks
  ) -> Int32 {
    if let place = place(of: slot, type: type, marks) {
      if columns[type].legs[place] != Int32(leg), visited < budget {
        visited += 1
        columns[type].legs[place] = Int32(leg)
        next.append(NodeKey(type: type, index: place))
      }
      return Int32(truncatingIfNeeded: place)
    }
    if visited >= budget { return Link.unloaded }
    visited += 1
    let index = columns[type].add(
      slot, width: widths[type], generation: reaching, leg: leg)
    marks.places[slot.index] = Int32(truncatingIfNeeded: index)
    let node = NodeKey(type: type, index: index)
    order.append(node)
    next.append(node)
    return Int32(truncatingIfNeeded: index)
  }
}
