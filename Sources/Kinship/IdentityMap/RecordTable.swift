/// Whether the values of a type in memory are known to be complete and current.
@usableFromInline
enum TypeCompleteness: Sendable {
  case unknown
  case complete
  /// Memory was written without the store, so completeness is not tracked.
  case untracked

  /// Ends completeness: a value has left memory, or may have changed.
  @inlinable
  mutating func markIncomplete() { if self == .complete { self = .unknown } }
}

/// The map's knowledge of one type: the slots of values, the claimed ids, the missing ids.
@usableFromInline
struct RecordTable<Element: Cacheable>: ~Copyable {
  @usableFromInline let owner: TypeNumber
  @usableFromInline var index = SlotIndex()
  @usableFromInline var cost = 0
  /// The ids that are claimed, by their places in the table of claims.
  @usableFromInline var claimedIDs = PagedArray<Element.ID>()
  /// Ids that the store must not be asked for, except for a few (`IdentityMap.blockedFew`).
  @usableFromInline var blocked: Set<Element.ID> = []
  @usableFromInline var missing: BoundedIDs<Element.ID>
  /// The committed values of the ids that have pending writes.
  @usableFromInline var baseValues: [Element.ID: BaseValue<Element>] = [:]
  /// Ids of which more was learnt since a restoration began than the restored values can know.
  @usableFromInline var outdated: Set<Element.ID> = []
  /// The watchers that follow every change of the type's values; usually none.
  @usableFromInline private(set) var watchers: ContiguousArray<Watcher<Element>> = []
  /// Whether there are any.
  ///
  /// Unspecialised code would look up the array's type to check whether it is empty.
  @usableFromInline private(set) var isWatched = false
  /// Whether the values in memory are complete.
  @usableFromInline var completeness = TypeCompleteness.unknown
  /// If they are, the moment since which each of them is known; 0 if that was not requested.
  @usableFromInline var completeSince = Stamp(0)
  /// The values that left since the lock was taken.
  @usableFromInline var dropped = DroppedValues<Element>()

  init(owner: TypeNumber, missingLimit: Int) {
    self.owner = owner
    missing = BoundedIDs(limit: missingLimit)
  }

  /// Records that a value does not exist, as known since a moment, if that is known.
  ///
  /// A call that waits for many ids claims them: the knowledge of one must not be dropped before
  /// the last has arrived, so that as many more are remembered as there are claims.
  @inlinable
  mutating func addMissing(_ id: Element.ID, _ stamp: Stamp?, claims: Int) {
    missing.insert(id, at: stamp?.rawValue, beyond: claims)
  }

  /// Adds a watcher that follows the values from now on.
  mutating func add(_ watcher: Watcher<Element>) {
    watchers.append(watcher)
    isWatched = true
  }

  /// Marks an id as outdated: more is known of it than restored values can know.
  @usableFromInline
  mutating func markOutdated(_ id: Element.ID) { outdated.insert(id) }
}

// These are methods of the pointer: a method of the table itself would receive a copy of it.
extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Notifies the watchers of a change: of the old value, the new one, and the reason if it has
  /// left.
  @inlinable
  @inline(never)  // Usually there are no watchers.
  func notifyWatchers<Element: Cacheable>(
    _ old: UnsafePointer<Element>?, _ new: UnsafePointer<Element>?, _ reason: RemovalReason?
  ) where Pointee == RecordTable<Element> {
    for watcher in pointee.watchers { watcher.change(old, new, reason) }
  }

  /// Returns whether an id is known not to exist.
  ///
  /// In unspecialised code, a lookup copies the set, which is usually empty.
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
    pointee.index.find(tag) { slot in pages.pointer(to: slot, as: Element.self).id == id }
  }

  @inlinable
  func find<Element: Cacheable>(
    _ id: Element.ID, in pages: borrowing Pages
  ) -> Slot? where Pointee == RecordTable<Element> {
    find(id, SlotIndex.tag(of: id), in: pages)
  }

  /// Returns the slots of many ids, `Slot.none` for values that are not in memory.
  ///
  /// It finds candidates by the hashes of all ids first, and then compares the ids of their values.
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
      if slot != .none, pages.pointer(to: slot, as: Element.self).id != id {
        slots[number] = find(id, in: pages) ?? .none
      }
      number &+= 1
    }
  }

  /// Returns the knowledge of an id whose value is not in memory.
  @usableFromInline
  func absence<Element: Cacheable>(
    of id: Element.ID
  ) -> Slot where Pointee == RecordTable<Element> {
    isMissing(id) ? .missing : .absent
  }
}
