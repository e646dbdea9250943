public import Synchronization

/// At most one value for each type and id, in order of use, within limits: the engine of the cache.
///
/// It is synchronous and decides; the actor around it waits. Values of all types lie in one space
/// of slots. A read is one hash, one bucket, the value itself, and three links of the recency list.
///
/// Claims are to ids, not to slots: a claimed id stays claimed while its value is absent, replaced
/// or removed. A claimed value is outside the order of use; when its last claim ends, it becomes
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
  /// The limits, with room for guests: see `welcome`.
  @usableFromInline var room: Limits
  /// How many ids are claimed by calls alone that let values pass.
  @usableFromInline var passingCount: Int
  /// What came in for them alone, and what it cost then.
  @usableFromInline var guests: [Guest: Int]
  /// Whether what is not in memory does not exist: there is no store that may have it.
  @usableFromInline let isAuthoritative: Bool
  @usableFromInline var tables: ContiguousArray<UnsafeMutableRawPointer>
  /// By the number of the type: which of its ids are claimed.
  @usableFromInline let claims: ContiguousArray<UnsafeMutablePointer<ClaimTable>>
  /// Ids that the store must not be asked for, where they are few.
  @usableFromInline var barredFew: ContiguousArray<IDs>
  @usableFromInline var pages: Pages
  @usableFromInline var recency: RecencyList
  /// The values of the captured moment, while there is a capture.
  @usableFromInline var captured: CapturedValues
  /// Whether values of an earlier time are being restored.
  @usableFromInline var isRestoring: Bool
  /// Whether what is restored has found the limits reached.
  @usableFromInline var isFull: Bool
  /// The stamps of what is written.
  @usableFromInline var clock: StampClock
  @usableFromInline var count: Int
  @usableFromInline var cost: Int
  /// Rises with each write: put, replacement, removal, invalidation.
  ///
  /// Not with loads and evictions, which change what is known, not what is true.
  @usableFromInline var version: UInt64
  /// Rises with each invalidation.
  @usableFromInline var forgettings: UInt64
  /// Rises with each transaction that memory takes over: what it has stored may have left memory at
  /// once.
  @usableFromInline var commits: UInt64
  /// How many ids pending writes have changed.
  @usableFromInline var pendingCount: Int
  /// Rises with each slot given back: what holds a slot across calls compares it.
  @usableFromInline var drops: UInt64
  @usableFromInline var tally: Tally
  /// By the number of the type, if the values of any leave with age: when which of them do.
  @usableFromInline var due: ContiguousArray<DueSlots?>
  /// Whether a value leaves earlier than any that was known before.
  @usableFromInline var isAlarmWanted: Bool
  /// Whether anybody listens to removals; only then are they collected.
  @usableFromInline var reportsRemovals: Bool
  @usableFromInline var removals: [RemovedElement]
  /// How many values left the tables and wait for the lock to be released.
  @usableFromInline var droppedCount: Int
  /// A bit for each type of which values may wait for it.
  @usableFromInline var droppedTypes: UInt64
  /// What else waits for it.
  @usableFromInline var dropped: [any Sendable]
  /// Whether all that leaves stays in its page for now, which is given up as a whole.
  @usableFromInline var isEmptying: Bool
  /// Who refers to whom, by relationships for which that was asked.
  @usableFromInline var indexes: [EdgeID: AnyObject]

  init(
    operations: [TableOperations], limits: Limits, isAuthoritative: Bool,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    types = TypeIndex(operations.map(\.type))
    self.operations = ContiguousArray(operations)
    self.limits = limits
    room = limits
    passingCount = 0
    guests = [:]
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
    barredFew = []
    let layouts = operations.map { Pages.Layout($0.type) }
    pages = Pages(layouts: layouts)
    recency = RecencyList()
    recency.grow(to: pages.slotCount)
    captured = CapturedValues(layouts: layouts)
    isRestoring = false
    isFull = false
    self.clock = StampClock(clock)
    count = 0
    cost = 0
    version = 0
    forgettings = 0
    commits = 0
    pendingCount = 0
    drops = 0
    tally = Tally()
    due = []
    isAlarmWanted = false
    reportsRemovals = false
    removals = []
    droppedCount = 0
    droppedTypes = 0
    dropped = []
    isEmptying = false
    indexes = [:]
  }

  /// How many ids of which something is known are remembered, for each type and index.
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

  /// Takes what left the map since the last time.
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

/// What the map counts as it works.
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
