/// Transactions that change all records that fulfil a query.
extension GraphCache {
  /// Deletes the records that a query asks for, in one transaction.
  ///
  /// ```swift
  /// let changes = try await cache.delete(RecordQuery<Person>(#Predicate { $0.name == "Ernst" }))
  /// ```
  ///
  /// The rules of the relationships are followed, and the records are deleted together, as by
  /// ``Transaction/delete(contentsOf:)``. The query is answered in the turn of the transaction, by
  /// what is committed: what is only shown, and comes after it, does not count. Records that are
  /// put or invalidated while the store answers are tried again when the changes are made, so that
  /// no record is deleted which no longer fulfils the filter, and none is left that fulfils it by
  /// then. Conditions on related records are answered once, before.
  ///
  /// - Parameters:
  ///   - query: The query; its order matters if it has an offset or a limit.
  ///   - retries: How often the transaction is run again if somebody else has changed a record.
  /// - Returns: What has changed.
  /// - Throws: What ``find(_:from:within:)``, ``Transaction/delete(contentsOf:)`` and
  ///   ``write(loading:retries:body:)`` throw; then nothing has changed.
  /// - Complexity: O(*n*) in the records of the answer, besides the deletion of each. The store is
  ///   asked the query, for who refers to the records where a rule needs that, and to make the
  ///   changes: a call each, and one more if memory has no room for the records. It is asked the
  ///   query again only if everything was forgotten meanwhile, or if the query has a limit and more
  ///   records have changed than it was widened by.
  @discardableResult
  public func delete<R: GraphRecord>(
    _ query: RecordQuery<R>, retries: Int = 0
  ) async throws -> ChangeSet {
    try await change(query, retries: retries) { tx, refs in try tx.delete(contentsOf: refs) }
  }

  /// Changes the records that a query asks for, in one transaction.
  ///
  /// ```swift
  /// try await cache.update(RecordQuery<Person>(#Predicate { $0.father != nil })) { person in
  ///   person.name += " Jr."
  /// }
  /// ```
  ///
  /// Unlike ``update(_:_:to:)``, it is a transaction: the store makes the changes, those of all
  /// records or none. Which records these are is decided as for ``delete(_:retries:)``.
  ///
  /// - Parameters:
  ///   - query: The query; its order matters if it has an offset or a limit.
  ///   - retries: How often the transaction is run again if somebody else has changed a record.
  ///   - change: The change. It must do nothing but change the record, because it runs more than
  ///     once for a record if the transaction lacks data or is run again.
  /// - Returns: What has changed.
  /// - Throws: What the closure throws, as it is, and what ``find(_:from:within:)`` and
  ///   ``write(loading:retries:body:)`` throw; then nothing has changed.
  /// - Complexity: O(*n*) in the records of the answer. The store is asked the query, and to make
  ///   the changes: a call each, with the exceptions of ``delete(_:retries:)``.
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
    let open = state.withLock { $0.openQueries.begin(number) }
    defer { state.withLock { $0.openQueries.end(open) } }
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
        guard let chosen = candidates.withLock({ $0.take(changed) }) else { return }
        let records = chosen.ids.compactMap { tx[Ref<R>($0)] }
        if tx.isIncomplete { return }
        let matching = try chosen.query.filter.matching(in: records)
        try body(&tx, chosen.query.arranged(matching).map { $0.ref })
      }
      if candidates.withLock({ !$0.mustAsk }) { return changes }
    }
  }

  /// Asks the store for what a query may concern.
  private func search<R: GraphRecord>(
    for candidates: Candidates<R>, _ number: TypeNumber, _ open: OpenQueries.Number
  ) async throws -> Candidates<R> {
    var candidates = candidates
    candidates.query = try await resolved(candidates.query)
    // What pending writes show may not be what is committed.
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

/// What a change by a query may concern: the store's answer, and what has changed since.
private struct Candidates<R: GraphRecord>: Sendable {
  /// The query, whose conditions on related records are known once it is answered.
  var query: RecordQuery<R>
  /// How many records the answer is longer than the query says: as many may have changed.
  var room = 0
  var found: [R.ID] = []
  var changed: Set<R.ID> = []
  /// How often the store was asked.
  var answers = 0
  /// Whether its answer does not say enough.
  private(set) var mustAsk = false

  init(query: RecordQuery<R>) { self.query = query }

  /// Takes what has changed since the store was asked.
  ///
  /// - Returns: The records to try the filter for; `nil` if the store must be asked again.
  mutating func take(
    _ changes: OpenQueries.Changes
  ) -> (query: RecordQuery<R>, ids: [R.ID])? {
    for ids in changes.ids { changed.formUnion(ids.of(R.self)) }
    let hasRoom = query.isWhole || changed.count <= room
    // A caller that drops everything again and again must not keep it from ending.
    mustAsk = !hasRoom || (changes.isAll && answers <= 3)
    if !hasRoom { room = max(changed.count, room * 2) }
    return mustAsk ? nil : (query, found.filter { !changed.contains($0) } + changed)
  }
}
