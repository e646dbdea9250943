/// For each slot, where the traversal at hand has put it in its column: a sparse set that is never
/// cleared, because an entry counts only if the column agrees (Briggs and Torczon, 1993).
struct TraversalMarks {
  /// In pieces, each of which is made when the first place in it is noted.
  private(set) var pieces: ContiguousArray<ContiguousArray<Int32>> = []
  /// The traversal that wrote last; another one marks its nodes anew before it goes on.
  var owner: UInt64 = 0
  private var lastID: UInt64 = 0
  /// What the relationships of the run at hand lead to; kept for its memory.
  var followed: [FollowedSlots] = []

  private static var pieceSize: Int { 4096 }

  /// Begins a walk that ends before any other goes on.
  mutating func begin() { owner = nextID() }

  /// Where the slot may be in its column.
  subscript(slot: Slot) -> Int {
    let number = slot.index / Self.pieceSize
    guard number < pieces.count, !pieces[number].isEmpty else { return 0 }
    return Int(pieces[number][slot.index % Self.pieceSize])
  }

  /// Notes where a slot is in its column.
  mutating func note(_ slot: Slot, at place: Int) {
    let number = slot.index / Self.pieceSize
    while number >= pieces.count { pieces.append([]) }
    if pieces[number].isEmpty {
      pieces[number] = ContiguousArray(repeating: 0, count: Self.pieceSize)
    }
    pieces[number][slot.index % Self.pieceSize] = Int32(truncatingIfNeeded: place)
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
      followed[number].isWanted = plan.limit(of: edges[number].id) > generation
      isAnyWanted = isAnyWanted || followed[number].isWanted
    }
    return isAnyWanted
  }

  /// Gives back the places of slots from a count on; a walk that is under way notes its own again.
  mutating func shrink(to count: Int) {
    let needed = (count + Self.pieceSize - 1) / Self.pieceSize
    guard needed < pieces.count else { return }
    pieces.removeSubrange(needed...)
    owner = 0
  }

  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }
}
