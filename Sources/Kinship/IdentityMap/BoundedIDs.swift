/// A bounded set of ids; it drops the oldest first.
///
/// No operation moves all entries at once, because the set changes while the cache is locked.
@usableFromInline
struct BoundedIDs<ID: Hashable & Sendable>: ~Copyable {
  /// An id, linked with those that were last noted before and after it.
  struct Note: Sendable {
    let id: ID
    let tag: UInt32
    /// The moment since which the fact is known; `nil` if that is unknown.
    var moment: UInt32?
    var previous: UInt32
    var next: UInt32
  }

  /// By the hash of an id, the position of its note, from 1 on.
  @usableFromInline var index = SlotIndex()
  /// In no order: the last one replaces one that is removed.
  private var notes = PagedArray<Note>()
  private var oldest = BoundedIDs.nowhere
  private var newest = BoundedIDs.nowhere
  private let limit: Int
  /// The notes of a captured moment, and the place of the next one to take; those that are equal
  /// share their memory with the current ones.
  private var captured: (notes: PagedArray<Note>, next: UInt32)?

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
  /// The moment is that since which the fact is known, or `nil` if that is unknown.
  ///
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func insert(_ id: ID, at moment: UInt32? = nil, beyond extra: Int = 0) {
    let tag = SlotIndex.tag(of: id)
    if let place = find(id, tag) {
      unlink(place)
      notes[Int(place)].moment = moment
      linkAsNewest(place)
    } else {
      let place = UInt32(truncatingIfNeeded: notes.count)
      notes.append(
        Note(id: id, tag: tag, moment: moment, previous: Self.nowhere, next: Self.nowhere))
      index.insert(tag, Slot(place + 1))
      linkAsNewest(place)
    }
    while notes.count > limit + extra { remove(at: oldest) }
  }

  /// Returns whether an id was noted since a moment; `false` also if the note was dropped.
  func contains(_ id: ID, since moment: UInt32) -> Bool {
    guard let place = find(id, SlotIndex.tag(of: id)), let known = notes[Int(place)].moment else {
      return false
    }
    return known >= moment
  }

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func remove(_ id: ID) {
    if let place = find(id, SlotIndex.tag(of: id)) { remove(at: place) }
  }

  @usableFromInline
  mutating func removeAll() {
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
  }

  // MARK: Capturing

  /// Begins to capture the ids of this moment.
  mutating func beginCapture() { captured = (notes, oldest) }

  /// Returns ids of the captured moment, at most as many as a limit, the oldest first; `nil` once
  /// all were taken.
  mutating func takeCaptured(limit: Int) -> [ID]? {
    guard let notes = captured?.notes, var next = captured?.next, next != Self.nowhere else {
      return nil
    }
    var ids: [ID] = []
    while ids.count < limit, next != Self.nowhere {
      ids.append(notes[Int(next)].id)
      next = notes[Int(next)].next
    }
    captured?.next = next
    return ids
  }

  mutating func endCapture() { captured = nil }

  // MARK: The order

  private mutating func linkAsNewest(_ place: UInt32) {
    join(newest, place)
    join(place, Self.nowhere)
  }

  private mutating func unlink(_ place: UInt32) {
    let note = notes[Int(place)]
    join(note.previous, note.next)
  }

  /// Links one after another in the order; if either is nowhere, the other is at the end.
  private mutating func join(_ before: UInt32, _ after: UInt32) {
    if before == Self.nowhere { oldest = after } else { notes[Int(before)].next = after }
    if after == Self.nowhere { newest = before } else { notes[Int(after)].previous = before }
  }
}
