/// Restores an earlier capture into a cache.
///
/// It is valid only within the closure of ``GraphCache/restoring(after:_:)``.
struct Restoration: Sendable {
  /// The outcome of a batch.
  struct Outcome: Hashable, Sendable {
    /// The number of values restored; memory knew better about the others.
    var restored = 0
    /// Whether a value did not fit: then no less recently used value will.
    var isFull = false
  }

  fileprivate let cache: GraphCache
  fileprivate let elapsed: Age

  init(cache: GraphCache, elapsed: Age) {
    self.cache = cache
    self.elapsed = elapsed
  }

  /// Restores records, after all records in memory in the recency order.
  ///
  /// - Parameter runs: The records, none used more recently than one of an earlier call.
  /// - Returns: The outcome.
  /// - Complexity: O(*n* log *n*) in the records, on average.
  func restore(_ runs: [CapturedRun]) async -> Outcome { await cache.restore(runs, elapsed) }

  /// Restores the knowledge that ids do not exist; without a backing store, it does nothing.
  ///
  /// - Parameter missing: The ids.
  /// - Returns: The number of ids that were unknown.
  /// - Complexity: O(*n*) in the ids, on average.
  func restore(_ missing: IDs) async -> Int { await cache.restore(missing) }

  /// Restores the answer to a query.
  ///
  /// Call it before restoring the records, so that no change is missed.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - places: The positions in a store's log from which it must be brought up to date.
  func restore(_ answer: CapturedAnswer, since places: [StoreCursor]) async {
    await cache.restore(answer, since: places)
  }

  /// Restores a named lease.
  ///
  /// Call it before restoring the records, so that the leased ones are held.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - needs: The ids that it held.
  /// - Returns: The lease.
  func lease(named name: String, on needs: [IDs]) -> GraphCache.Lease {
    cache.lease(on: needs, named: name)
  }
}

extension GraphCache {
  /// Restores records.
  fileprivate func restore(_ runs: [CapturedRun], _ elapsed: Age) -> Restoration.Outcome {
    let list = RestorationList(runs, schema)
    var outcome = Restoration.Outcome()
    for chunk in Chunk.ranges(list.order.count, of: Chunk.tiny) where !outcome.isFull {
      let (effects, chunkOutcome) = state.withLock { state in
        let outcome = state.restore(list, chunk, elapsed, schema)
        return (state.effects(), outcome)
      }
      effects.perform()
      outcome.restored += chunkOutcome.restored
      outcome.isFull = chunkOutcome.isFull
    }
    return outcome
  }

  fileprivate func restore(_ answer: CapturedAnswer, since places: [StoreCursor]) {
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

  fileprivate func restore(_ missing: IDs) -> Int {
    let (effects, count) = state.withLock { state in
      let count = state.restore(missing)
      return (state.effects(), count)
    }
    effects.perform()
    return count
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
  ) -> Restoration.Outcome {
    let now = map.clock.now
    var outcome = Restoration.Outcome()
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

  fileprivate mutating func restore(_ missing: IDs) -> Int {
    let ids = map.restoreMissing(missing, as: map.elementType(missing.type))
    if !ids.isEmpty { publishChange(.loaded, of: ids) }
    return ids.count
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
