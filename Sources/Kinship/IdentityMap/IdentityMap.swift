public import Synchronization

/// At most one value for each type and id, in recency order, within limits: the engine of the
/// cache.
///
/// It is synchronous and makes decisions; the actor around it waits. Values of all types share one
/// space of slots. A read takes one hash, one bucket, the value itself, and three links of the
/// recency list.
///
/// Claims are to ids, not to slots: a claimed id stays claimed while its value is absent, replaced
/// or removed. A claimed value is outside the recency order; when its last claim ends, it becomes
/// the most recently used.
@usableFromInline
package struct IdentityMap: ~Copyable {
  /// Never used: because of it, the map has an address.
  ///
  /// Without one the compiler would copy all of it, 640 bytes, to the stack for each call of a
  /// method that does not change it.
  @usableFromInline let anchor = Atomic<UInt8>(0)
  @usableFromInline let types: TypeIndex
  @usableFromInline let operations: ContiguousArray<TableOperations>
  @usableFromInline let limits: Limits
  /// The limits, extended by the values that were loaded for `passing` calls only.
  @usableFromInline var room: Limits
  /// The number of ids that only `passing` calls claim.
  @usableFromInline var passingCount = 0
  /// The values that were loaded for `passing` calls alone, and their costs at that time.
  @usableFromInline var passingClaims: [PassingClaim: Int] = [:]
  /// Whether a record that is not in memory does not exist, because there is no store.
  @usableFromInline let isAuthoritative: Bool
  @usableFromInline var tables: ContiguousArray<UnsafeMutableRawPointer>
  /// By the number of the type, the claims to its ids.
  @usableFromInline let claims: ContiguousArray<UnsafeMutablePointer<ClaimTable>>
  /// Ids that the store must not be asked for, if they are few.
  @usableFromInline var blockedFew: ContiguousArray<IDs> = []
  @usableFromInline var pages: Pages
  @usableFromInline var recency = RecencyList()
  /// The values of the captured moment, while there is a capture.
  @usableFromInline var captured: CapturedValues
  /// Whether values of an earlier moment are being restored.
  @usableFromInline var isRestoring = false
  /// Whether a restored value has reached the limits.
  @usableFromInline var isFull = false
  /// The clock that stamps writes.
  @usableFromInline var clock: StampClock
  @usableFromInline var count = 0
  @usableFromInline var cost = 0
  /// A counter that rises with each write: put, replacement, removal, invalidation.
  ///
  /// It does not rise with loads and evictions, which change what is known, not what is true.
  @usableFromInline var version: UInt64 = 0
  /// A counter that rises with each invalidation.
  @usableFromInline var invalidations: UInt64 = 0
  /// A counter that rises with each transaction that memory commits: stored records may have left
  /// memory at once.
  @usableFromInline var commits: UInt64 = 0
  /// The number of ids that have pending writes.
  @usableFromInline var pendingCount = 0
  /// A counter that rises with each freed slot: code that keeps a slot across calls compares it.
  @usableFromInline var drops: UInt64 = 0
  @usableFromInline var tally = Tally()
  /// By the number of the type, the due moments of its values, if they expire at all.
  @usableFromInline var due: ContiguousArray<DueSlots?> = []
  /// Whether a value expires earlier than any that was known before.
  @usableFromInline var isAlarmWanted = false
  /// Whether anyone listens to removals; only then are they collected.
  @usableFromInline var reportsRemovals = false
  @usableFromInline var removals: [RemovedElement] = []
  /// The number of values that left the tables and wait for the lock to be released.
  @usableFromInline var droppedCount = 0
  /// A bit for each type whose values may wait for it.
  @usableFromInline var droppedTypes: UInt64 = 0
  /// Other values that wait for it.
  @usableFromInline var dropped: [any Sendable] = []
  /// Whether all removed values stay in their pages for now, which are released as a whole.
  @usableFromInline var isEmptying = false
  /// The indexes of referrers, by the relationships for which they were requested.
  @usableFromInline var indexes: [EdgeID: AnyObject] = [:]

  init(
    operations: [TableOperations], limits: Limits, isAuthoritative: Bool,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    types = TypeIndex(operations.map(\.type))
    self.operations = ContiguousArray(operations)
    self.limits = limits
    room = limits
    self.isAuthoritative = isAuthoritative
    let missingLimit = Self.rememberedIDs(limits)
    tables = ContiguousArray(
      operations.indices.map { index in
        operations[index].type.makeTable(owner: TypeNumber(index), missingLimit: missingLimit)
      })
    claims = ContiguousArray(
      operations.map { _ in
        let table = UnsafeMutablePointer<ClaimTable>.allocate(capacity: 1)
        table.initialize(to: ClaimTable())
        return table
      })
    let layouts = operations.map { Pages.Layout($0.type) }
    pages = Pages(layouts: layouts)
    recency.grow(to: pages.slotCount)
    captured = CapturedValues(layouts: layouts)
    self.clock = StampClock(clock)
  }

  /// The number of known ids to remember, for each type and index.
  @usableFromInline var indexLimit: Int { Self.rememberedIDs(limits) }

  private static func rememberedIDs(_ limits: Limits) -> Int {
    min(max(limits.count, 1024), 1 << 20)
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit {
    for (table, operations) in zip(tables, operations) { operations.type.destroyTable(table) }
    for table in claims {
      table.deinitialize(count: 1)
      table.deallocate()
    }
  }

  /// The table of a type, or `nil` for a type that the map does not know.
  @inlinable
  func table<Element: Cacheable>(
    _ type: Element.Type
  ) -> UnsafeMutablePointer<RecordTable<Element>>? {
    guard let number = types[type] else { return nil }
    return tables[number].assumingMemoryBound(to: RecordTable<Element>.self)
  }

  /// The type with a number.
  func elementType(_ type: TypeNumber) -> any Cacheable.Type { operations[type].type }

  /// Takes the values that left the map since the last time.
  @inlinable
  mutating func takeRemovals() -> [RemovedElement] {
    if removals.isEmpty { return [] }
    defer { removals = [] }
    return removals
  }
}

extension Cacheable {
  fileprivate static func makeTable(
    owner: TypeNumber, missingLimit: Int
  ) -> UnsafeMutableRawPointer {
    let table = UnsafeMutablePointer<RecordTable<Self>>.allocate(capacity: 1)
    table.initialize(to: RecordTable(owner: owner, missingLimit: missingLimit))
    return UnsafeMutableRawPointer(table)
  }

  @usableFromInline
  static func destroyTable(_ raw: UnsafeMutableRawPointer) {
    let table = raw.assumingMemoryBound(to: RecordTable<Self>.self)
    table.deinitialize(count: 1)
    table.deallocate()
  }
}

extension Pages.Layout {
  fileprivate init(_ type: any Cacheable.Type) {
    func layout<Element: Cacheable>(_ type: Element.Type) -> Self { Self(of: type) }
    self = layout(type)
  }
}

/// The counters of the map.
@usableFromInline
struct Tally: Hashable, Sendable {
  @usableFromInline var hits = 0
  @usableFromInline var misses = 0
  @usableFromInline var evictedByCount = 0
  @usableFromInline var evictedByCost = 0
  @usableFromInline var evictedByTrim = 0
  @usableFromInline var evictedByRequest = 0
  @usableFromInline var replaced = 0
  @usableFromInline var removed = 0
  @usableFromInline var invalidated = 0
  @usableFromInline var expired = 0

  @inlinable
  init() {}
}

/// The limits of the map at rest.
@usableFromInline
struct Limits: Sendable {
  @usableFromInline let count: Int
  @usableFromInline let cost: Int

  init(count: Int, cost: Int) {
    self.count = max(0, count)
    self.cost = max(0, cost)
  }
}
