extension Traversal {
  /// Continues ending the walk: releases its claims and makes the reached records the most recently
  /// used, in order, unless the plan is marked `passing`; returns whether that is all.
  ///
  /// It does not evict anything yet. The walk `isComplete` if all has been copied out.
  mutating func end(_ map: inout IdentityMap, isComplete: Bool, _ work: inout Int) -> Bool {
    // Each of these has no more than was worked on in one call.
    while ending.requests < requests.count {
      if work >= Self.stride { return false }
      ending.loaded += map.countPresent(requests[ending.requests])
      work += requests[ending.requests].count
      ending.requests += 1
    }
    while ending.claims < claims.count {
      if work >= Self.stride { return false }
      map.end(claims[ending.claims])
      work += claims[ending.claims].count
      ending.claims += 1
    }
    guard isComplete, found.missingRoot == nil else { return true }
    // If something was dropped since, a slot may be empty or hold another record.
    while !isPassing, ending.nodes < found.order.count, map.drops == drops {
      if work >= Self.stride { return false }
      let end = min(ending.nodes + Chunk.size, found.order.count)
      for node in found.order[ending.nodes..<end] {
        map.recency.touch(found.columns.slot(node))
      }
      work += end - ending.nodes
      ending.nodes = end
    }
    // Records that did not have to be loaded were in memory.
    map.tally.hits &+= max(0, found.order.count - ending.loaded)
    return true
  }

  /// Releases the results of earlier tries, and reserves room for those of the next call if that is
  /// much: not while the cache is locked.
  mutating func tidy() {
    discarded = []
    found.order.makeRoom()
    search.queue.makeRoom()
    found.columns.forEach { column in
      column.slots.makeRoom()
      column.edges.makeRoom()
      column.lists.makeRoom()
      column.generations.makeRoom()
      column.legs.makeRoom()
    }
  }
}

extension ContiguousArray {
  /// Reserves room for more: an array of many elements moves all of them when it grows.
  fileprivate mutating func makeRoom() {
    if count > 1 << 14, capacity - count < 1 << 13 { reserveCapacity(2 * count) }
  }
}
