extension Traversal {
  /// Looks up the root of the leg; returns a step if the walk cannot go on yet.
  mutating func enterLeg(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Step? {
    let root = legs[leg]
    budget = root.plan.budget
    let slot = root.lookup(map)
    if slot == .missing || (slot == .absent && !hasStore) { return .missingRoot(root.ref) }
    if slot == .absent, !loads {
      isPartial = true
      return .missingRoot(root.ref)
    }
    if slot == .absent {
      if let error = failures[root.ref] { return leg == 0 ? .failedRoot(error) : nil }
      return wait(&map, for: [root.ids])
    }
    let known = place(of: slot, type: root.type, marks)
    reaching = known.map { Int(columns[root.type].generations[$0]) } ?? root.generation
    _ = reach(slot, type: root.type, &marks)
    swap(&frontier, &next)
    reaching += 1
    setCheckpoint()
    return nil
  }

  mutating func enterGeneration() {
    generation += 1
    reaching += 1
    frontier.removeAll(keepingCapacity: true)
    swap(&frontier, &next)
    setCheckpoint()
  }

  mutating func setCheckpoint() {
    cursor = 0
    checkpoint = Checkpoint(order: order.count, visited: visited, missing: missing.count)
    for type in columns.indices {
      columns[type].checkpoint = (columns[type].slots.count, columns[type].lists.count)
    }
  }

  /// Takes back what the current generation has reached.
  mutating func rollBack() {
    for node in next where Int(node.index) < columns[Int(node.type)].checkpoint.nodes {
      columns[Int(node.type)].legs[Int(node.index)] = -1
    }
    next.removeAll(keepingCapacity: true)
    order.removeLast(order.count - checkpoint.order)
    visited = checkpoint.visited
    missing.removeLast(missing.count - checkpoint.missing)
    for node in frontier {
      let type = Int(node.type)
      let edges = schema.relationships[type]
      for number in edges.indices where edges[number].isToMany {
        let cell = Int(node.index) * edges.count + number
        // The list was made in this generation and goes with it.
        if Int(columns[type].edges[cell]) >= columns[type].checkpoint.lists {
          columns[type].edges[cell] = Link.unfollowed
        }
      }
    }
    for type in columns.indices {
      let surplus = columns[type].slots.count - columns[type].checkpoint.nodes
      columns[type].slots.removeLast(surplus)
      columns[type].edges.removeLast(surplus * widths[type])
      columns[type].generations.removeLast(surplus)
      columns[type].legs.removeLast(surplus)
      columns[type].lists.removeLast(columns[type].lists.count - columns[type].checkpoint.lists)
      columns[type].claimed = min(columns[type].claimed, columns[type].slots.count)
    }
    cursor = 0
    absences.removeAll(keepingCapacity: true)
  }
}
