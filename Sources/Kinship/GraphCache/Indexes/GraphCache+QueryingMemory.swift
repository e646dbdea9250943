/// Queries answered from memory.
extension GraphCache {
  /// Answers a query from memory if it is known to hold all records of the type.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - number: The number of the type.
  ///   - oldest: The time since which records are fresh; `nil` if any age is.
  ///   - body: Answers it.
  /// - Returns: The answer; `nil` if the store must be asked.
  /// - Throws: Any error that the closure throws.
  func answeringFromMemory<R: GraphRecord, Answer>(
    _ query: RecordQuery<R>, _ number: TypeNumber, since oldest: Stamp?,
    _ body: () throws -> Answer
  ) async throws -> Answer? {
    dropIfTooStale()
    guard isComplete(R.self, since: oldest) else { return nil }
    await prepareIndexes(for: query, number)
    guard isComplete(R.self, since: oldest) else { return nil }
    let answer = try body()
    // The end of a lease on another thread may have evicted a record.
    return isComplete(R.self, since: oldest) ? answer : nil
  }

  /// Returns the records in memory that match a query, using an index if that is better.
  ///
  /// - Complexity: With an index, O(*m* log *n*) for the *m* records that it leads to; otherwise
  ///   O(*n*) in the records of the type.
  nonisolated func queryMemory<R: GraphRecord>(_ query: RecordQuery<R>, _ number: TypeNumber) throws
    -> [R]
  {
    if let answer = try queryIndex(query, number) { return answer }
    let found = try scan(query.selection, number)
    QueryTrace.record { $0.recordsLookedAt += self.count(of: R.self) }
    return query.arranged(found)
  }

  /// Returns the records in memory that match a query, if an index leads to them.
  nonisolated func queryIndex<R: GraphRecord>(
    _ query: RecordQuery<R>, _ number: TypeNumber
  ) throws -> [R]? {
    if R.indexes.isEmpty { return nil }
    let plan = state.withLock { state -> IndexPlan? in
      guard let indexes = state.indexes(of: number, as: R.self) else { return nil }
      return indexes.ids.flatMap { query.plan(in: $0) }
    }
    guard let plan else { return nil }
    return try plan.answer(to: query) { walk, skipped, records in
      let (ids, rest) = state.withLock { state -> ([R.ID], Chunk.Ranges) in
        let ids = state.indexes(of: number, as: R.self)?.ids?.ids(in: plan.index, walk) ?? []
        var ranges = Chunk.ranges(ids.count, from: skipped, of: Chunk.medium)
        if let first = ranges.next() { R.indexes.read(ids, first, state.map, &records) }
        return (ids, ranges)
      }
      for range in rest { state.withLock { R.indexes.read(ids, range, $0.map, &records) } }
      return ids.count
    }
  }

  /// Builds a type's indexes over the records in memory if they may serve a query, unless they
  /// exist or are being built.
  func prepareIndexes<R: GraphRecord>(for query: RecordQuery<R>, _ number: TypeNumber) async {
    let type = R.self
    if R.indexes.isEmpty || state.withLock({ $0.indexes[number] != nil }) { return }
    guard R.indexes.canServe(query) else { return }
    let pages = state.withLock { state in
      state.beginIndexes(of: number, as: type, isReady: false)
      return state.map.pages.bases.count
    }
    var records: [R] = []
    // Meanwhile the cache notes which records change.
    for pages in Chunk.ranges(pages, of: Chunk.pages) {
      if pages.lowerBound % Chunk.large == 0 { await Task.yield() }
      records += state.withLock { state in
        let current = pages.clamped(to: 0..<state.map.pages.bases.count)
        return state.map.records(of: type, number: number, inPages: current)
      }
    }
    let (changed, current) = state.withLock { state -> (Set<R.ID>, [R]) in
      let changed = state.indexes(of: number, as: type)?.endCopying() ?? []
      return (changed, changed.compactMap { state.map.peek($0, as: type) })
    }
    if !changed.isEmpty { records.removeAll { changed.contains($0.id) } }
    let copies = records + current
    let made = await Self.indexes(of: copies)
    state.withLock { $0.indexes(of: number, as: type)?.finish(made) }
  }

  /// Builds indexes off the actor, so that others can use it meanwhile.
  @concurrent
  private static func indexes<R: GraphRecord>(of records: [R]) async -> IndexedIDs<R> {
    IndexedIDs(R.indexes, of: records)
  }

  // MARK: Unique indexes

  /// Throws if records violate a unique index that only memory enforces.
  ///
  /// - Parameters:
  ///   - records: The records; of several with the same id, the last counts.
  ///   - removed: The ids of the records to remove.
  /// - Throws: `KinshipError.notUnique`.
  @usableFromInline
  func requireUnique<R: GraphRecord>(
    _ records: [R], removing removed: [R.ID] = []
  ) throws(KinshipError) {
    guard let number = schema.number(of: R.self) else { return }
    var last: [R.ID: R] = [:]
    for record in records { last[record.id] = record }
    let distinct = Array(last.values)
    try state.withLock { state throws(KinshipError) in
      if let ids = state.indexes(of: number, as: R.self)?.ids {
        try R.indexes.check(distinct, removing: removed, in: ids)
      }
    }
  }

  /// Throws if changes violate a unique index that only memory enforces.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `KinshipError.notUnique`.
  func requireUnique(_ changes: ChangeSet) throws(KinshipError) {
    func require<R: GraphRecord>(_ type: R.Type) throws(KinshipError) {
      try requireUnique(
        changes.inserted(type) + changes.updated(type).compactMap { $0.new },
        removing: changes.deleted(type).map { $0.id })
    }
    guard keepsUnique else { return }
    for type in changes.recordTypes { try require(type) }
  }
}
