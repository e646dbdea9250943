internal import Kinship

struct TierCopy: Sendable {
  /// When the far store had the record in this state: microseconds since 1970.
  var asOf: Int
  var bytes: Int
  /// The time of its last use, unique among copies.
  var used: Int
  /// The time of use that the near store has recorded.
  var writtenUse: Int
  /// The start moment of the call that fetched it.
  var moment: UInt64
}

/// The condition under which a copy may be returned.
struct TierUse: Sendable {
  let isInOutage: Bool
  /// The maximum age in microseconds; `Int.max` for no limit.
  let limit: Int
  let now: Int

  func allows(_ copy: TierCopy) -> Bool {
    if isInOutage { return limit == .max || (now &- copy.asOf).magnitude <= max(0, limit) }
    // A copy from the future may not be returned.
    return limit > 0 && 0...limit ~= now &- copy.asOf
  }
}

/// A copy that may be returned: the index of its id among the requested ones, and its time.
typealias FoundCopy = (place: Int, asOf: Int)

/// A reference to the table of one type, shared by all callers.
final class TierTables<ID: Hashable & Sendable>: Sendable {
  let table = Lock(TierTable<ID>())
}

struct TierTable<ID: Hashable & Sendable>: Sendable {
  /// A barrier that keeps results of earlier calls from being kept as copies.
  private struct Barrier {
    /// The number of writes of the record in flight.
    var writes = 0
    /// Results of calls that began before this moment may be stale.
    var last: UInt64 = 0
  }

  private(set) var copies: [ID: TierCopy] = [:]
  private var barriers: [ID: Barrier] = [:]
  /// Results of calls that began before this moment may be stale, for any id.
  var floor: UInt64 = 0
  /// Copies that still must be deleted because the near store failed.
  var pendingDeletions: Set<ID> = []
  /// Copies whose last use must still be written.
  private(set) var touched: Set<ID> = []

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func set(_ id: ID, to copy: TierCopy?) -> TierCopy? {
    touched.remove(id)
    guard let copy else { return copies.removeValue(forKey: id) }
    return copies.updateValue(copy, forKey: id)
  }

  /// Whether a result of a call that began at a moment may be kept: no later call has fetched the
  /// record, and no write has changed it since.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  func admits(_ id: ID, at moment: UInt64) -> Bool {
    if floor > moment { return false }
    // A3: a value requested before or during a write may be older than the write.
    if let barrier = barriers[id], barrier.writes > 0 || barrier.last > moment { return false }
    return copies[id].map { $0.moment <= moment } ?? true
  }

  /// Finds copies that may be used, by the indexes of their ids, and records the use.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func use(_ ids: [ID], _ use: TierUse, _ last: inout Int) -> [FoundCopy] {
    var found: [FoundCopy] = []
    found.reserveCapacity(ids.count)
    for (place, id) in ids.enumerated() {
      guard let index = copies.index(forKey: id), use.allows(copies.values[index]) else { continue }
      if !barriers.isEmpty, let barrier = barriers[id], barrier.writes > 0 { continue }
      last = max(last &+ 1, use.now)
      copies.values[index].used = last
      if last &- copies.values[index].writtenUse > Self.useStep { touched.insert(id) }
      found.append((place, copies.values[index].asOf))
    }
    return found
  }

  /// The minimum difference to the recorded use before it is written again: an hour.
  private static var useStep: Int { 3_600_000_000 }

  // MARK: Writes

  mutating func beginWrite(_ ids: [ID]) {
    for id in ids { barriers[id, default: Barrier()].writes += 1 }
  }

  /// Ends the writes of a call, and returns the ids that no other call has written meanwhile.
  mutating func endWrite(_ ids: [ID], _ began: UInt64, at moment: UInt64?) -> Set<ID> {
    var alone: Set<ID> = []
    for id in ids {
      var barrier = barriers[id] ?? Barrier(writes: 1)
      if barrier.writes == 1, barrier.last <= began { alone.insert(id) }
      barrier.writes -= 1
      if let moment { barrier.last = moment }
      barriers[id] = barrier
    }
    return alone
  }

  /// Rejects results of calls that began before a moment.
  mutating func rejectResults(_ id: ID, before moment: UInt64) {
    barriers[id, default: Barrier()].last = max(barriers[id]?.last ?? 0, moment)
  }

  /// Drops barriers that no call in flight needs.
  mutating func prune(before moment: UInt64) {
    barriers = barriers.filter { $0.value.writes > 0 || $0.value.last > moment }
  }

  var barrierCount: Int { barriers.count }
}

extension Duration {
  /// The duration in microseconds; the largest integer if it exceeds 30,000 years.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return seconds.magnitude > 1 << 40
      ? (seconds < 0 ? .min : .max) : Int(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
