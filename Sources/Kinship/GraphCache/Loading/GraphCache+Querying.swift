extension GraphCache {
  /// Finds the records that a query asks the backing store for.
  ///
  /// ```swift
  /// let firstTwenty = RecordQuery<Person>().sorted(by: \.name).limited(to: 20)
  /// let persons = try await cache.find(firstTwenty)
  /// ```
  ///
  /// The store says which records these are, and in which order; what memory knows of them is what
  /// you get. What is written while the store answers counts as well: each record of the answer
  /// fulfils the filter and is in its place. The records come into memory and become the most
  /// recently used, in order, unless the query is ``RecordQuery/passing``. Without a store, the
  /// records in memory are all that there are.
  ///
  /// What pending writes show counts as if the store had made them: a record that one of them has
  /// inserted, changed or deleted is in the answer, and in its place, by what it is now.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: Where to look: by default, where the data are.
  ///   - limit: How old a record of the answer may be; `nil` for as old as its type says. What is
  ///     older in memory becomes what the store answers.
  /// - Returns: The records, in the order of the query; none that memory knows not to exist.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, and with the ids of
  ///   those records that it cannot read; `.unexpectedRecord` or `.outOfOrder` if its answer is
  ///   wrong, `.unknownType` if the type is not in the schema, and `CancellationError` at once when
  ///   the task is cancelled. Then nothing of the answer is in memory.
  /// - Complexity: O(*n*) in the records, besides what it takes the store. If anything is written
  ///   meanwhile, what is absent is fetched once more, by ids, and a query with a limit is asked
  ///   again, for as many records more as have changed. While writes are pending, the store
  ///   is asked for as many records more as these have touched.
  public func find<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource = .dataLayer, within limit: Duration? = nil
  ) async throws -> [R] {
    let bounds = bounds(of: R.self, limit)
    let records = try await answer(
      to: query, from: source, bounds, isPartialAllowed: false
    ).records
    noteAnswer(records)
    return records
  }

  /// Finds those of the records that a query asks the backing store for that can be read.
  ///
  /// ```swift
  /// let answer = try await cache.partialAnswer(to: RecordQuery<Person>().sorted(by: \.name))
  /// show(answer.records.map(\.name).joined(separator: ", "))
  /// for failure in answer.failures {
  ///   show("a person is left out: \(failure.cause)")
  /// }
  /// ```
  ///
  /// It does what ``find(_:from:within:)`` does, but that a record which the store cannot read
  /// is left out and named instead of being an error.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query, and those that could not be read, and why.
  ///   Where a store cannot tell whether such a record belongs to the answer, it is named too.
  /// - Throws: What ``find(_:from:within:)`` throws, if the store cannot answer at all.
  /// - Complexity: That of ``find(_:from:within:)``.
  public func partialAnswer<R: GraphRecord>(to query: RecordQuery<R>) async throws -> PartialAnswer<
    R
  > {
    let answer = try await answer(
      to: query, from: .dataLayer, bounds(of: R.self, nil), isPartialAllowed: true)
    noteAnswer(answer.records)
    return answer
  }

  /// How many records a query asks the backing store for; without a store, of those in memory.
  ///
  /// Nothing comes into memory by it, but what pending writes have touched.
  ///
  /// - Parameters:
  ///   - query: The query; its order does not matter.
  ///   - source: Where to look: by default, where the data are.
  /// - Returns: How many ``find(_:from:within:)`` would find.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, `.filterFailed`,
  ///   `.unknownType`, and `CancellationError` at once when the task is cancelled.
  /// - Complexity: That of ``BackingStore/count(_:)``; without a store O(*n*) in the records of the
  ///   type.
  public func count<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource = .dataLayer
  ) async throws -> Int {
    let number = try schema.requiredNumber(of: R.self)
    try Task.checkCancellation()
    let query = try await resolved(query, from: source)
    guard let store, source == .dataLayer else {
      await prepareIndexes(for: query, number)
      return try recallCount(query, number)
    }
    let known = try await recallingWhole(query, number, since: oldest(of: R.self)) {
      try recallCount(query, number)
    }
    if let known { return known }
    while true {
      let touched = touched(R.self)
      if touched.isEmpty {
        let count = try await ask(store, of: R.self) { try await store.count(query) }
        if self.touched(R.self).isEmpty { return count }
        continue
      }
      let others = RecordQuery(query.filter && !.isOne(of: touched))
      let count = try await ask(store, of: R.self) { try await store.count(others) }
      guard self.touched(R.self).isSubset(of: touched) else { continue }
      let shown = try await load(Array(touched), of: R.self).compactMap { $0 }
      return query.count(of: count + (try query.filter.matching(in: shown).count))
    }
  }

  private func recallCount<R: GraphRecord>(
    _ query: RecordQuery<R>, _ number: TypeNumber
  ) throws -> Int {
    let filter = query.filter
    if filter.isAll { return query.count(of: count(of: R.self)) }
    if let found = try recallByIndex(RecordQuery(filter), number) {
      return query.count(of: found.count)
    }
    if !filter.isScan { return query.count(of: try scan(filter, number).count) }
    return query.count(
      of: try RecordFilter<R>.trying { () throws(ScanFailure<R>) in
        try state.withLock { state throws(ScanFailure<R>) in
          try state.map.count(of: number, as: R.self, passing: filter.scan)
        }
      })
  }

  /// What the data layer answers to a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: Where to look.
  ///   - bounds: How fresh its records are wanted; `nil` if what memory knows of them counts.
  ///   - isPartialAllowed: Whether what cannot be read is left out.
  /// - Returns: The answer.
  /// - Throws: What ``find(_:from:within:)`` throws.
  func answer<R: GraphRecord>(
    to query: RecordQuery<R>, from source: QuerySource, _ bounds: AgeBounds?,
    isPartialAllowed: Bool
  ) async throws -> PartialAnswer<R> {
    let number = try schema.requiredNumber(of: R.self)
    try Task.checkCancellation()
    let query = try await resolved(query, from: source)
    guard let store, source == .dataLayer else {
      await prepareIndexes(for: query, number)
      return PartialAnswer(try recall(query, number))
    }
    let whole = try await recallingWhole(query, number, since: bounds?.oldest.present) {
      try recall(query, number)
    }
    if let records = whole {
      if !query.isPassing { touch(records, number) }
      return PartialAnswer(records)
    }
    return try await merged(query, from: store, number, bounds, isPartialAllowed)
  }

  /// Merges the store's answer with the records in memory that have changed meanwhile.
  ///
  /// The result is what filter and order give at one version.
  private func merged<R: GraphRecord>(
    _ query: RecordQuery<R>, from store: any BackingStore, _ number: TypeNumber,
    _ bounds: AgeBounds?, _ isPartialAllowed: Bool
  ) async throws -> PartialAnswer<R> {
    // By so many records the store's answer is longer: as many may have left their places in it.
    var room = touched(R.self).count
    var attempts = 0
    while true {
      attempts += 1
      let open = state.withLock { $0.openQueries.begin(number) }
      defer { state.withLock { $0.openQueries.end(open) } }
      let before = unsettled(R.self, in: [])
      let answer: PartialAnswer<R> = try await self.answer(
        to: room == 0 ? query : query.widened(by: room), from: store, number, bounds,
        isPartialAllowed, open)
      // Of those that are being inserted, the others do not exist yet.
      var moved = before.union(unsettled(R.self, in: answer.records))
      let current: PartialAnswer<R>? = try await settled(
        &moved, open, atMost: query.isWhole ? .max : room, isPartialAllowed,
        isPassing: query.isPassing, allowsAll: attempts > 3)
      guard let current else {
        room = max(moved.count, room * 2)
        continue
      }
      if moved.isEmpty, room == 0 { return answer }
      let others = answer.records.filter { !moved.contains($0.id) }
      let failures = answer.failures.filter { !($0.ref.map { moved.contains($0.id) } ?? false) }
      return PartialAnswer(
        query.arranged(others + (try query.filter.matching(in: current.records))),
        failures: failures + current.failures)
    }
  }

  /// The records that have changed since the store was asked, as memory has them now.
  ///
  /// - Parameters:
  ///   - moved: The ids of which the store's answer does not count; those that have changed are
  ///     added.
  ///   - open: The query.
  ///   - most: How many these may be.
  ///   - isPartialAllowed: Whether what cannot be read is left out.
  ///   - isPassing: Whether the records pass through memory.
  ///   - allowsAll: Whether to go on where any record may have changed.
  /// - Returns: The records; `nil` if the store must be asked again.
  /// - Throws: What loading them throws.
  private func settled<R: GraphRecord>(
    _ moved: inout Set<R.ID>, _ open: OpenQueries.Number, atMost most: Int,
    _ isPartialAllowed: Bool, isPassing: Bool, allowsAll: Bool
  ) async throws -> PartialAnswer<R>? {
    var current = PartialAnswer<R>([])
    // Writes that never pause could go on for ever: then each record is as it was at some moment.
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

  /// The ids of the records of a type of which writes are pending or under way: the store may have
  /// made them, and memory not yet, or the other way round.
  ///
  /// A record that is being inserted exists for nobody yet, unless it is in an answer.
  private func unsettled<R: GraphRecord>(_ type: R.Type, in answer: [R]) -> Set<R.ID> {
    var ids = touched(type)
    guard let edits = committing?.edits(of: type) else { return ids }
    ids.formUnion(edits.updated.lazy.map { $0.ref.id })
    ids.formUnion(edits.deleted.lazy.map { $0.id })
    let inserted = Set(edits.inserted.lazy.map { $0.id })
    ids.formUnion(answer.lazy.map { $0.id }.filter { inserted.contains($0) })
    return ids
  }

  /// The ids of the records of a type that pending writes have touched.
  func touched<R: GraphRecord>(_ type: R.Type) -> Set<R.ID> {
    Set(state.withLock { $0.map.pendingIDs(of: type) })
  }

  /// What a store answers, and memory makes of it.
  private func answer<R: GraphRecord>(
    to query: RecordQuery<R>, from store: any BackingStore, _ number: TypeNumber,
    _ bounds: AgeBounds?, _ isPartialAllowed: Bool, _ open: OpenQueries.Number
  ) async throws -> PartialAnswer<R> {
    var (moment, drops) = state.withLock { ($0.moment, $0.map.drops) }
    let ages = AnswerAges(bounds?.limits ?? AnswerAges.Limits())
    let answer = try await AnswerAges.$current.withValue(ages) { try await ask(store, query) }
    if !isPartialAllowed { _ = try answer.whole() }
    var wanted = bounds.map { WantedAges(oldest: $0.oldest, age: ages.age) }
    let isPassing = query.isPassing
    let taken = takeIn(
      answer.records, number: number, since: &moment, &wanted, passing: isPassing, to: open)
    guard let records = taken else {
      let late = try await loadAgain(
        answer.records.map { $0.id }, of: R.self, isPartialAllowed, isPassing)
      return PartialAnswer(late.records, failures: answer.failures + late.failures)
    }
    if query.filter.isAll, query.isWhole, answer.failures.isEmpty {
      state.withLock { [moment] state in
        state.noteWhole(R.self, since: moment, drops, wanted?.earliest ?? Stamp(0))
      }
    }
    return PartialAnswer(records, failures: answer.failures)
  }

  /// The records in memory that fulfil a filter, at one moment.
  ///
  /// While the cache is locked, no code of the user's runs: it may use the cache.
  func scan<R: GraphRecord>(
    _ filter: RecordFilter<R>, _ number: TypeNumber
  ) throws(KinshipError) -> [R] {
    let found = try RecordFilter<R>.trying { () throws(ScanFailure<R>) in
      try state.withLock { state throws(ScanFailure<R>) in
        try state.map.values(of: number, as: R.self, passing: filter.scan)
      }
    }
    return filter.isScan ? found : try filter.matching(in: found)
  }

  /// Loads by their ids what a query has found too early.
  private func loadAgain<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, _ isPartialAllowed: Bool, _ isPassing: Bool
  ) async throws -> PartialAnswer<R> {
    var ids = ids
    var failures: [PartialAnswer<R>.Failure] = []
    while true {
      do {
        return PartialAnswer(
          try await load(ids, of: type, passing: isPassing).compactMap { $0 },
          failures: failures)
      } catch KinshipError.fetchFailed(_, let refs, let cause) where isPartialAllowed {
        let failed = Set(refs.compactMap { $0.as(type)?.id })
        let rest = ids.filter { !failed.contains($0) }
        if rest.count == ids.count { throw cause }
        failures += failed.map { .init(Ref($0), cause: cause) }
        ids = rest
      }
    }
  }

  private func ask<R: GraphRecord>(
    _ store: any BackingStore, _ query: RecordQuery<R>
  ) async throws -> PartialAnswer<R> {
    let answer = try await ask(store, of: R.self) {
      let answer = try await store.records(for: query)
      try R.requireStable(answer.records)
      return answer
    }
    let operations = schema.entries[try schema.requiredNumber(of: R.self)].tableOperations
    try query.check(
      answer.records, ids: checked(operations.ids(answer.records), as: [R.ID].self))
    return answer
  }

  /// Whether memory is known to hold all records of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - oldest: From which moment on it counts what memory knows; `nil` if all of it does.
  /// - Returns: Whether it is.
  func isWhole<R: GraphRecord>(_ type: R.Type, since oldest: Stamp?) -> Bool {
    state.withLock { state in
      guard let table = state.map.table(type), table.pointee.wholeness == .whole else {
        return false
      }
      return oldest.map { $0 <= table.pointee.wholeSince } ?? true
    }
  }

  /// Makes records the most recently used, in order.
  private func touch<R: GraphRecord>(_ records: [R], _ number: TypeNumber) {
    for range in Chunk.ranges(records.count, of: Chunk.medium) {
      let ids = records[range].map { $0.id }
      state.withLock { $0.map.touch(ids, as: R.self) }
    }
  }

  /// Has the store answer something about records of a type.
  func ask<R: GraphRecord, Answer: Sendable>(
    _ store: any BackingStore, of type: R.Type,
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    state.withLock { $0.loader.noteQuery() }
    QueryTrace.note {
      $0.source = .store
      $0.storeCalls += 1
    }
    return try await read({ .query(type: R.recordName) }) { error in
      switch error as? KinshipError {
      case .unstableID(let type): .unstableID(type: type)
      case .filterFailed(let ref, let cause): .filterFailed(ref, cause: cause)
      default: .fetchFailed(type: R.recordName, ids: [], cause: error)
      }
    } _: {
      try await body()
    }
  }
}
