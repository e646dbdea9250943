/// The outcome of restoring records.
struct RestoreOutcome: Hashable, Sendable {
  /// The number of records restored; memory knew better about the others.
  var restored = 0
  /// Whether a record did not fit: then no less recently used one will.
  var isFull = false
}

/// Restoring the parts of a capture, within the closure of ``GraphCache/restoring(since:_:)``.
extension GraphCache {
  /// Restores records, after all records in memory in the recency order.
  ///
  /// - Parameters:
  ///   - runs: The records, none used more recently than one of an earlier call.
  ///   - elapsed: The time since the capture, which is added to the age of the records.
  /// - Returns: The outcome.
  /// - Complexity: O(*n* log *n*) in the records, on average.
  func restore(_ runs: [CapturedRun], after elapsed: Duration) -> RestoreOutcome {
    let list = RestorationList(runs, schema)
    var outcome = RestoreOutcome()
    for chunk in Chunk.ranges(list.order.count, of: Chunk.tiny) where !outcome.isFull {
      let (effects, chunkOutcome) = state.withLock { state in
        let outcome = state.restore(list, chunk, Age(elapsed), schema)
        return (state.effects(), outcome)
      }
      effects.perform()
      outcome.restored += chunkOutcome.restored
      outcome.isFull = chunkOutcome.isFull
    }
    return outcome
  }

  /// Restores the answer to a query.
  ///
  /// Call it before restoring the records, so that no change is missed.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - places: The positions in a store's log from which it must be brought up to date.
  func restore(_ answer: CapturedAnswer, since places: [StoreCursor]) {
    state.withLock { state in
      // W1: the log must still have to say what has changed since. It does not name this cache's
      // own writes.
      let hasWritten =
        state.storeWrites.count > 0 || state.storeWrites.isUnderway || state.pendingWrites > 0
      let isProven =
        !places.isEmpty && places.allSatisfy { state.follower?.mustPoll(from: $0) ?? true }
      var answer = answer
      answer.isProven = answer.isProven && isProven && !hasWritten
      state.observers.restore(answer)
    }
  }

  /// Restores the knowledge that ids do not exist; without a backing store, it does nothing.
  func restore(missing: IDs) {
    state.withLock { state in
      let ids = state.map.restoreMissing(missing, as: state.map.elementType(missing.type))
      if !ids.isEmpty { state.publishChange(.loaded, of: ids) }
      return state.effects()
    }.perform()
  }
}

/// Runs of records in their common recency order.
private struct RestorationList: Sendable {
  let runs: [CapturedRun]
  /// The closures that restore the values of each run, unpacked once.
  let restore: [Restore]
  /// The position of each value, by rank.
  let order: [(rank: Int, run: Int, index: Int)]

  init(_ runs: [CapturedRun], _ schema: GraphSchema) {
    self.runs = runs
    restore = runs.map { schema.type($0.type).restoring($0.values) }
    order = runs.indices.flatMap { run in
      zip(runs[run].ranks, runs[run].ages.indices).map { (rank: $0, run: run, index: $1) }
    }.sorted { $0.rank < $1.rank }
  }
}

extension CacheState {
  /// Restores a chunk of a list, and notifies the observers of records that were not in memory.
  fileprivate mutating func restore(
    _ list: RestorationList, _ chunk: Range<Int>, _ elapsed: Age, _ schema: GraphSchema
  ) -> RestoreOutcome {
    let now = map.clock.now
    var outcome = RestoreOutcome()
    var restored = [[Int]](repeating: [], count: list.runs.count)
    for (_, number, index) in list.order[chunk] {
      let stamp = now.before(by: list.runs[number].ages[index] + elapsed)
      switch list.restore[number](&map, index, stamp) {
      case .restored: restored[number].append(index)
      case .known: break
      case .full: outcome.isFull = true
      }
      if outcome.isFull { break }
    }
    for (run, indices) in zip(list.runs, restored) where !indices.isEmpty {
      outcome.restored += indices.count
      publishChange(
        .loaded, of: schema.type(run.type).ids(of: run, at: indices))
    }
    return outcome
  }
}

/// Restores one of a list of values with the time when it was learnt, unless its id is being
/// requested.
private typealias Restore = @Sendable (inout IdentityMap, Int, Stamp) -> RestoreResult

extension GraphRecord {
  /// Returns a closure that restores the values of a run.
  fileprivate static func restoring(_ values: any Sendable) -> Restore {
    let values = checked(values, as: [Self].self)
    return { map, index, stamp in
      guard let table = map.table(Self.self) else { return .known }
      return map.restore(values[index], stamp, in: table)
    }
  }

  fileprivate static func ids(of run: CapturedRun, at indices: [Int]) -> IDs {
    let records = checked(run.values, as: [Self].self)
    return IDs(indices.map { records[$0].id }, of: run.type)
  }
}
