extension Traversal {
  /// Copies the records out, a stride at a time, and the ids that turned out not to exist.
  mutating func copyOut(_ map: inout IdentityMap, work: Int) -> Step {
    var work = work
    for type in found.columns.indices {
      while found.columns[type].copied < found.columns[type].slots.count {
        if work >= Self.stride { return yield(&map) }
        let start = found.columns[type].copied
        let end = min(found.columns[type].slots.count, start + Self.stride - work)
        let slots = Array(found.columns[type].slots[start..<end])
        found.columns[type].copies.append(map.operations[type].copy(map, slots[...]))
        found.columns[type].copied = end
        work += end - start
      }
    }
    for ids in idLists(of: found.missing, map) { found.columns[ids.type].missing.append(ids) }
    return .finished
  }
}
