/// For each slot, where the traversal at hand has put it in its column: a sparse set that is never
/// cleared, because an entry counts only if the column agrees (Briggs and Torczon, 1993).
struct TraversalMarks {
  var places: ContiguousArray<Int32> = []
  /// The traversal that wrote last; another one marks its nodes anew before it goes on.
  var owner: UInt64 = 0
  private var lastID: UInt64 = 0
  /// What the relationships of the run at hand lead to; kept for its memory.
  var followed: [FollowedSlots] = []

  /// Begins a walk that ends before any other goes on.
  mutating func begin(_ map: borrowing IdentityMap) {
    grow(to: map.pages.slotCount)
    owner = nextID()
  }

  mutating func grow(to count: Int) {
    let lack = count - places.count
    if lack > 0 { places.append(contentsOf: repeatElement(0, count: lack)) }
  }

  /// Makes room for what some relationships of a type lead to, as far as a plan follows them in a
  /// generation.
  ///
  /// - Returns: Whether it follows any.
  mutating func prepare(
    _ edges: [GraphSchema.Edge], for plan: CompiledPlan, in generation: Int
  ) -> Bool {
    while followed.count < edges.count { followed.append(FollowedSlots()) }
    var isAnyWanted = false
    for number in edges.indices {
      followed[number].removeAll()
      followed[number].isWanted = plan.limit(of: edges[number].id) > generation
      isAnyWanted = isAnyWanted || followed[number].isWanted
    }
    return isAnyWanted
  }

  /// Gives back the places of slots from a count on; a walk that is under way notes its own again.
  mutating func shrink(to count: Int) {
    guard count < places.count else { return }
    places = ContiguousArray(places.prefix(count))
    owner = 0
  }

  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }
}
