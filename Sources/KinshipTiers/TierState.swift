internal import Kinship

/// The state of the near store as the tiered store knows it, without reading it.
struct TierState: Sendable {
  /// A `TierTables` for each type.
  ///
  /// Access them only while this state is locked.
  private let tables: [ObjectIdentifier: any AnyObject & Sendable]
  var isOpen = false
  /// Increases when a call begins or ends.
  private var moment: UInt64 = 0
  /// The start moments of the calls in flight.
  private var running: Set<UInt64> = []
  private var lastUse = 0
  var statistics = TierStatistics()

  init(_ types: [any GraphRecord.Type]) {
    func tables<R: GraphRecord>(_ type: R.Type) -> any AnyObject & Sendable { TierTables<R.ID>() }
    self.tables = Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), tables($0)) })
  }

  func table<R: GraphRecord>(_ type: R.Type) -> TierTable<R.ID> {
    change(type) { $0 }
  }

  func change<R: GraphRecord, Result: Sendable>(
    _ type: R.Type, _ body: (inout TierTable<R.ID>) -> Result
  ) -> Result {
    guard let tables = tables[ObjectIdentifier(type)] else { failMixedTypes(type, R.self) }
    // `init` created it with this type; debug builds check it.
    return unsafeDowncast(tables, to: TierTables<R.ID>.self).table.withLock { body(&$0) }
  }

  // MARK: Copies

  mutating func set<R: GraphRecord>(_ id: R.ID, of type: R.Type, to copy: TierCopy?) {
    let old = change(type) { $0.set(id, to: copy) }
    statistics.copies += (copy == nil ? 0 : 1) - (old == nil ? 0 : 1)
    statistics.bytes += (copy?.bytes ?? 0) - (old?.bytes ?? 0)
  }

  /// Adds the entries of the near store when it is opened.
  mutating func open<R: GraphRecord>(_ type: R.Type, _ entries: [TierEntry<R>]) {
    let known = table(type)
    for entry in entries {
      if known.pendingDeletions.contains(entry.id) || !known.admits(entry.id, at: moment) {
        continue
      }
      lastUse = max(lastUse, entry.used)
      // A damaged file must not make the sums overflow.
      let bytes = min(max(0, entry.bytes), 1 << 32)
      set(
        entry.id, of: type,
        to: TierCopy(
          asOf: entry.asOf, bytes: bytes, used: entry.used, writtenUse: entry.used, moment: 0))
    }
  }

  /// Finds copies that may be used, and records the use; `nil` if the near store was not read yet.
  mutating func use<R: GraphRecord>(
    _ type: R.Type, _ ids: [R.ID], _ use: TierUse
  ) -> [FoundCopy]? {
    if !isOpen { return nil }
    var last = lastUse
    let found = change(type) { $0.use(ids, use, &last) }
    lastUse = last
    return found
  }

  /// The time of use for a copy that is made now.
  mutating func nextUse(at now: Int) -> Int {
    lastUse = max(lastUse &+ 1, now)
    return lastUse
  }

  // MARK: Calls

  mutating func begin() -> UInt64 {
    moment += 1
    running.insert(moment)
    return moment
  }

  /// The moment at which a call ends.
  mutating func next() -> UInt64 {
    moment += 1
    return moment
  }

  /// Ends a call, and drops the state that only this call needed.
  mutating func end(_ began: UInt64, _ types: [any GraphRecord.Type]) {
    running.remove(began)
    let oldest = running.min() ?? moment
    func prune<R: GraphRecord>(_ type: R.Type) {
      if table(type).barrierCount > 0 { change(type) { $0.prune(before: oldest) } }
    }
    if running.isEmpty || moment.isMultiple(of: 256) { for type in types { prune(type) } }
  }
}
