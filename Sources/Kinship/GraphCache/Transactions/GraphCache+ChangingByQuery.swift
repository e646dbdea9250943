/// Transactions that change all records that match a query.
extension GraphCache {
  /// Deletes the records that match a query, in one transaction.
  ///
  /// ```swift
  /// let changes = try await cache.delete(RecordQuery<Person>(#Predicate { $0.name == "Ernst" }))
  /// ```
  ///
  /// It applies the delete rules of the relationships, and deletes the records together, like
  /// ``Transaction/delete(contentsOf:)``. The query runs in the transaction's turn and searches
  /// committed values: later pending writes do not count. Records that are put or invalidated while
  /// the store answers are checked again when the changes are made. So no record is deleted that no
  /// longer matches the filter, and no matching record is left. Conditions on related records are
  /// evaluated once, before that.
  ///
  /// - Parameters:
  ///   - query: The query; its order matters if it has an offset or a limit.
  ///   - retries: The maximum number of re-runs, if someone else has changed a record.
  /// - Returns: The changes.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``, ``Transaction/delete(contentsOf:)`` and
  ///   ``write(loading:retries:body:)``; then nothing has changed.
  /// - Complexity: O(*n*) in the records of the result, plus the deletion of each. The store is
  ///   called once for the query, once for the referrers if a rule needs them, and once for the
  ///   changes, and once more if memory has no room for the records. The query is repeated only if
  ///   everything was dropped meanwhile, or if the query has a limit and more records have changed
  ///   than it was widened by.
  @discardableResult
  public func delete<R: GraphRecord>(
    _ query: RecordQuery<R>, retries: Int = 0
  ) async throws -> ChangeSet {
    try await change(query, retries: retries) { tx, refs in try tx.delete(contentsOf: refs) }
  }

  /// Changes the records that match a query, in one transaction.
  ///
  /// ```swift
  /// try await cache.update(RecordQuery<Person>(#Predicate { $0.father != nil })) { person in
  ///   person.name += " Jr."
  /// }
  /// ```
  ///
  /// Unlike ``update(_:_:to:)``, it is a transaction: the store changes either all of the records
  /// or none. The records are selected as for ``delete(_:retries:)``.
  ///
  /// - Parameters:
  ///   - query: The query; its order matters if it has an offset or a limit.
  ///   - retries: The maximum number of re-runs, if someone else has changed a record.
  ///   - change: The change. It must do nothing but change the record, because it runs more than
  ///     once for a record if the transaction lacks data or is re-run.
  /// - Returns: The changes.
  /// - Throws: Any error that the closure throws, unchanged, and the errors of
  ///   ``RecordQuery/find(in:_:)`` and ``write(loading:retries:body:)``; then nothing has changed.
  /// - Complexity: O(*n*) in the records of the result. The store is called once for the query and
  ///   once for the changes, with the exceptions of ``delete(_:retries:)``.
  @discardableResult
  public func update<R: GraphRecord>(
    _ query: RecordQuery<R>, retries: Int = 0, _ change: @Sendable (inout R) throws -> Void
  ) async throws -> ChangeSet {
    try await self.change(query, retries: retries) { tx, refs in
      for ref in refs { try tx.update(ref, change) }
    }
  }

  private func change<R: GraphRecord>(
    _ query: RecordQuery<R>, retries: Int,
    _ body: @Sendable (inout Transaction, [Ref<R>]) throws -> Void
  ) async throws -> ChangeSet {
    let number = try schema.requiredNumber(of: R.self)
    let open = state.withLock { $0.openQueries.open(number) }
    defer { state.withLock { $0.openQueries.close(open) } }
    let candidates = Lock(Candidates(query: query))
    let search = Preload { cache in
      let known = candidates.withLock { $0 }
      let found = try await cache.search(for: known, number, open)
      candidates.withLock { $0 = found }
      return [cache.lease(on: [IDs(found.found, of: number)], passing: query.isPassing)]
    }
    while true {
      let changes: ChangeSet = try await write([search], retries: retries, updatesBlindly: true) {
        tx in
        let changed = state.withLock { $0.openQueries.takeChanges(open) }
        guard let chosen = candidates.withLock({ $0.idsToTest(changed) }) else { return }
        let records = chosen.ids.compactMap { tx[Ref<R>($0)] }
        if !tx.missing.isEmpty { return }
        let matching = try chosen.query.filter.matching(in: records)
        try body(&tx, chosen.query.arranged(matching).map { $0.ref })
      }
      if candidates.withLock({ !$0.mustAsk }) { return changes }
    }
  }

  /// Asks the store for the records that a query may concern.
  private func search<R: GraphRecord>(
    for candidates: Candidates<R>, _ number: TypeNumber, _ open: OpenQueries.Number
  ) async throws -> Candidates<R> {
    var candidates = candidates
    candidates.query = try await resolved(candidates.query)
    // Pending writes may show other values than the committed ones.
    candidates.changed = touched(R.self)
    candidates.room = max(candidates.room, candidates.changed.count)
    candidates.answers += 1
    _ = state.withLock { $0.openQueries.takeChanges(open) }
    candidates.found = try await answer(
      to: candidates.query.widened(by: candidates.room), from: .dataLayer, bounds(of: R.self, nil),
      isPartialAllowed: false
    ).records.map { $0.id }
    return candidates
  }
}

/// The records that a change by query may concern: the store's answer, and the changes since then.
private struct Candidates<R: GraphRecord>: Sendable {
  /// The query; its conditions on related records are known once it is answered.
  var query: RecordQuery<R>
  /// The number of extra records in the answer: as many may have changed.
  var room = 0
  var found: [R.ID] = []
  var changed: Set<R.ID> = []
  /// The number of answers of the store.
  var answers = 0
  /// Whether the store's answer is not sufficient.
  private(set) var mustAsk = false

  init(query: RecordQuery<R>) { self.query = query }

  /// Applies the changes since the store was asked.
  ///
  /// - Returns: The records to test with the filter; `nil` if the store must be asked again.
  mutating func idsToTest(
    _ changes: OpenQueries.Changes
  ) -> (query: RecordQuery<R>, ids: [R.ID])? {
    for ids in changes.ids { changed.formUnion(ids.of(R.self)) }
    let hasRoom = query.isUnlimited || changed.count <= room
    // A caller that repeatedly drops everything must not make this repeat forever.
    mustAsk = !hasRoom || (changes.isAll && answers <= 3)
    if !hasRoom { room = max(changed.count, room * 2) }
    return mustAsk ? nil : (query, found.filter { !changed.contains($0) } + changed)
  }
}
