/// How far the ids of a captured moment were taken, and what was forgotten before it was.
struct IDCapture<ID: Hashable & Sendable>: Sendable {
  /// The last turn before the moment.
  let last: UInt64
  /// Up to which turn ids were taken.
  var taken: UInt64 = 0
  /// Ids that were forgotten, or noted anew, before they were taken.
  var displaced: [ID] = []
}

extension BoundedIDs {
  /// Begins to capture the ids of this moment.
  @usableFromInline
  mutating func beginCapture() { capture = IDCapture(last: turn) }

  /// Takes some ids of the captured moment.
  ///
  /// - Parameter limit: How many notes to look at: as many ids at most.
  /// - Returns: The ids; `nil` once all were taken.
  @usableFromInline
  mutating func takeCaptured(limit: Int) -> [ID]? {
    guard var taking = capture else { return nil }
    var ids: [ID] = []
    var index = firstNote(after: taking.taken)
    let end = min(index + limit, queue.count)
    while index < end, queue[index].turn <= taking.last {
      if turns[queue[index].id] == queue[index].turn { ids.append(queue[index].id) }
      taking.taken = queue[index].turn
      index += 1
    }
    if ids.isEmpty, index == queue.count || queue[index].turn > taking.last {
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

  /// Keeps an id of the captured moment before what is noted of it changes.
  mutating func saveCaptured(_ id: ID) {
    guard let taking = capture, let turn = turns[id], turn > taking.taken, turn <= taking.last
    else {
      return
    }
    capture?.displaced.append(id)
  }

  /// Where the notes after a turn begin: they are in the order of their turns.
  private func firstNote(after turn: UInt64) -> Int {
    var low = head
    var high = queue.count
    while low < high {
      let middle = low + (high - low) / 2
      if queue[middle].turn <= turn { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
