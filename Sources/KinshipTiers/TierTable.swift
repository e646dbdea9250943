internal import Kinship

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

  /// Notes that it is used.
  ///
  /// - Returns: How much later that is than what is written.
  mutating func use(at time: Int) -> Int {
    used = time
    return time &- writtenUse
  }
}

/// Which copies may be answered.
struct TierUse: Sendable {
  /// Whether the far store is out of reach.
  let isInOutage: Bool
  /// How old they may be: microseconds, as many as there can be for any age.
  private let limit: Int
  let now: Int

  /// Those that are young enough to be answered without asking.
  static func fresh(within limit: Duration, at now: Int) -> TierUse {
    TierUse(isInOutage: false, limit: limit.microseconds, now: now)
  }

  /// Those that are answered since the far store is out of reach.
  static func inOutage(within limit: Duration?, at now: Int) -> TierUse {
    TierUse(isInOutage: true, limit: limit?.microseconds ?? .max, now: now)
  }

  func allows(_ copy: TierCopy) -> Bool {
    if isInOutage { return limit == .max || (now &- copy.asOf).magnitude <= max(0, limit) }
    // One from the future is not.
    return limit > 0 && 0...limit ~= now &- copy.asOf
  }
}

/// A copy that may be answered.
struct FoundCopy: Sendable {
  /// The place of its id among those that were asked for.
  let place: Int
  let asOf: Int
}

/// What is known of the copies of one type, for all who ask.
final class TierTables<ID: Hashable & Sendable>: Sendable {
  let table = Lock(TierTable<ID>())
}

/// What is known of the copies of one type.
struct TierTable<ID: Hashable & Sendable>: Sendable {
  /// What keeps copies of a record from being made.
  private struct Bar {
    /// How many writes of it have begun and not ended.
    var writes = 0
    /// What was asked before this moment may be outdated.
    var last: UInt64 = 0
  }

  private(set) var copies: [ID: TierCopy] = [:]
  private var bars: [ID: Bar] = [:]
  /// What was asked before this moment may be outdated, whatever it names.
  var floor: UInt64 = 0
  /// Copies that were to be taken out when the near store failed.
  var owed: Set<ID> = []
  /// Copies whose last use is to be written.
  private(set) var touched: Set<ID> = []

  /// Changes or forgets what is known of a copy.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func set(_ id: ID, to copy: TierCopy?) -> TierCopy? {
    touched.remove(id)
    guard let copy else { return copies.removeValue(forKey: id) }
    return copies.updateValue(copy, forKey: id)
  }

  /// Whether what was asked at a moment may be kept: no later call has brought it, and no write has
  /// changed it since.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  func admits(_ id: ID, at moment: UInt64) -> Bool {
    if floor > moment { return false }
    if let bar = bars[id], bar.writes > 0 || bar.last > moment { return false }
    return copies[id].map { $0.moment <= moment } ?? true
  }

  /// Finds copies that may be used, and notes that they are.
  ///
  /// - Parameters:
  ///   - ids: Their ids.
  ///   - use: Which may be.
  ///   - last: When the copy that was used last was used.
  /// - Returns: The places of their ids, and of when the copies are.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func use(_ ids: [ID], _ use: TierUse, _ last: inout Int) -> [FoundCopy] {
    var found: [FoundCopy] = []
    found.reserveCapacity(ids.count)
    for (place, id) in ids.enumerated() {
      guard let index = copies.index(forKey: id), use.allows(copies.values[index]) else { continue }
      if !bars.isEmpty, let bar = bars[id], bar.writes > 0 { continue }
      last = max(last &+ 1, use.now)
      let isWrittenLongAgo = copies.values[index].use(at: last) > Self.useStep
      if isWrittenLongAgo { touched.insert(id) }
      found.append(FoundCopy(place: place, asOf: copies.values[index].asOf))
    }
    return found
  }

  /// How much later a copy must have been used for that to be written: an hour.
  private static var useStep: Int { 3_600_000_000 }

  // MARK: Writes

  mutating func beginWrite(_ ids: [ID]) {
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
  mutating func endWrite(_ ids: [ID], _ began: UInt64, at moment: UInt64?) -> Set<ID> {
    var alone: Set<ID> = []
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
  mutating func bar(_ id: ID, before moment: UInt64) {
    bars[id, default: Bar()].last = max(bars[id]?.last ?? 0, moment)
  }

  /// Forgets what bars nobody any longer.
  mutating func prune(before moment: UInt64) {
    bars = bars.filter { $0.value.writes > 0 || $0.value.last > moment }
  }

  var barCount: Int { bars.count }
}
