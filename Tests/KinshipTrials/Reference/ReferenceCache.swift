import Kinship
import KinshipMemoryPressure

/// The expected behaviour of a cache, in dictionaries and arrays: slow, and obviously right.
struct ReferenceCache: Sendable {
  /// A removed record, and the reason as the library names it.
  struct Removal: Hashable, Sendable {
    let key: Key
    let entry: Entry
    let reason: String
  }

  /// The counts.
  struct Tally: Hashable, Sendable {
    var hits = 0
    var misses = 0
    var loads = 0
    var absences = 0
    var batches = 0
    var queries = 0
    var evictionsByLimit = 0
    var evictionsByTrim = 0
    var evictionsByRequest = 0
    var replacements = 0
    var removals = 0
    var invalidations = 0
  }

  let capacity: Int
  let costLimit: Int
  let batchSize: Int
  /// The contents of the backing store; `nil` without one.
  var store: [Key: Entry]?
  /// The time, in tenths of a second.
  var now = 0
  /// The contents of memory.
  var records: [Key: Entry] = [:]
  /// Since when each key is known.
  var since: [Key: Int] = [:]
  /// The keys in memory that are not pinned, the most recently used first.
  var order: [Key] = []
  /// The number of leases and loads that hold a key.
  var pins: [Key: Int] = [:]
  /// The number of loads that hold a key whose record may pass, and of those whose records
  /// prevented an eviction.
  var kept: [Key: Int] = [:]
  var aside: Set<Key> = []
  /// The keys that were loaded by one-off scans only.
  var guests: Set<Key> = []
  /// The keys known to be missing.
  var missing: Set<Key> = []
  /// Since when each key is missing, if that is known.
  var missingSince: [Key: Int] = [:]
  /// The kinds of which memory has all the store's records.
  var whole: Set<Kind> = []
  /// Since when all of a kind are known, if a query asked for that.
  var wholeSince: [Kind: Int] = [:]
  /// The kinds with records that were put or restored.
  var told: Set<Kind> = []
  var tally = Tally()
  var isListening = false
  var removals: [Removal] = []

  init(capacity: Int, costLimit: Int, batchSize: Int, hasStore: Bool) {
    self.capacity = capacity
    self.costLimit = costLimit
    self.batchSize = batchSize
    store = hasStore ? [:] : nil
  }

  /// Whether the limits never evict anything.
  var isUnlimited: Bool { capacity == .max && costLimit == .max }

  /// The entry of a key, if memory may show it.
  func committedTruth(of key: Key) -> Entry? {
    records[key] ?? (missing.contains(key) ? nil : store?[key])
  }

  var cost: Int { records.values.reduce(0) { $0 + $1.effectiveCost } }

  private var isOverLimits: Bool {
    let costs = guests.reduce(0) { $0 + (records[$1]?.effectiveCost ?? 0) }
    return records.count - guests.count > capacity || cost - costs > costLimit
  }

  // MARK: Reading

  mutating func read(_ key: Key) -> Entry? {
    if records[key] == nil { tally.misses += 1 } else { tally.hits += 1 }
    touch(key)
    return records[key]
  }

  // MARK: Writing

  mutating func put(_ key: Key, _ entry: Entry) {
    tell(key.kind)
    missing.remove(key)
    if let old = records[key] {
      tally.replacements += 1
      report(key, old, "replaced")
      records[key] = entry
      since[key] = now
      touch(key)
    } else {
      insert(key, entry)
    }
    evictOverflow()
  }

  mutating func remove(_ key: Key) -> Entry? {
    tell(key.kind)
    noteMissing(key)
    guard let old = drop(key, "removed") else { return nil }
    tally.removals += 1
    return old
  }

  mutating func invalidate(_ key: Key) {
    whole.remove(key.kind)
    missing.remove(key)
    if drop(key, "invalidated") != nil { tally.invalidations += 1 }
  }

  mutating func removeAll() {
    for key in records.keys.sorted() where drop(key, "removed") != nil { tally.removals += 1 }
    missing = []
    (whole, told) = ([], [])
  }

  /// Notes a change in memory that the store may not know.
  mutating func tell(_ kind: Kind) {
    whole.remove(kind)
    told.insert(kind)
  }

  // MARK: Evicting

  mutating func evict(_ key: Key) -> Bool {
    guard pins[key] == nil, drop(key, "evicted") != nil else { return false }
    tally.evictionsByRequest += 1
    return true
  }

  mutating func trim(to count: Int) {
    while records.count > max(0, count), let last = order.last, drop(last, "evicted") != nil {
      tally.evictionsByTrim += 1
    }
  }

  mutating func trim(under level: MemoryPressure.Level) {
    let half = level == .warning ? cost / 2 : -1
    while cost > half, let last = order.last, drop(last, "evicted") != nil {
      tally.evictionsByTrim += 1
    }
  }

  mutating func evictOverflow() {
    while isOverLimits, let last = order.last {
      if kept[last] != nil {
        aside.insert(order.removeLast())
        continue
      }
      _ = drop(last, "evicted")
      tally.evictionsByLimit += 1
    }
  }

  // MARK: Pinning

  mutating func pin(_ key: Key) {
    pins[key, default: 0] += 1
    order.removeAll { $0 == key }
  }

  /// Removes a pin.
  ///
  /// A record whose last pin ends becomes the most recently used.
  mutating func unpin(_ key: Key) {
    pins[key, default: 0] -= 1
    guard pins[key] == 0 else { return }
    pins[key] = nil
    if records[key] != nil { order.insert(key, at: 0) }
  }

  /// Keeps a record in memory at its place in the order, unless it is pinned elsewhere.
  mutating func keep(_ key: Key) {
    if pins[key] == nil { kept[key, default: 0] += 1 } else { pin(key) }
  }

  mutating func endKeeping(_ key: Key) {
    guard let count = kept[key] else { return unpin(key) }
    kept[key] = count == 1 ? nil : count - 1
    guard count == 1 else { return }
    guests.remove(key)
    if aside.remove(key) != nil, records[key] != nil { order.append(key) }
  }

  // MARK: Parts

  /// Inserts a record of a one-off scan.
  mutating func insertPassing(_ key: Key, _ entry: Entry) {
    records[key] = entry
    since[key] = now
    if pins[key] == nil { order.append(key) }
    if kept[key] != nil { guests.insert(key) }
  }

  mutating func insert(_ key: Key, _ entry: Entry) {
    records[key] = entry
    since[key] = now
    if pins[key] == nil { order.insert(key, at: 0) }
  }

  mutating func noteMissing(_ key: Key) {
    missing.insert(key)
    missingSince[key] = now
  }

  mutating func touch(_ key: Key) {
    guard records[key] != nil, pins[key] == nil else { return }
    order.removeAll { $0 == key }
    order.insert(key, at: 0)
  }

  mutating func drop(_ key: Key, _ reason: String) -> Entry? {
    guard let old = records.removeValue(forKey: key) else { return nil }
    order.removeAll { $0 == key }
    if reason != "removed" { whole.remove(key.kind) }
    report(key, old, reason)
    return old
  }

  mutating func report(_ key: Key, _ entry: Entry, _ reason: String) {
    if isListening { removals.append(Removal(key: key, entry: entry, reason: reason)) }
  }
}
