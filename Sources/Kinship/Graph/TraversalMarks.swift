/// The position of each slot in its column, for the current traversal: a sparse set that is never
/// cleared, because an entry counts only if the column agrees (Briggs and Torczon, 1993).
struct TraversalMarks {
  /// In pieces, each of which is made when the first place in it is set.
  private(set) var pieces: ContiguousArray<ContiguousArray<Int32>> = []
  /// The traversal that wrote last; another one marks its nodes again before it goes on.
  var owner: UInt64 = 0
  private var lastID: UInt64 = 0
  /// The targets of the current run's relationships; kept to reuse the memory.
  var followed: [FollowedSlots] = []

  private static var pieceSize: Int { 4096 }

  /// Begins a walk that ends before any other goes on.
  mutating func begin() { owner = nextID() }

  /// The possible position of the slot in its column.
  subscript(slot: Slot) -> Int {
    let number = slot.index / Self.pieceSize
    guard number < pieces.count, !pieces[number].isEmpty else { return 0 }
    return Int(pieces[number][slot.index % Self.pieceSize])
  }

  /// Sets the place of a slot in its column.
  mutating func setPlace(_ slot: Slot, at place: Int) {
    let number = slot.index / Self.pieceSize
    while number >= pieces.count { pieces.append([]) }
    if pieces[number].isEmpty {
      pieces[number] = ContiguousArray(repeating: 0, count: Self.pieceSize)
    }
    pieces[number][slot.index % Self.pieceSize] = Int32(truncatingIfNeeded: place)
  }

  /// Reserves room for the targets of a type's relationships that a plan follows in a generation;
  /// returns whether it follows any.
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

  /// Frees the positions of slots from a count on; a walk in progress sets its own again.
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
