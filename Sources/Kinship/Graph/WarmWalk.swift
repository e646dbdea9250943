/// A walk in one go over records that are all in memory, as most graphs are.
///
/// It finds the same records as a ``Traversal``, in the same order, and keeps nothing for a later
/// try. If it would have to wait, or to release the map for a moment, it gives up and leaves the
/// graph to a traversal.
struct WarmWalk {
  /// The nodes of one type, as ``Traversal/Column`` has them.
  private struct Column {
    var slots: [Slot] = []
    var edges: ContiguousArray<Int32> = []
    var lists: ContiguousArray<Int32> = []
    var generations: ContiguousArray<Int32> = []
    var missing: [IDs] = []

    mutating func removeAll() {
      slots.removeAll(keepingCapacity: true)
      edges.removeAll(keepingCapacity: true)
      lists.removeAll(keepingCapacity: true)
      generations.removeAll(keepingCapacity: true)
      missing = []
    }
  }

  /// The number of nodes it finds, and refs it looks up at a time, before it gives up.
  private static var limit: Int { Chunk.size * 8 }

  // All of it is kept to reuse the memory, which is little: a long walk gives up.

  /// By the number of the type.
  private var columns: ContiguousArray<Column>
  /// The types of which something was found.
  private var types: ContiguousArray<Int> = []
  private var order: ContiguousArray<NodeKey> = []
  /// The refs that led to records which do not exist.
  private var missing: ContiguousArray<Traversal.Absence> = []

  /// The result of a walk.
  struct Found {
    let graph: GraphStorage
    /// Its records, in the order of discovery; empty unless the graph is kept for later callers, or
    /// the records have not been touched.
    let slots: ContiguousArray<Slot>
  }

  init(typeCount: Int) {
    columns = ContiguousArray(repeating: Column(), count: typeCount)
  }

  /// Walks from a root; returns `nil` if it gives up.
  ///
  /// The plan follows nothing backwards; the rules are the same plan, as it was given. Without a
  /// store, records that are not in memory do not exist. If it `touches` the records, they become
  /// the most recently used, unless the plan is marked `passing`, and count as hits; if not,
  /// `touch` does it later.
  mutating func walk(
    from root: Slot, _ plan: CompiledPlan, _ rules: PlanRules, _ schema: GraphSchema,
    hasStore: Bool, _ map: inout IdentityMap, _ marks: inout TraversalMarks, touches: Bool = true
  ) -> Found? {
    defer { reset() }
    marks.begin()
    _ = reach(root, type: map.pages.type(of: root).index, plan, schema, generation: 0, &marks)
    var (start, generation) = (0, 0)
    while start < order.count {
      let end = order.count
      while start < end {
        let isDone = follow(
          nextRun(&start, end), plan, schema, generation: generation, hasStore: hasStore, map,
          &marks)
        if !isDone { return nil }
      }
      generation += 1
    }
    for ids in schema.idLists(of: missing, map) {
      find(ids.type.index)
      columns[ids.type.index].missing.append(ids)
    }
    var slots: ContiguousArray<Slot> = []
    let isKept = !touches || (missing.isEmpty && RecentGraphs.keeps(order.count))
    if isKept { slots.reserveCapacity(order.count) }
    for node in order {
      let slot = columns[Int(node.type)].slots[Int(node.index)]
      if touches, !plan.isPassing { map.recency.touch(slot) }
      if isKept { slots.append(slot) }
    }
    if touches { map.tally.hits &+= order.count }
    let graph = GraphStorage(
      schema, rules, order: order.exactCopy, columns: copyOut(schema, map))
    return Found(graph: graph, slots: slots)
  }

  /// Returns the next nodes of one type; they are contiguous in their column, too.
  private func nextRun(_ start: inout Int, _ end: Int) -> (type: Int, places: Range<Int>) {
    let (type, first) = (order[start].type, Int(order[start].index))
    var count = 0
    while start < end, order[start].type == type { (start, count) = (start + 1, count + 1) }
    return (Int(type), first..<first + count)
  }

