/// The links of the recency order at a captured moment, copied piece by piece.
///
/// Either the reader of the capture or a change of a link in a piece copies it, whichever is first.
@usableFromInline
struct CapturedLinks: Sendable {
  /// The number of links in a piece, except in tests: 64 KB of them.
  static var usualPieceSize: Int { Chunk.size * 8 }

  /// The pieces; one that is not copied yet is empty.
  private var pieces: ContiguousArray<ContiguousArray<RecencyList.Link>> = []
  private(set) var count = 0
  private var pieceSize = usualPieceSize

  init() {}

  /// Begins to capture a number of links; none is copied yet.
  ///
  /// - Complexity: O(*n*) in the pieces, a word each.
  init(count: Int, pieceSize: Int) {
    self.count = count
    self.pieceSize = pieceSize
    pieces = ContiguousArray(repeating: [], count: (count + pieceSize - 1) / pieceSize)
  }

  var pieceCount: Int { pieces.count }

  /// A link, which must have been copied.
  subscript(index: UInt32) -> RecencyList.Link {
    pieces[Int(index) / pieceSize][Int(index) % pieceSize]
  }

  /// Returns the slots in recency order, except for those that were held; all must have been
  /// copied.
  func slots(mostRecentFirst: Bool, limit: Int) -> [Slot] {
    var slots: [Slot] = []
    if count == 0 { return slots }
    slots.reserveCapacity(min(limit, count))
    var link = self[0]
    while slots.count < limit {
      let slot = Slot(mostRecentFirst ? link.next : link.previous)
      if slot == .none { break }
      slots.append(slot)
      link = self[slot.rawValue]
    }
    return slots
  }

  /// Copies a piece, unless it is copied already.
  mutating func copy(_ piece: Int, of links: borrowing PagedBuffer<RecencyList.Link>) {
    guard pieces[piece].isEmpty else { return }
    let start = piece * pieceSize
    let end = min(start + pieceSize, count)
    pieces[piece].reserveCapacity(end - start)
    for index in start..<end { pieces[piece].append(links[index]) }
  }

  /// Copies the piece of a link, if the link existed at the moment.
  mutating func copyPiece(of index: UInt32, from links: borrowing PagedBuffer<RecencyList.Link>) {
    if Int(index) < count { copy(Int(index) / pieceSize, of: links) }
  }
}

/// The slots of a captured moment: the held ones first, then from the most to the least recently
/// used.
struct CapturedOrder: Sendable {
  typealias Element = (slot: Slot, stamp: Stamp)

  private let links: CapturedLinks
  /// The position up to which held slots were looked for.
  private var examined: UInt32 = 0
  /// The last slot in the recency order that was returned; `nil` once there are no more.
  private var last: Slot? = Slot.none

  init(_ links: CapturedLinks) { self.links = links }

  /// The next slot, with the stamp of its value.
  ///
  /// - Complexity: O(1) amortised.
  mutating func next() -> Element? {
    while Int(examined) + 1 < links.count {
      examined += 1
      let link = links[examined]
      if link.isHeld { return (Slot(examined), link.stamp) }
    }
    guard let known = last, links.count > 0 else { return nil }
    let slot = Slot(links[known.rawValue].next)
    last = slot == .none ? nil : slot
    return last.map { ($0, links[$0.rawValue].stamp) }
  }
}
