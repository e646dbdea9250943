/// Ids of which something is known, remembered up to a number, the oldest forgotten first.
@usableFromInline
struct BoundedIDs<ID: Hashable & Sendable>: Sendable {
  /// The turn in which an id was last noted; a queue entry of another turn is out of date.
  @usableFromInline var turns: [ID: UInt64] = [:]
  private(set) var queue: [(id: ID, turn: UInt64)] = []
  private(set) var head = 0
  private(set) var turn: UInt64 = 0
  private let limit: Int
  var capture: IDCapture<ID>?

  @usableFromInline
  init(limit: Int) { self.limit = limit }

  @inlinable var isEmpty: Bool { turns.isEmpty }
  var count: Int { turns.count }

  @inlinable
  func contains(_ id: ID) -> Bool { turns[id] != nil }

  /// Notes an id; `extra` more than the limit may be remembered for the time being.
  ///
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func insert(_ id: ID, beyond extra: Int = 0) {
    if capture != nil { saveCaptured(id) }
    turn += 1
    turns[id] = turn
    queue.append((id, turn))
    while turns.count > limit + extra { forgetOldest() }
    // What is out of date is dropped once it is the larger part: O(1) a note, amortised.
    if queue.count > 64, queue.count > 2 * turns.count { compact() }
  }

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func remove(_ id: ID) {
    if capture != nil { saveCaptured(id) }
    turns[id] = nil
  }

  @usableFromInline
  mutating func removeAll() {
    if capture != nil { for id in turns.keys { saveCaptured(id) } }
    turns = [:]
    queue = []
    head = 0
  }

  private mutating func forgetOldest() {
    // An id whose hash has changed cannot be taken out one by one.
    guard head < queue.count else { return removeAll() }
    let oldest = queue[head]
    head += 1
    if turns[oldest.id] == oldest.turn { remove(oldest.id) }
  }

  private mutating func compact() {
    queue = queue[head...].filter { turns[$0.id] == $0.turn }
    head = 0
  }
}
