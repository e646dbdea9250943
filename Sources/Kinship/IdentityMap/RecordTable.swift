/// Whether the values of a type in memory are known to be all that there are, as they are.
@usableFromInline
enum Wholeness: Sendable {
  case unknown
  case whole
  /// Memory was told something that the store may not know: it is not looked up any more.
  case told

  /// Notes that a value has left memory, or may be another by now.
  @inlinable
  mutating func noteLoss() { if self == .whole { self = .unknown } }
}

/// What the map knows of one type: where each value is, which ids are claimed, which are missing.
@usableFromInline
struct RecordTable<Element: Cacheable>: ~Copyable {
  @usableFromInline let owner: TypeNumber
  @usableFromInline var index: SlotIndex
  @usableFromInline var cost: Int
  /// The ids that are claimed, by their places in the table of claims.
  @usableFromInline var claimedIDs: PagedArray<Element.ID>
  /// Ids that the store must not be asked for, besides a few (`IdentityMap.barredFew`).
  @usableFromInline var barred: Set<Element.ID>
  @usableFromInline var missing: BoundedIDs<Element.ID>
  /// What is committed of the ids of which pending writes show something else.
  @usableFromInline var beneath: [Element.ID: Beneath<Element>]
  /// Ids of which more was learnt since a restoration began than what is restored can know.
  @usableFromInline var outdated: Set<Element.ID>
  /// Who follows the values of the type through every change; most often nobody.
  @usableFromInline private(set) var watchers: ContiguousArray<Watcher<Element>>
  /// Whether anybody does.
  ///
  /// Code that is not made for the type would look up the array's, to ask whether it is empty.
  @usableFromInline private(set) var isWatched: Bool
  /// Whether the values in memory are all that there are.
  @usableFromInline var wholeness: Wholeness
  /// If they are, since when each of them is known; 0 if that was not asked.
  @usableFromInline var wholeSince: Stamp
  /// The values that left since the lock was taken.
  @usableFromInline var dropped: DroppedValues<Element>

  @inlinable
  init(owner: TypeNumber, missingLimit: Int) {
    self.owner = owner
    index = SlotIndex()
    cost = 0
    claimedIDs = PagedArray()
    barred = []
    missing = BoundedIDs(limit: missingLimit)
    beneath = [:]
    outdated = []
    watchers = []
    isWatched = false
    wholeness = .unknown
    wholeSince = Stamp(0)
    dropped = DroppedValues()
  }

  /// Notes that a value does not exist.
  ///
  /// Who waits for many ids claims them: what is learnt of one must not be forgotten before the
  /// last.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - stamp: When that was learnt; `nil` if nobody can tell.
  ///   - claims: How many ids of the type are claimed.
  @inlinable
  mutating func noteMissing(_ id: Element.ID, _ stamp: Stamp?, claims: Int) {
    missing.insert(id, at: stamp?.rawValue, beyond: claims)
  }

  /// Has somebody follow the values from now on.
  mutating func add(_ watcher: Watcher<Element>) {
    watchers.append(watcher)
    isWatched = true
  }

  /// Notes that more was learnt of an id than what is restored can know.
  @usableFromInline
  mutating func noteOutdated(_ id: Element.ID) { outdated.insert(id) }
}

// Asked of where a table lies: a method of the table itself would be given a copy of all that it
// consists of.
extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Tells who follows the values of a change.
  ///
  /// - Parameters:
  ///   - old: What was there; `nil` if nothing was.
  ///   - new: What is there now; `nil` if nothing is.
  ///   - reason: Why it has left, if it has.
  @inlinable
  @inline(never)  // Most often there is nobody.
  func tell<Element: Cacheable>(
    _ old: UnsafePointer<Element>?, _ new: UnsafePointer<Element>?, _ reason: RemovalReason?
  ) where Pointee == RecordTable<Element> {
    for watcher in pointee.watchers { watcher.change(old, new, reason) }
  }

  /// Whether an id is known not to exist.
  ///
  /// To look it up in code that is not made for the type copies what is looked through: most often
  /// that is empty.
  @inlinable
  func isMissing<Element: Cacheable>(
    _ id: Element.ID
  ) -> Bool where Pointee == RecordTable<Element> {
    !pointee.missing.isEmpty && pointee.missing.contains(id)
  }

  /// The slot of the value with an id, if it is in memory.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func find<Element: Cacheable>(
    _ id: Element.ID, _ tag: UInt32, in pages: borrowing Pages
  ) -> Slot? where Pointee == RecordTable<Element> {
    pointee.index.find(tag) { slot in pages.pointer(to: slot, as: Element.self).pointee.id == id }
  }

  /// The same for code that is not made for the type: it copies no value to ask it for its id.
  func findUncopied<Element: Cacheable>(
    _ id: Element.ID, in pages: borrowing Pages
  ) -> Slot? where Pointee == RecordTable<Element> {
    pointee.index.find(SlotIndex.tag(of: id)) { pages.id(of: $0, as: Element.self) == id }
  }

  @inlinable
  func find<Element: Cacheable>(
    _ id: Element.ID, in pages: borrowing Pages
  ) -> Slot? where Pointee == RecordTable<Element> {
    find(id, SlotIndex.tag(of: id), in: pages)
  }

  /// The slots of many ids, `Slot.none` where a value is not in memory.
  ///
  /// First candidates are found by the hashes of all ids, then the candidates' values are asked for
  /// their ids.
  ///
  /// - Complexity: O(*n*) on average.
  @inlinable
  func find<Element: Cacheable>(
    _ ids: some RandomAccessCollection<Element.ID>, in pages: borrowing Pages,
    _ slots: UnsafeMutableBufferPointer<Slot>
  ) where Pointee == RecordTable<Element> {
    pointee.index.findCandidates(of: ids, slots)
    var number = 0
    for id in ids {
      let slot = slots[number]
      if slot != .none, pages.pointer(to: slot, as: Element.self).pointee.id != id {
        slots[number] = find(id, in: pages) ?? .none
      }
      number &+= 1
    }
  }

  /// What is known of an id whose value is not in memory.
  @usableFromInline
  func absence<Element: Cacheable>(
    of id: Element.ID
  ) -> Slot where Pointee == RecordTable<Element> {
    isMissing(id) ? .missing : .absent
  }
}
