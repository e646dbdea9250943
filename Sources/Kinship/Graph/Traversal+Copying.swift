extension Traversal {
  /// Copies the records out, a stride at a time, and the ids that turned out not to exist.
  ///
  /// - Returns: Whether that is all.
  mutating func copyOut(_ map: borrowing IdentityMap, _ work: inout Int) -> Bool {
    if found.isCopied { return true }
    for type in found.columns.made.map(\.type.index) {
      while found.columns[type].copied < found.columns[type].slots.count {
        if work >= Self.stride { return false }
        let start = found.columns[type].copied
        let end = min(found.columns[type].slots.count, start + Self.stride - work)
        let slots = Array(found.columns[type].slots[start..<end])
        found.columns[type].copies.append(map.operations[type].copy(map, slots[...]))
        found.columns[type].copied = end
        work += end - start
      }
    }
    for ids in schema.idLists(of: found.missing, map) {
      found.columns[ids.type.index].missing.append(ids)
    }
    found.isCopied = true
    return true
  }
}
