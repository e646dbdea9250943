/// A bounded set of ids; it drops the oldest first.
///
/// No operation moves all entries at once, because the set changes while the cache is locked.
@usableFromInline
struct BoundedIDs<ID: Hashable & Sendable>: ~Copyable {
  /// An id, linked with those that were last noted before and after it.
  struct Note: Sendable {
    let id: ID
    let tag: UInt32
    /// The turn in which it was last noted.
    var turn: UInt64
    var previous: UInt32
    var next: UInt32
  }

  /// By the hash of an id, the position of its note, from 1 on.
  @usableFromInline var index = SlotIndex()
  /// In no order: the last one replaces one that is removed.
  private(set) var notes = PagedArray<Note>()
  private(set) var oldest = BoundedIDs.nowhere
  private var newest = BoundedIDs.nowhere
  private(set) var turn: UInt64 = 0
  /// The last turn in which an id was noted with an unknown moment.
  private var lastAgeless: UInt64 = 0
  private let limit: Int
  var capture: IDCapture<ID>?

  /// The place of no note.
  static var nowhere: UInt32 { .max }

  @usableFromInline
  init(limit: Int) { self.limit = limit }

  @inlinable
  @inline(__always)  // Unspecialised code would copy all of it for the call.
  var isEmpty: Bool { index.count == 0 }
  var count: Int { notes.count }

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  func contains(_ id: ID) -> Bool { find(id, SlotIndex.tag(of: id)) != nil }

  private func find(_ id: ID, _ tag: UInt32) -> UInt32? {
    index.find(tag) { notes[$0.index &- 1].id == id }.map { $0.rawValue &- 1 }
  }

  /// Notes an id; for the time being, `extra` more than the limit may be remembered.
  ///
  /// The moment is that since which the fact is known, or `nil` if that is unknown. Turns are
  /// moments and, within one, numbers: they rise, as moments do.
  ///
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func insert(_ id: ID, at moment: UInt32? = nil, beyond extra: Int = 0) {
    turn = max(turn + 1, UInt64(moment ?? 0) << 32)
    if moment == nil { lastAgeless = turn }
    let tag = SlotIndex.tag(of: id)
    if let place = find(id, tag) {
      unlink(place)
      notes[Int(place)].turn = turn
      linkAsNewest(place)
    } else {
      let place = UInt32(truncatingIfNeeded: notes.count)
      notes.append(
        Note(id: id, tag: tag, turn: turn, previous: Self.nowhere, next: Self.nowhere))
      index.insert(tag, Slot(place + 1))
      linkAsNewest(place)
    }
    while notes.count > limit + extra { remove(at: oldest) }
  }

  /// Returns whether an id was noted since a moment; `false` also if the note was dropped.
  func contains(_ id: ID, since moment: UInt32) -> Bool {
    guard let place = find(id, SlotIndex.tag(of: id)) else { return false }
    let turn = notes[Int(place)].turn
    return turn > lastAgeless && turn >> 32 >= moment
  }

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func remove(_ id: ID) {
    if let place = find(id, SlotIndex.tag(of: id)) { remove(at: place) }
  }

  @usableFromInline
  mutating func removeAll() {
    if capture != nil { for place in 0..<notes.count { saveCaptured(notes[place]) } }
    capture?.next = Self.nowhere
    index = SlotIndex()
    notes.removeAll()
    (oldest, newest) = (Self.nowhere, Self.nowhere)
  }

  private mutating func remove(at place: UInt32) {
    unlink(place)
    index.remove(notes[Int(place)].tag, Slot(place + 1))
    let last = notes.removeLast()
    let from = UInt32(truncatingIfNeeded: notes.count)
    if place == from { return }
    index.remove(last.tag, Slot(from + 1))
    index.insert(last.tag, Slot(place + 1))
    notes[Int(place)] = last
    join(last.previous, place)
    join(place, last.next)
    if capture?.next == from { capture?.next = place }
  }

  // MARK: The order

  private mutating func linkAsNewest(_ place: UInt32) {
    join(newest, place)
    join(place, Self.nowhere)
  }

  private mutating func unlink(_ place: UInt32) {
    let note = notes[Int(place)]
    if capture != nil { saveCaptured(note) }
    if capture?.next == place { capture?.next = note.next }
    join(note.previous, note.next)
  }

  /// Links one after another in the order; if either is nowhere, the other is at the end.
  private mutating func join(_ before: UInt32, _ after: UInt32) {
    if before == Self.nowhere { oldest = after } else { notes[Int(before)].next = after }
    if after == Self.nowhere { newest = before } else { notes[Int(after)].previous = before }
  }
}
