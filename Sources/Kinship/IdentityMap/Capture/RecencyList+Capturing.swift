extension RecencyList {
  /// Begins to capture the order of this moment.
  mutating func beginCapture(pieceSize: Int) {
    captured = CapturedLinks(count: links.count, pieceSize: pieceSize)
    isCaptured = true
  }

  /// Copies a piece of the links of the captured moment.
  ///
  /// - Returns: Whether there are more.
  mutating func captureLinks(_ piece: Int) -> Bool {
    captured.copy(piece, of: links)
    return piece + 1 < captured.pieceCount
  }

  /// Takes the links of the captured moment, all of which must have been copied.
  mutating func takeCapturedLinks() -> CapturedLinks {
    defer { endCapture() }
    return captured
  }

  mutating func endCapture() {
    isCaptured = false
    captured = CapturedLinks()
  }

  /// Copies what a change at a slot may touch: its link, those beside it, and both ends of the
  /// order.
  @usableFromInline
  @inline(never)
  mutating func saveLinks(around slot: Slot) {
    let link = links[slot.index]
    let ends = links[0]
    for index in [slot.rawValue, link.previous, link.next, 0, ends.previous, ends.next] {
      captured.copyPiece(of: index, from: links)
    }
  }

  /// Takes all slots out, and gives the memory back.
  mutating func removeAll() {
    if isCaptured {
      for piece in 0..<captured.pieceCount { captured.copy(piece, of: links) }
    }
    links = Self.noLinks
  }
}
