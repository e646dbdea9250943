/// The progress of capturing ids, and the ids that were dropped before they were taken.
struct IDCapture<ID: Hashable & Sendable>: Sendable {
  /// The last turn before the moment.
  let last: UInt64
  /// The position of the next note to take; nowhere if there is none.
  var next: UInt32
  /// The turn up to which ids were taken.
  var taken: UInt64 = 0
  /// Ids that were dropped, or noted again, before they were taken.
  var displaced: [ID] = []
}

extension BoundedIDs {
  /// Begins to capture the ids of this moment.
  @usableFromInline
  mutating func beginCapture() { capture = IDCapture(last: turn, next: oldest) }

  /// Takes some ids of the captured moment.
  ///
  /// - Parameter limit: The maximum number of ids.
  /// - Returns: The ids; `nil` once all were taken.
  @usableFromInline
  mutating func takeCaptured(limit: Int) -> [ID]? {
    guard var taking = capture else { return nil }
    var ids: [ID] = []
    while ids.count < limit, taking.next != Self.nowhere {
      let note = notes[Int(taking.next)]
      if note.turn > taking.last { break }
      ids.append(note.id)
      (taking.taken, taking.next) = (note.turn, note.next)
    }
    if ids.isEmpty {
      taking.taken = taking.last
      if taking.displaced.isEmpty { return nil }
      ids = taking.displaced.suffix(limit)
      taking.displaced.removeLast(ids.count)
    }
    capture = taking
    return ids
  }

  @usableFromInline
  mutating func endCapture() { capture = nil }

  /// Saves an id of the captured moment before its note changes.
  mutating func saveCaptured(_ note: Note) {
    guard let taking = capture, note.turn > taking.taken, note.turn <= taking.last else { return }
    capture?.displaced.append(note.id)
  }
}
