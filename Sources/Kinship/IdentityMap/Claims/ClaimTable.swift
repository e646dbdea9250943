/// The ids of one type that callers keep in memory or wait for.
///
/// A claim keeps its place as long as it exists: its caller finds it by its place, and need not
/// hash the id again, nor look for the value. The ids are in the table of the type.
@usableFromInline
struct ClaimTable: ~Copyable {
  /// The position of a claim, from 1 on.
  @usableFromInline typealias Place = UInt32

  @usableFromInline
  struct Row: BitwiseCopyable {
    /// The hash of the id.
    @usableFromInline var tag: UInt32
    /// The slot of the value; `Slot.none` while it is not in memory.
    @usableFromInline var slot: Slot
    /// The number of claims to the id; in a free row, the next free place.
    @usableFromInline var claimants: UInt32
    /// The call that claimed it last, to recognise an id that a call names repeatedly.
    @usableFromInline var turn: UInt32
    /// The number of the request that loads it, from 1 on; 0 if there is none.
    @usableFromInline var request: UInt32
    /// Whether the store must not be asked for it.
    @usableFromInline var isBlocked: Bool
    /// Whether all its claims are from `passing` calls.
    @usableFromInline var isPassing: Bool

    @inlinable
    init(tag: UInt32, slot: Slot) {
      self.tag = tag
      self.slot = slot
      claimants = 0
      turn = 0
      request = 0
      isBlocked = false
      isPassing = false
    }
  }

  @usableFromInline var rows = PagedBuffer(repeating: Row(tag: 0, slot: .none), count: 1)
  /// From an id's hash to the place of its claim.
  @usableFromInline var index = SlotIndex()
  @usableFromInline var firstFree: Place = 0
  @usableFromInline var turn: UInt32 = 0

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit {}

  @inlinable var count: Int { index.count }
  @inlinable var isEmpty: Bool { index.count == 0 }

  @inlinable
  subscript(place: Place) -> Row {
    get { rows[Int(place)] }
    set { rows[Int(place)] = newValue }
  }

  /// The place of the claim with the tag for which `matches` is true, or 0.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func find(_ tag: UInt32, where matches: (Place) -> Bool) -> Place {
    index.find(tag) { matches($0.rawValue) }?.rawValue ?? 0
  }

  /// The place of the claim to the value in a slot, or 0.
  @inlinable
  func find(_ tag: UInt32, _ slot: Slot) -> Place {
    find(tag) { place in self[place].slot == slot }
  }

  /// Adds a claim that is not there yet.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  mutating func add(_ tag: UInt32, _ slot: Slot) -> Place {
    var place = firstFree
    if place == 0 {
      place = Place(truncatingIfNeeded: rows.count)
      rows.grow(to: rows.count &+ 1, with: Row(tag: tag, slot: slot))
    } else {
      firstFree = self[place].claimants
      self[place] = Row(tag: tag, slot: slot)
    }
    index.insert(tag, Slot(place))
    return place
  }

  /// Adds one more claimant.
  ///
  /// - Returns: Whether it was made; not if the call with the given number has made it already.
  @usableFromInline
  mutating func addClaimant(_ place: Place, _ turn: UInt32?) -> Bool {
    if let turn {
      if self[place].turn == turn { return false }
      rows[Int(place)].turn = turn
    }
    rows[Int(place)].claimants &+= 1
    return true
  }

  /// Removes a claim that nobody has any longer.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(_ place: Place) {
    index.remove(self[place].tag, Slot(place))
    self[place].claimants = firstFree
    firstFree = place
  }

  /// Drops the places, when there is no claim left; returns memory to be freed once the lock is
  /// released.
  mutating func clear() -> [DroppedMemory] {
    firstFree = 0
    if rows.count <= Chunk.large {
      rows.shrink(to: 1)
      return []
    }
    turn = 0
    return [rows.dropPages(to: 1), index.removeAll()]
  }
}

/// Ids of one type, by number, that a caller keeps in memory or waits for: places in the table of
/// claims.
@usableFromInline
struct Claims: Sendable {
  @usableFromInline let type: TypeNumber
  @usableFromInline let places: ContiguousArray<ClaimTable.Place>

  @usableFromInline
  init(type: TypeNumber, places: ContiguousArray<ClaimTable.Place>) {
    self.type = type
    self.places = places
  }

  var count: Int { places.count }

  /// The claims in chunks, each for one hold of a lock.
  var chunks: [Claims] {
    if count <= Chunk.size { return [self] }
    return Chunk.ranges(count).map { Claims(type: type, places: ContiguousArray(places[$0])) }
  }
}
