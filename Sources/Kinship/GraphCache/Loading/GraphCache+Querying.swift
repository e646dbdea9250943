extension GraphCache {
  /// Returns the records that match a query: see ``RecordQuery/find(in:_:)``.
  func records<R: GraphRecord>(
    for query: RecordQuery<R>, _ options: ReadOptions = ReadOptions(),
    leadingBy rules: PlanRules? = nil
  ) async throws -> [R] {
    let answer = try await answer(
      to: options.isPassing ? query.passing : query, from: options.source,
      bounds(of: R.self, options.limit), isPartialAllowed: options.isPartial,
      rules.flatMap { try? fetchPlan($0, from: query.limit ?? .max) })
    recordReads(answer.records)
    options.report(answer.failures.map { $0.error })
    return answer.records
  }

  /// Counts the records in memory that match a query.
  nonisolated func recallCount<R: GraphRecord>(
    _ query: RecordQuery<R>, _ number: TypeNumber
  ) throws -> Int {
    let filter = query.selection
    if filter.isAll { return query.count(of: count(of: R.self)) }
    let known = state.withLock { state in
      state.indexes(of: number, as: R.self)?.ids.flatMap { query.count(in: $0) }
    }
    if let known { return known }
    if let found = try queryIndex(RecordQuery(filter), number) {
      return query.count(of: found.count)
    }
    if !filter.isScan { return query.count(of: try scan(filter, number).count) }
    var count = 0
    try scan(R.self) { map, pages throws(ScanFailure<R>) in
      count += try map.count(of: number, as: R.self, inPages: pages, passing: filter.scan)
    }
    return query.count(of: count)
  }

  /// Answers a query from the data layer.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: Where to look.
  ///   - bounds: The age limits of its records; `nil` if records in memory of any age count.
  ///   - isPartialAllowed: Whether to leave out records that cannot be read.
  ///   - plan: The plan that the store may follow from the records.
  /// - Returns: The answer.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``.
  func answer<R: GraphRecord>(
    to query: RecordQuery<R>, from source: QuerySource, _ bounds: AgeBounds?,
    isPartialAllowed: Bool, _ plan: FetchPlan? = nil
  ) async throws -> PartialAnswer<R> {
    let number = try schema.requiredNumber(of: R.self)
    try Task.checkCancellation()
    let query = try await resolved(query, from: source)
    guard let store, source == .dataLayer else {
      await prepareIndexes(for: query, number)
      return PartialAnswer(try queryMemory(query, number))
    }
    let whole = try await answeringFromMemory(query, number, since: bounds?.oldest.present) {
      try queryMemory(query, number)
    }
    if let records = whole {
      if !query.isPassing { touch(records, number) }
      return PartialAnswer(records)
    }
    if bounds == nil, !query.isPassing, !isPartialAllowed,
      let records = try await followedAnswer(to: query, number)
    {
      return PartialAnswer(records)
    }
    return try await merged(query, from: store, number, bounds, isPartialAllowed, plan)
  }

  /// Merges the store's answer with the records in memory that have changed meanwhile.
  ///
  /// The result is that of the filter and the order at one version.
  private func merged<R: GraphRecord>(
    _ query: RecordQuery<R>, from store: any BackingStore, _ number: TypeNumber,
    _ bounds: AgeBounds?, _ isPartialAllowed: Bool, _ plan: FetchPlan?
  ) async throws -> PartialAnswer<R> {
    // The number of extra records to ask for: as many may have left their places in the answer.
    var room = touched(R.self).count
    var attempts = 0
    while true {
      attempts += 1
      let open = state.withLock { $0.openQueries.open(number) }
      defer { state.withLock { $0.openQueries.close(open) } }
      let before = unsettled(R.self, in: [])
      let answer: PartialAnswer<R> = try await self.answer(
        to: room == 0 ? query : query.widened(by: room), from: store, number, bounds,
        isPartialAllowed, open, plan)
      // Records that are being inserted do not exist yet, unless the answer contains them.
      var moved = before.union(unsettled(R.self, in: answer.records))
      let current: PartialAnswer<R>? = try await settled(
        &moved, open, atMost: query.isUnlimited ? .max : room, isPartialAllowed,
        isPassing: query.isPassing, allowsAll: attempts > 3)
      guard let current else {
        room = max(moved.count, room * 2)
        continue
      }
      if moved.isEmpty, room == 0 { return answer }
      // Q1: memory decides about the records that have changed since the store was asked.
      let others = answer.records.filter { !moved.contains($0.id) }
      let failures = answer.failures.filter { !($0.ref.map { moved.contains($0.id) } ?? false) }
      return PartialAnswer(
        query.arranged(others + (try query.selection.matching(in: current.records))),
        failures: failures + current.failures)
    }
  }

  /// Returns the current versions of the records that have changed since the store was asked.
  ///
  /// - Parameters:
  ///   - moved: The ids that the store's answer no longer decides; those that have changed are
  ///     added.
  ///   - open: The query.
  ///   - most: The largest number of these ids.
  ///   - isPartialAllowed: Whether to leave out records that cannot be read.
  ///   - isPassing: Whether the query bypasses the recency order.
  ///   - allowsAll: Whether to continue if any record may have changed.
  /// - Returns: The records; `nil` if the store must be asked again.
  /// - Throws: The errors of loading them.
  private func settled<R: GraphRecord>(
    _ moved: inout Set<R.ID>, _ open: OpenQueries.Number, atMost most: Int,
    _ isPartialAllowed: Bool, isPassing: Bool, allowsAll: Bool
  ) async throws -> PartialAnswer<R>? {
    var current = PartialAnswer<R>([])
    // Continuous writes could repeat this forever; after these rounds, each record is as it was at
    // some moment.
    for round in 0..<16 {
      let changes = state.withLock { $0.openQueries.takeChanges(open) }
      if changes.isAll, !allowsAll { return nil }
      let changed = changes.ids.flatMap { $0.of(R.self) }
      let unsettled = unsettled(R.self, in: [])
      if round > 0, changed.isEmpty, unsettled.isSubset(of: moved) { break }
      moved.formUnion(changed)
      moved.formUnion(unsettled)
      if moved.count > most { return nil }
      if moved.isEmpty { break }
      current = try await loadAgain(Array(moved), of: R.self, isPartialAllowed, isPassing)
    }
    return current
  }

  /// Returns the ids of the records of a type that have a pending write or a commit in progress.
  ///
  /// The store may have committed such a write before memory, or the other way round. A record that
  /// is being inserted does not exist for anyone yet, unless it is in an answer.
  private func unsettled<R: GraphRecord>(_ type: R.Type, in answer: [R]) -> Set<R.ID> {
    var ids = touched(type)
    guard let edits = committing?.edits(of: type) else { return ids }
    ids.formUnion(edits.updated.lazy.map { $0.ref.id })
    ids.formUnion(edits.deleted.lazy.map { $0.id })
    let inserted = Set(edits.inserted.lazy.map { $0.id })
    ids.formUnion(answer.lazy.map { $0.id }.filter { inserted.contains($0) })
    return ids
  }

  /// Returns the ids of the records of a type that pending writes have touched.
  func touched<R: GraphRecord>(_ type: R.Type) -> Set<R.ID> {
    Set(state.withLock { $0.map.pendingIDs(of: type) })
  }

  /// Returns a store's answer, updated from memory.
  private func answer<R: GraphRecord>(
    to query: RecordQuery<R>, from store: any BackingStore, _ number: TypeNumber,
    _ bounds: AgeBounds?, _ isPartialAllowed: Bool, _ open: OpenQueries.Number, _ plan: FetchPlan?
  ) async throws -> PartialAnswer<R> {
    let (moment, drops) = state.withLock { ($0.moment, $0.map.drops) }
    let ages = AnswerAges(bounds?.limits ?? AnswerAges.Limits())
    let isFollowed = plan != nil && state.withLock { $0.continuations.mayFetchAlong() }
    let (answer, related) = try await AnswerAges.$current.withValue(ages) {
      try await ask(store, query, isFollowed ? plan : nil)
    }
    if !isPartialAllowed { _ = try answer.orThrow() }
    var terms = CacheState.AnswerTerms(moment: moment)
    if ages.noted.ages.isEmpty { merge(related, by: &terms) }
    terms.wanted = bounds.map { WantedAges(oldest: $0.oldest, age: ages.age) }
    (terms.isPassing, terms.query) = (query.isPassing, open)
    guard let records = merge(answer.records, number: number, by: &terms) else {
      let late = try await loadAgain(
        answer.records.map { $0.id }, of: R.self, isPartialAllowed, query.isPassing)
      return PartialAnswer(late.records, failures: answer.failures + late.failures)
    }
    if query.selection.isAll, query.isUnlimited, answer.failures.isEmpty {
      state.withLock { [terms] state in
        state.markComplete(
          R.self, since: terms.moment, drops, terms.wanted?.earliest ?? Stamp(0))
      }
    }
    return PartialAnswer(records, failures: answer.failures)
  }

  /// Returns the records in memory that match a filter.
  ///
  /// No user code runs while the cache is locked, because it may use the cache.
  nonisolated func scan<R: GraphRecord>(
    _ filter: RecordFilter<R>, _ number: TypeNumber
  ) throws(KinshipError) -> [R] {
    var (found, examined): ([R], [R]) = ([], [])
    try scan(R.self) { map, pages throws(ScanFailure<R>) in
      if filter.isScan {
        try map.addValues(of: number, inPages: pages, passing: filter.scan, to: &found)
      } else {
        examined = try map.values(of: number, inPages: pages, passing: filter.scan)
      }
    } between: { () throws(KinshipError) in
      if filter.isScan {
        found.makeRoomInAdvance()
      } else {
        found += try filter.matching(in: examined)
        // Released while the cache is locked, a record could deadlock.
        examined = []
      }
    }
    return found
  }

  /// Passes all pages to a closure, some at a time: in between, readers on other threads go on.
  ///
  /// On the actor, nothing is written meanwhile; other callers compare the versions of the map.
  nonisolated func scan<R: GraphRecord>(
    _ type: R.Type,
    _ body: (borrowing IdentityMap, _ pages: Range<Int>) throws(ScanFailure<R>) -> Void,
    between: () throws(KinshipError) -> Void = {}
  ) throws(KinshipError) {
    for pages in Chunk.ranges(state.withLock { $0.map.pages.bases.count }, of: Chunk.pages) {
      try RecordFilter<R>.trying { () throws(ScanFailure<R>) in
        try state.withLock { state throws(ScanFailure<R>) in try body(state.map, pages) }
      }
      try between()
    }
  }

  /// Reloads by id the records that a query has found too early.
  private func loadAgain<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, _ isPartialAllowed: Bool, _ isPassing: Bool
  ) async throws -> PartialAnswer<R> {
    let (records, failures) = try await readable(
      ids.map { Ref<R>($0) }, isPartialAllowed: isPartialAllowed
    ) { refs in
      try await load(refs.map { $0.id }, of: type, passing: isPassing)
    }
    return PartialAnswer(records.compactMap { $0 }, failures: failures)
  }

  private func ask<R: GraphRecord>(
    _ store: any BackingStore, _ query: RecordQuery<R>, _ plan: FetchPlan?
  ) async throws -> (PartialAnswer<R>, related: [any FetchedRecords]) {
    let (answer, related) = try await ask(store, of: R.self) {
      let (answer, related) = try await store.records(for: query, following: plan)
      try R.requireStable(answer.records)
      return (answer, related)
    }
    let operations = schema.operations[try schema.requiredNumber(of: R.self)].table
    try query.check(answer.records, ids: operations.ids(of: answer.records))
    return (answer, related)
  }

  /// Returns whether memory is known to hold all records of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - oldest: The time since which records are fresh; `nil` if any age is.
  /// - Returns: Whether it is.
  nonisolated func isComplete<R: GraphRecord>(_ type: R.Type, since oldest: Stamp?) -> Bool {
    state.withLock { state in
      guard let table = state.map.table(type), table.pointee.completeness == .complete else {
        return false
      }
      return oldest.map { $0 <= table.pointee.completeSince } ?? true
    }
  }

  /// Makes records the most recently used, in order.
  private func touch<R: GraphRecord>(_ records: [R], _ number: TypeNumber) {
    for range in Chunk.ranges(records.count, of: Chunk.medium) {
      let ids = records[range].map { $0.id }
      state.withLock { $0.map.touch(ids, as: R.self) }
    }
  }

  /// Asks the store something about records of a type.
  func ask<R: GraphRecord, Answer: Sendable>(
    _ store: any BackingStore, of type: R.Type,
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    state.withLock { $0.loader.tally.queries += 1 }
    // Q6: an explanation counts each call here.
    QueryTrace.record {
      $0.source = .store
      $0.storeCalls += 1
    }
    return try await read({ .query(type: R.recordName) }) { error in
      switch error as? KinshipError {
      case .invalidSchema(.unstableID(let type)): .invalidSchema(.unstableID(type: type))
      case .filterFailed(let ref, let cause): .filterFailed(ref, cause: cause)
      default: .fetchFailed(type: R.recordName, ids: [], cause: error)
      }
    } _: {
      try await body()
    }
  }
}

extension Array {
  /// Doubles the room of a long array before it is full, so that it does not grow while the cache
  /// is locked: see `kinship-bench tails --only query`.
  mutating func makeRoomInAdvance() {
    if count >= Chunk.size, capacity - count < Chunk.large { reserveCapacity(capacity * 2) }
  }
}
