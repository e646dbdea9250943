extension Traversal {
  /// Copies the records out, a stride at a time, and the ids that turned out not to exist.
  mutating func copyOut(_ map: inout IdentityMap, work: Int) -> Step {
    var work = work
    for type in columns.indices {
      while columns[type].copied < columns[type].slots.count {
        if work >= Self.stride { return yield(&map) }
        let start = columns[type].copied
        let end = min(columns[type].slots.count, start + Self.stride - work)
        let slots = Array(columns[type].slots[start..<end])
        columns[type].copies.append(map.operations[type].copy(map, slots[...]))
        columns[type].copied = end
        work += end - start
      }
    }
    for ids in idLists(of: missing, map) { columns[ids.type].missing.append(ids) }
    return .finished
  }
}
