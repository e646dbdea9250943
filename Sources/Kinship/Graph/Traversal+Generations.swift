extension Traversal {
  /// Looks up the root of the leg; returns a step if the walk cannot go on yet.
  ///
  /// Where there is none, the walk has reached all that there is.
  mutating func enterLeg(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Step? {
    let root = legs[search.leg]
    search.budget = root.plan.budget
    let slot = root.lookup(map)
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

  /// Goes on with the nodes that the generation before has reached.
  mutating func enterGeneration() {
    generation = Generation(
      number: generation.number + 1, reaching: generation.reaching + 1,
      nodes: generation.nodes.upperBound..<search.queue.count,
      cursor: generation.nodes.upperBound, found: (found.order.count, found.missing.count))
    found.columns.forEach { $0.setCheckpoint() }
  }

  /// Takes back what the current generation has reached.
  mutating func rollBack() {
    for node in search.queue[generation.nodes.upperBound...] {
      let (type, index) = (Int(node.type), Int(node.index))
      if index < found.columns[type].checkpoint.nodes { found.columns[type].legs[index] = -1 }
    }
    search.queue.removeLast(search.queue.count - generation.nodes.upperBound)
    found.order.removeLast(found.order.count - generation.found.order)
    found.missing.removeLast(found.missing.count - generation.found.missing)
    for node in search.queue[generation.nodes] {
      let (type, edges) = (Int(node.type), schema.relationships[Int(node.type)])
      for number in edges.indices {
        let cell = Int(node.index) * widths[type] + number
        if edges[number].isToMany {
          found.columns[type].forgetList(cell)
        } else {
          // Where the budget is spent by then, it is not followed once more.
          found.columns[type].edges[cell] = Link.unfollowed
        }
      }
    }
    found.columns.forEach { $0.rollBack() }
    generation.cursor = generation.nodes.lowerBound
    generation.part = nil
    generation.absences = []
    generation.referrers = ([], [])
  }
}
