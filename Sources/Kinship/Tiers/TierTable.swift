/// A copy in the near store.
struct TierCopy: Sendable {
  /// When the far store had the record so: microseconds since 1970.
  var asOf: Int
  var bytes: Int
  /// When it was used last: of two copies, never the same.
  var used: Int
  /// What of that is written in the near store.
  var writtenUse: Int
  /// The moment of the call that brought it.
  var moment: UInt64

  /// How old it is: of one from the future nobody knows more than how far off it is.
  func age(at now: Int) -> Duration { .microseconds((now &- asOf).magnitude) }

  /// Whether it is young enough to be answered without asking.
  func isFresh(within limit: Duration, at now: Int) -> Bool {
    limit > .zero && asOf <= now && age(at: now) <= limit
  }
}

/// What is known of the copies of one type.
struct TierTable<R: GraphRecord>: Sendable {
  /// What keeps copies of a record from being made.
  private struct Bar {
    /// How many writes of it have begun and not ended.
    var writes = 0
    /// What was asked before this moment may be outdated.
    var last: UInt64 = 0
  }

  private(set) var copies: [R.ID: TierCopy] = [:]
  private var bars: [R.ID: Bar] = [:]
  /// What was asked before this moment may be outdated, whatever it names.
  var floor: UInt64 = 0
  /// Copies that were to be taken out when the near store failed.
  var owed: Set<R.ID> = []
  /// Copies whose last use is to be written.
  private(set) var touched: Set<R.ID> = []

  /// Changes or forgets what is known of a copy.
  mutating func set(_ id: R.ID, to copy: TierCopy?) -> TierCopy? {
    touched.remove(id)
    guard let copy else { return copies.removeValue(forKey: id) }
    return copies.updateValue(copy, forKey: id)
  }

  /// Whether what was asked at a moment may be kept: no later call has brought it, and no write has
  /// changed it since.
  func admits(_ id: R.ID, at moment: UInt64) -> Bool {
    if floor > moment { return false }
    if let bar = bars[id], bar.writes > 0 || bar.last > moment { return false }
    return copies[id].map { $0.moment <= moment } ?? true
  }

  /// Finds copies that may be used, and notes that they are.
  ///
  /// - Parameters:
  ///   - ids: Their ids.
  ///   - now: The time.
  ///   - last: When the copy that was used last was used.
  ///   - isUsable: Whether one may be.
  /// - Returns: The places of their ids, and the copies.
  mutating func use(
    _ ids: [R.ID], at now: Int, _ last: inout Int, where isUsable: (TierCopy) -> Bool
  ) -> [(place: Int, copy: TierCopy)] {
    var found: [(place: Int, copy: TierCopy)] = []
    found.reserveCapacity(ids.count)
    for (place, id) in ids.enumerated() {
      guard let index = copies.index(forKey: id), isUsable(copies.values[index]) else { continue }
      if !bars.isEmpty, let bar = bars[id], bar.writes > 0 { continue }
      last = max(last &+ 1, now)
      copies.values[index].used = last
      let copy = copies.values[index]
      if copy.used &- copy.writtenUse > Self.useStep { touched.insert(id) }
      found.append((place, copy))
    }
    return found
  }

  /// How much later a copy must have been used for that to be written: an hour.
  private static var useStep: Int { 3_600_000_000 }

  // MARK: Writes

  mutating func beginWrite(_ ids: [R.ID]) {
    for id in ids { bars[id, default: Bar()].writes += 1 }
  }

  /// Ends the writes of a call.
  ///
  /// - Parameters:
  ///   - ids: The ids of what was to be written.
  ///   - began: The moment at which it began.
  ///   - moment: The moment from which on the records may be asked for; `nil` if nothing was
  ///     changed.
  /// - Returns: The ids that nobody else has written meanwhile.
  mutating func endWrite(_ ids: [R.ID], _ began: UInt64, at moment: UInt64?) -> Set<R.ID> {
    var alone: Set<R.ID> = []
    for id in ids {
      var bar = bars[id] ?? Bar(writes: 1)
      if bar.writes == 1, bar.last <= began { alone.insert(id) }
      bar.writes -= 1
      if let moment { bar.last = moment }
      bars[id] = bar
    }
    return alone
  }

  /// Keeps what was asked before a moment from being kept.
  mutating func bar(_ id: R.ID, before moment: UInt64) {
    bars[id, default: Bar()].last = max(bars[id]?.last ?? 0, moment)
  }

  /// Forgets what bars nobody any longer.
  mutating func prune(before moment: UInt64) {
    bars = bars.filter { $0.value.writes > 0 || $0.value.last > moment }
  }

  var barCount: Int { bars.count }
}
