/// Adding the answers to queries to memory.
extension GraphCache {
  /// Adds an answer to memory, replacing stale records.
  ///
  /// - Parameters:
  ///   - answer: The records.
  ///   - number: The number of their type.
  ///   - moment: When the store was asked; on return, when the last of them was added.
  ///   - wanted: The ages required; on return, the actual ages.
  ///   - isPassing: Whether they bypass the recency order.
  ///   - query: The query that it answers, if it is open.
  /// - Returns: Memory's version of it.
  func merge<R: GraphRecord>(
    _ answer: [R], number: TypeNumber, since moment: inout CacheState.Moment,
    _ wanted: inout WantedAges?, passing isPassing: Bool, to query: OpenQueries.Number?
  ) -> [R]? {
    /// The records of the previous chunks; `nil` while they equal the answer.
    var records: [R]?
    for range in Chunk.ranges(answer.count, of: Chunk.medium) {
      let merged = merge(
        answer, range, number: number, since: &moment, &wanted, passing: isPassing, to: query)
      switch merged {
      case .late: return nil
      case .asAnswered: records?.append(contentsOf: answer[range])
      case .otherwise(let current):
        if records == nil {
          // Reserve room for all once: each further chunk is appended in place.
          var known: [R] = []
          known.reserveCapacity(answer.count)
          known.append(contentsOf: answer[..<range.lowerBound])
          records = known
        }
        records?.append(contentsOf: current)
      }
    }
    return records ?? answer
  }

  /// Memory's version of a part of an answer.
  fileprivate enum Merged<R: GraphRecord>: Sendable {
    /// Something was written after the store was asked, so nothing was added to memory.
    case late
    case asAnswered
    /// Memory has other versions of some records; these are the versions in memory.
    case otherwise([R])
  }

  private func merge<R: GraphRecord>(
    _ answer: [R], _ range: Range<Int>, number: TypeNumber,
    since moment: inout CacheState.Moment, _ wanted: inout WantedAges?, passing isPassing: Bool,
    to query: OpenQueries.Number?
  ) -> Merged<R> {
    let (before, wantedBefore) = (moment, wanted)
    let (merged, effects, after) = state.withLock { state in
      var (moment, wanted) = (before, wantedBefore)
      let (merged, outcome) = state.merge(
        answer, range, number: number, since: &moment, &wanted, passing: isPassing, to: query)
      return (merged, state.effects(of: outcome), (moment, wanted))
    }
    (moment, wanted) = after
    effects.perform()
    return merged
  }
}

extension CacheState {
  /// A moment before the store is asked.
  struct Moment: Hashable {
    fileprivate let version: UInt64
    fileprivate let storeWrites: UInt64
    let commits: UInt64
  }

  /// Adds a part of an answer to memory.
  ///
  /// Replacing a stale record in memory is a write, so the moment advances with it.
  fileprivate mutating func merge<R: GraphRecord>(
    _ answer: [R], _ range: Range<Int>, number: TypeNumber, since moment: inout Moment,
    _ wanted: inout WantedAges?, passing isPassing: Bool, to query: OpenQueries.Number?
  ) -> (GraphCache.Merged<R>, Loader.Outcome) {
    var changed: [R.ID] = []
    let merged = merge(answer[range], number: number, since: moment) { map, table in
      var absent: [R] = []
      if wanted != nil { changed = map.refresh(answer[range], &wanted, in: table) }
      if wanted?.age == nil {
        changed += map.endAbsences(of: answer[range], in: table)
      } else {
        absent = answer[range].filter { !map.contains($0.id, as: R.self) }
      }
      defer { map.date(absent, by: wanted) }
      return map.addLoaded(answer, range, passing: isPassing, in: table)
    }
    guard let ((loaded, current), outcome) = merged else { return (.late, Loader.Outcome()) }
    if wanted != nil || !changed.isEmpty { moment = self.moment }
    if !changed.isEmpty { publishChange(.written, of: IDs(changed, of: number), by: query) }
    loader.countLoaded(loaded)
    return (current.map { .otherwise($0) } ?? .asAnswered, outcome)
  }

  /// This moment.
  var moment: Moment {
    Moment(version: map.version, storeWrites: storeWrites.count, commits: map.commits)
  }

  /// Marks a type as complete in memory, if nothing was written or dropped since a moment.
  mutating func markComplete<R: GraphRecord>(
    _ type: R.Type, since moment: Moment, _ drops: UInt64, _ stamp: Stamp
  ) {
    guard isUnchanged(since: moment), map.drops == drops, let table = map.table(type),
      table.pointee.completeness != .untracked
    else { return }
    table.pointee.completeness = .complete
    table.pointee.completeSince = stamp
  }

  /// Whether memory has applied stored changes since a moment.
  func hasStored(since moment: Moment) -> Bool { map.commits != moment.commits }

  /// Returns whether an answer requested at a moment is still current: nothing was written since,
  /// in the store or in memory.
  func isUnchanged(since moment: Moment) -> Bool {
    !storeWrites.isUnderway && self.moment == moment
  }
}