  /// Follows the relationships of nodes; returns whether it did not have to give up.
  private mutating func follow(
    _ run: (type: Int, places: Range<Int>), _ plan: CompiledPlan, _ schema: GraphSchema,
    generation: Int, hasStore: Bool, _ map: borrowing IdentityMap, _ marks: inout TraversalMarks
  ) -> Bool {
    let (type, edges) = (run.type, schema.relationships[run.type])
    // Once the budget is spent, refs are looked up in the graph's index.
    guard order.count < plan.budget, marks.prepare(edges, for: plan, in: generation) else {
      return true
    }
    // A small budget needs only the first refs of a long list.
    let rest = plan.budget - order.count
    let room = rest < Self.limit / 2 ? max(Chunk.tiny, rest * 2) : Self.limit
    for number in edges.indices where marks.followed[number].isWanted {
      marks.followed[number].removeAll()
      marks.followed[number].room = room
      edges[number].follow(columns[type].slots[run.places], map, &marks.followed[number])
      if marks.followed[number].firstCut < .max, room == Self.limit { return false }
    }
    for (offset, place) in run.places.enumerated() {
      let slot = columns[type].slots[place]
      for number in edges.indices where marks.followed[number].isWanted {
        let (cell, target) = (place * edges.count + number, edges[number].target.index)
        let isToMany = edges[number].isToMany
        let count = isToMany ? Int(marks.followed[number].counts[offset]) : 1
        let isWhole = offset < marks.followed[number].firstCut
        if isToMany, isWhole {
          columns[type].edges[cell] = Int32(truncatingIfNeeded: columns[type].lists.count)
          columns[type].lists.append(Int32(truncatingIfNeeded: count))
        }
        for element in 0..<count {
          let next = marks.followed[number].takeNext()
          let link: Int32
          if next == .none {
            link = Link.none
          } else if next == .absent || next == .missing, order.count >= plan.budget {
            link = Link.unloaded
          } else if next == .missing || (next == .absent && !hasStore) {
            missing.append(
              Traversal.Absence(
                source: type, edge: number, position: RefPosition(slot: slot, element: element),
                visitedBefore: order.count))
            link = Link.missing
          } else if next != .absent {
            link = reach(next, type: target, plan, schema, generation: generation + 1, &marks)
          } else {
            return false
          }
          if !isToMany {
            columns[type].edges[cell] = link
          } else if isWhole {
            columns[type].lists.append(link)
          }
        }
        // A ref that was not looked up may be to one of the next nodes.
        if !isWhole, order.count < plan.budget { return false }
      }
      if order.count > Self.limit { return false }
    }
    return true
  }

  /// Adds a node unless it was added before or the budget is spent.
  private mutating func reach(
    _ slot: Slot, type: Int, _ plan: CompiledPlan, _ schema: GraphSchema, generation: Int,
    _ marks: inout TraversalMarks
  ) -> Int32 {
    let known = marks[slot]
    if known < columns[type].slots.count, columns[type].slots[known] == slot {
      return Int32(truncatingIfNeeded: known)
    }
    if order.count >= plan.budget { return Link.unloaded }
    if columns[type].slots.isEmpty { find(type) }
    let place = columns[type].slots.count
    columns[type].slots.append(slot)
    for _ in 0..<schema.widths[type] { columns[type].edges.append(Link.unfollowed) }
    columns[type].generations.append(Int32(truncatingIfNeeded: generation))
    order.append(NodeKey(type: type, index: place))
    marks.setPlace(slot, at: place)
    return Int32(truncatingIfNeeded: place)
  }

  private mutating func find(_ type: Int) { if !types.contains(type) { types.append(type) } }

  private func copyOut(
    _ schema: GraphSchema, _ map: borrowing IdentityMap
  ) -> ContiguousArray<(any ErasedGraphColumn)?> {
    var made = ContiguousArray<(any ErasedGraphColumn)?>(repeating: nil, count: columns.count)
    for type in types {
      made[type] = schema.operations[type].makeColumn(
        ColumnParts(
          records: map.operations[type].copy(map, columns[type].slots[...]),
          edges: columns[type].edges.exactCopy,
          lists: columns[type].lists.exactCopy,
          generations: columns[type].generations.exactCopy,
          layout: schema.layouts[type], missing: columns[type].missing))
    }
    return made
  }

  private mutating func reset() {
    for type in types { columns[type].removeAll() }
    types.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    missing.removeAll(keepingCapacity: true)
  }
}

extension ContiguousArray {
  /// A copy without spare room: one made from a slice of all elements would share the buffer, with
  /// the room of the largest walk so far.
  fileprivate var exactCopy: ContiguousArray {
    withUnsafeBufferPointer { elements in
      ContiguousArray(unsafeUninitializedCapacity: elements.count) { buffer, count in
        count = buffer.initialize(fromContentsOf: elements)
      }
    }
  }
}
