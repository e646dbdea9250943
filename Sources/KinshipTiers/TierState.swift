internal import Kinship

/// What a tiered store knows of its near store, without asking it.
struct TierState: Sendable {
  /// By type: its `TierTables`, which are used while this is locked.
  private let tables: [ObjectIdentifier: any AnyObject & Sendable]
  /// Whether what is near was read.
  var isOpen = false
  /// Rises with each call that begins or ends.
  private var moment: UInt64 = 0
  /// When those began that have not ended.
  private var running: Set<UInt64> = []
  /// When the copy that was used last was used.
  private var lastUse = 0
  var statistics = TierStatistics()

  /// - Parameter types: The types of which there may be copies.
  init(_ types: [any GraphRecord.Type]) {
    func tables<R: GraphRecord>(_ type: R.Type) -> any AnyObject & Sendable { TierTables<R.ID>() }
    self.tables = Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), tables($0)) })
  }

  /// What is known of a type, as it is now.
  func table<R: GraphRecord>(_ type: R.Type) -> TierTable<R.ID> {
    change(type) { $0 }
  }

  func change<R: GraphRecord, Result: Sendable>(
    _ type: R.Type, _ body: (inout TierTable<R.ID>) -> Result
  ) -> Result {
    guard let tables = tables[ObjectIdentifier(type)] else { mixedUp(type, R.self) }
    // It was made so; debug builds check it.
    return unsafeDowncast(tables, to: TierTables<R.ID>.self).table.withLock { body(&$0) }
  }

  // MARK: Copies

  mutating func set<R: GraphRecord>(_ id: R.ID, of type: R.Type, to copy: TierCopy?) {
    let old = change(type) { $0.set(id, to: copy) }
    statistics.copies += (copy == nil ? 0 : 1) - (old == nil ? 0 : 1)
    statistics.bytes += (copy?.bytes ?? 0) - (old?.bytes ?? 0)
  }

  /// Takes in what is near as it is opened.
  mutating func open<R: GraphRecord>(_ type: R.Type, _ entries: [TierEntry<R>]) {
    let known = table(type)
    for entry in entries {
      if known.owed.contains(entry.id) || !known.admits(entry.id, at: moment) { continue }
      lastUse = max(lastUse, entry.used)
      // Whatever a file says, sums must not overflow.
      let bytes = min(max(0, entry.bytes), 1 << 32)
      set(
        entry.id, of: type,
        to: TierCopy(
          asOf: entry.asOf, bytes: bytes, used: entry.used, writtenUse: entry.used, moment: 0))
    }
  }

  /// Finds copies that may be used, and notes that they are.
  ///
  /// - Returns: The copies; `nil` if what is near was not read.
  mutating func use<R: GraphRecord>(
    _ type: R.Type, _ ids: [R.ID], _ use: TierUse
  ) -> [FoundCopy]? {
    if !isOpen { return nil }
    var last = lastUse
    let found = change(type) { $0.use(ids, use, &last) }
    lastUse = last
    return found
  }

  /// When a copy is used that is made now.
  mutating func nextUse(at now: Int) -> Int {
    lastUse = max(lastUse &+ 1, now)
    return lastUse
  }

  // MARK: Calls

  /// Begins a call.
  mutating func begin() -> UInt64 {
    moment += 1
    running.insert(moment)
    return moment
  }

  /// The moment at which something has ended.
  mutating func next() -> UInt64 {
    moment += 1
    return moment
  }

  /// Ends a call, and forgets what it alone had to know.
  mutating func end(_ began: UInt64, _ types: [any GraphRecord.Type]) {
    running.remove(began)
    let oldest = running.min() ?? moment
    func prune<R: GraphRecord>(_ type: R.Type) {
      if table(type).barCount > 0 { change(type) { $0.prune(before: oldest) } }
    }
    if running.isEmpty || moment.isMultiple(of: 256) { for type in types { prune(type) } }
  }
}
