extension Traversal {
  /// Looks up the root of the leg; returns a step if the walk cannot go on yet.
  ///
  /// If there is no root, the walk has reached every record.
  mutating func enterLeg(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Step? {
    let root = legs[search.leg]
    search.budget = root.plan.budget
    let slots = root.lookUp(map)
    if root.isMany {
      let absent = schema.type(TypeNumber(root.type)).ids(
        of: root.ids, at: slots.indices.filter { slots[$0] == .absent })
      if loads, hasStore, !absent.isEmpty, hasLoadable(absent) {
        // V3: the roots in memory must not leave it while the others load.
        if absent.count < slots.count { claims.append(map.claim(root.ids, passing: isPassing)) }
        return wait(&map, for: [absent])
      }
      found.rootPlaces = slots.map { slot in
        slot == .absent || slot == .missing ? -1 : reach(slot, type: root.type, &marks)
      }
      if !absent.isEmpty { (found.isPartial, found.absentRoots) = (true, absent) }
      enterGeneration()
      return nil
    }
    let slot = slots[0]
    if isMissing(slot) || (slot == .absent && !loads) {
      if !isMissing(slot) { found.isPartial = true }
      found.missingRoot = root.ref
      search.leg = legs.count - 1
      return nil
    }
    if slot == .absent {
      if let error = failures[root.ref] { return search.leg == 0 ? .failedRoot(error) : nil }
      return wait(&map, for: [root.ids])
    }
    let known = place(of: slot, type: root.type, marks)
    generation.reaching =
      known.map { Int(found.columns[root.type].generations[$0]) } ?? root.origin.generation
    _ = reach(slot, type: root.type, &marks)
    enterGeneration()
    return nil
  }

  /// Continues with the nodes that the previous generation has reached.
  mutating func enterGeneration() {
    // G1: these nodes are one hop farther from the root, and no shorter path leads to them.
    generation = Generation(
      number: generation.number + 1, reaching: generation.reaching + 1,
      nodes: generation.nodes.upperBound..<search.queue.count,
      cursor: generation.nodes.upperBound, found: (found.order.count, found.missing.count))
    found.columns.forEach { $0.setCheckpoint() }
  }

  /// Rolls back the current generation.
  mutating func rollBack() {
    Self.forEachRun(of: search.queue[generation.nodes.upperBound...]) { type, nodes in
      found.columns[type].clearLegs(of: nodes)
    }
    search.queue.removeLast(search.queue.count - generation.nodes.upperBound)
    found.order.removeLast(found.order.count - generation.found.order)
    found.missing.removeLast(found.missing.count - generation.found.missing)
    // If the budget is spent by then, none of them is followed again.
    Self.forEachRun(of: search.queue[generation.nodes]) { type, nodes in
      let isToMany = schema.relationships[type].map(\.isToMany)
      found.columns[type].clearLinks(of: nodes, isToMany: isToMany)
    }
    found.columns.forEach { $0.rollBack() }
    generation.cursor = generation.nodes.lowerBound
    generation.part = nil
    generation.absences = []
    generation.referrers = ([], [])
  }
  /// Passes nodes to a closure, by runs of one type: all in one go while the cache is locked, so
  /// that each must cost next to nothing.
  private static func forEachRun(
    of nodes: ArraySlice<NodeKey>, _ body: (Int, ArraySlice<NodeKey>) -> Void
  ) {
    var start = nodes.startIndex
    while start < nodes.endIndex {
      let type = nodes[start].type
      var end = start + 1
      while end < nodes.endIndex, nodes[end].type == type { end += 1 }
      body(Int(type), nodes[start..<end])
      start = end
    }
  }
}
