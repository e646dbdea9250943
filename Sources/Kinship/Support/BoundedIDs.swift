/// Ids of which something is known, remembered up to a number, the oldest forgotten first.
@usableFromInline
struct BoundedIDs<ID: Hashable & Sendable>: Sendable {
  /// The turn in which an id was last noted; a queue entry of another turn is out of date.
  @usableFromInline var turns: [ID: UInt64] = [:]
  private(set) var queue: [(id: ID, turn: UInt64)] = []
  private(set) var head = 0
  private(set) var turn: UInt64 = 0
  /// The last turn in which an id was noted of which nobody knows since when it is known.
  private var lastAgeless: UInt64 = 0
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
  /// Turns are moments and, within one, numbers: they rise, as moments do.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - moment: Since when it is known what is known of it; `nil` if nobody can tell.
  ///   - extra: How many more may be remembered.
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func insert(_ id: ID, at moment: UInt32? = nil, beyond extra: Int = 0) {
    if capture != nil { saveCaptured(id) }
    turn = max(turn + 1, UInt64(moment ?? 0) << 32)
    if moment == nil { lastAgeless = turn }
    turns[id] = turn
    queue.append((id, turn))
    while turns.count > limit + extra { forgetOldest() }
    // What is out of date is dropped once it is the larger part: O(1) a note, amortised.
    if queue.count > 64, queue.count > 2 * turns.count { compact() }
  }

  /// Whether an id was noted since a moment, for all that is known.
  func contains(_ id: ID, since moment: UInt32) -> Bool {
    guard let turn = turns[id] else { return false }
    return turn > lastAgeless && turn >> 32 >= moment
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
