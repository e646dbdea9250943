/// Adding the answers to queries to memory.
extension GraphCache {
  /// Adds an answer to memory, replacing stale records.
  ///
  /// - Parameters:
  ///   - answer: The records.
  ///   - number: The number of their type.
  ///   - terms: The terms; on return, those for a later part of the answer.
  /// - Returns: Memory's version of it.
  func merge<R: GraphRecord>(
    _ answer: [R], number: TypeNumber, by terms: inout CacheState.AnswerTerms
  ) -> [R]? {
    /// The records of the previous chunks; `nil` while they equal the answer.
    var records: [R]?
    for range in Chunk.ranges(answer.count, of: Chunk.medium) {
      let (merged, effects, after) = state.withLock { [terms] state in
        var terms = terms
        let (merged, outcome) = state.merge(answer, range, number: number, by: &terms)
        return (merged, state.effects(of: outcome), terms)
      }
      terms = after
      effects.perform()
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
}

extension CacheState {
  /// A moment before the store is asked.
  struct Moment: Hashable {
    fileprivate let version: UInt64
    fileprivate let storeWrites: UInt64
    let commits: UInt64
  }

  /// The terms on which an answer is added to memory.
  struct AnswerTerms: Sendable {
    /// When the store was asked; later, when the last of its records were added.
    var moment: Moment
    /// The ages required; later, the actual ages.
    var wanted: WantedAges?
    /// Whether the records bypass the recency order.
    var isPassing = false
    /// The query that it answers, if it is open.
    var query: OpenQueries.Number?
  }

  /// Adds a part of an answer to memory.
  ///
  /// Replacing a stale record in memory is a write, so the moment advances with it.
  fileprivate mutating func merge<R: GraphRecord>(
    _ answer: [R], _ range: Range<Int>, number: TypeNumber, by terms: inout AnswerTerms
  ) -> (GraphCache.Merged<R>, Loader.Outcome) {
    var changed: [R.ID] = []
    let merged = merge(answer[range], number: number, since: terms.moment) { map, table in
      var absent: [R] = []
      if terms.wanted != nil { changed = map.refresh(answer[range], &terms.wanted, in: table) }
      if terms.wanted?.age == nil {
        changed += map.endAbsences(of: answer[range], in: table)
      } else {
        absent = answer[range].filter { !map.contains($0.id, as: R.self) }
      }
      defer { map.date(absent, by: terms.wanted) }
      return map.addLoaded(answer, range, passing: terms.isPassing, in: table)
    }
    guard let ((loaded, current), outcome) = merged else { return (.late, Loader.Outcome()) }
    if terms.wanted != nil || !changed.isEmpty { terms.moment = moment }
    if !changed.isEmpty { publishChange(.written, of: IDs(changed, of: number), by: terms.query) }
    loader.tally.loaded += loaded
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
