/// The reader that captures the recency order: one of each kind at a time.
@usableFromInline
enum LinkReader: CaseIterable, Sendable {
  case snapshot
  /// A call that names records in their order.
  case naming
}

extension RecencyList {
  /// Begins to capture the order of this moment.
  mutating func beginCapture(
    by reader: LinkReader = .snapshot, pieceSize: Int = CapturedLinks.usualPieceSize
  ) {
    captured[reader] = CapturedLinks(count: links.count, pieceSize: pieceSize)
    isCaptured = true
  }

  /// Copies a piece of the links of the captured moment; returns whether there are more.
  mutating func captureLinks(_ piece: Int, by reader: LinkReader = .snapshot) -> Bool {
    captured[reader]?.copy(piece, of: links)
    return piece + 1 < captured[reader]?.pieceCount ?? 0
  }

  /// Takes the links of the captured moment, all of which must have been copied.
  mutating func takeCapturedLinks(by reader: LinkReader = .snapshot) -> CapturedLinks {
    let links = captured.removeValue(forKey: reader)
    isCaptured = !captured.isEmpty
    return links ?? CapturedLinks()
  }

  /// Copies the links that a change at a slot may touch: its own, those beside it, and both ends of
  /// the order.
  @usableFromInline
  @inline(never)
  mutating func saveLinks(around slot: Slot) {
    let link = links[slot.index]
    let ends = links[0]
    for index in [slot.rawValue, link.previous, link.next, 0, ends.previous, ends.next] {
      for reader in LinkReader.allCases { captured[reader]?.copyPiece(of: index, from: links) }
    }
  }

  /// Removes all slots; returns the memory of most.
  mutating func removeAll() -> DroppedMemory {
    for reader in LinkReader.allCases {
      for piece in 0..<(captured[reader]?.pieceCount ?? 0) {
        captured[reader]?.copy(piece, of: links)
      }
    }
    links[0] = Link(previous: 0, next: 0, tag: 0, stamp: Stamp(0))
    return shrink(to: 1)
  }
}
