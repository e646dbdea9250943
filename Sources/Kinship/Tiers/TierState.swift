/// What a tiered store knows of its near store, without asking it.
struct TierState: Sendable {
  /// By type: its `TierTable`.
  private var tables = ErasedValues<ObjectIdentifier>()
  /// Whether what is near was read.
  var isOpen = false
  /// Rises with each call that begins or ends.
  private var moment: UInt64 = 0
  /// When those began that have not ended.
  private var running: Set<UInt64> = []
  /// When the copy that was used last was used.
  private var lastUse = 0
  var statistics = TierStatistics()

  func table<R: GraphRecord>(_ type: R.Type) -> TierTable<R> {
    tables.value(ObjectIdentifier(type), as: TierTable<R>.self) ?? TierTable()
  }

  mutating func change<R: GraphRecord, Result>(
    _ type: R.Type, _ body: (inout TierTable<R>) -> Result
  ) -> Result {
    tables.change(ObjectIdentifier(type), from: TierTable<R>(), body)
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

  mutating func use<R: GraphRecord>(
    _ type: R.Type, _ ids: [R.ID], at now: Int, where isUsable: (TierCopy) -> Bool
  ) -> [(place: Int, copy: TierCopy)] {
    var last = lastUse
    defer { lastUse = last }
    return change(type) { $0.use(ids, at: now, &last, where: isUsable) }
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
