extension GraphCache {
  /// Makes changes together, in memory and in the backing store, or not at all.
  ///
  /// ```swift
  /// let undo = try await cache.write { tx in
  ///   try tx.update(Ref<Person>(42), \.name, to: "Albert")
  /// }.inverted
  /// ```
  ///
  /// 1. The transaction waits until those that came before it have ended.
  /// 2. What it is said to need is loaded.
  /// 3. The closure runs. What else it turns out to need is loaded, and it runs again from the start.
  /// 4. The backing store makes the changes. Meanwhile all reads see what was committed before; what is
  ///    changed and not in memory is loaded afterwards.
  /// 5. All changes become visible at one moment.
  ///
  /// If the closure throws, or the store fails, or the task is cancelled before the store has made the
  /// changes, nothing has changed.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - retries: How often the transaction is made anew, on what the store has by then, if the store
  ///     says that somebody else has changed a record: `KinshipError.conflict`.
  ///   - body: What to do. It must do nothing but read and change records, for it may run more than once.
  /// - Returns: What has changed.
  /// - Throws: What the closure throws, as it is; what loading throws; `KinshipError.commitFailed` with
  ///   the cause if the store fails, `.deadlineExceeded` if it takes too long, so that nobody knows whether
  ///   it makes the changes, `.waitsForItself` within a call of the store that it would wait for; and as
  ///   they are the store's errors of that type, and `CancellationError` when the task is cancelled.
  /// - Complexity: O(*n*) in the changes, on average.
  @discardableResult
  public func write(
    loading preloads: Preload..., retries: Int = 0,
    body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    try await write(preloads, retries: retries, updatesBlindly: true, body)
  }

  func transact(
    _ preloads: [Preload], retries: Int, updatesBlindly: Bool,
    _ body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    var turn = try await takeTurn()
    defer { passTurn(turn) }
    while !pending.isEmpty {
      // What is shown already goes to the store first.
      passTurn(turn)
      turn = try await takeTurn()
    }
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    for preload in preloads { leases += try await preload.load(self) }
    let staging = Staging(schema.entries.lazy.map(\.operations))
    var retries = retries
    while true {
      try Task.checkCancellation()
      if let lack = try attempt(body, on: staging, updatesBlindly: updatesBlindly) {
        leases += try await fulfil(lack, staging)
        clear(staging)
        continue
      }
      do {
        return try await commit(staging)
      } catch KinshipError.conflict(let ref, _, _) where retries > 0 {
        retries -= 1
        forget(ref)
        clear(staging)
      }
    }
  }

  /// Runs a transaction's closure once.
  ///
  /// - Returns: What must be loaded before it can be known what the transaction does; nothing if it is
  ///   known, and staged.
  /// - Throws: What the closure throws, and what a subscript in it could not throw.
  func attempt(
    _ body: @Sendable (inout Transaction) throws -> Void, on staging: Staging, updatesBlindly: Bool
  ) throws -> Transaction.Lack? {
    var transaction = Transaction(self, staging, updatesBlindly: updatesBlindly)
    var failure: (any Error)?
    do { try body(&transaction) } catch { failure = error }
    if failure == nil, updatesBlindly { needSources(&transaction, staging) }
    // An error may come of what is lacking: it counts only if nothing is.
    if let lack = transaction.lack { return lack }
    if let error = failure ?? transaction.failure { throw error }
    return nil
  }

  /// Makes the next read of a record go to the store.
  func forget(_ ref: AnyRef) {
    func forget<R: Record>(_ type: R.Type) { if let ref = ref.as(type) { invalidate(ref) } }
    forget(ref.type)
  }

  /// Has the store make the changes, and then memory.
  private func commit(_ staging: Staging) async throws -> ChangeSet {
    seal(staging)
    var changes = changes(in: staging)
    if changes.isEmpty { return changes }
    let version = state.withLock { $0.map.version }
    if let store { try await apply(changes, to: store) }
    if !pending.isEmpty {
      // What was shown meanwhile comes after this.
      // The store has made the changes: no cancellation may keep memory from following.
      await Task(executorPreference: executor) { await self.showAnew(onTopOf: staging) }.value
      if store != nil { release() }
      return changes
    }
    let (effects, isLate) = state.withLock { state -> (Effects, Bool) in
      // What was written while the store was at work was said without knowing of the transaction.
      let isLate = state.map.version != version
      let outcome = state.takeOver(changes, staging, schema, isLate: isLate)
      return (state.effects(of: outcome), isLate)
    }
    if isLate { changes = self.changes(in: staging) }
    effects.perform()
    if store != nil { release() }
    return changes
  }

  /// Has the store make changes; until `release`, nobody loads what it has changed.
  ///
  /// - Throws: Why it has not; then nothing is held.
  func apply(_ changes: ChangeSet, to store: any BackingStore) async throws {
    try refuseToAwaitItself(changes)
    hold(changes)
    do {
      try await make(changes, in: store)
    } catch {
      release()
      throw error
    }
  }

  /// Gives records with versions their next.
  func seal(_ staging: Staging) {
    for (number, entry) in schema.entries.enumerated() {
      entry.versioned?.seal(staging, number)
    }
  }

  /// Lets nobody load what the store is about to change: what comes half from before and half from
  /// after would be seen as half of the transaction.
  private func hold(_ changes: ChangeSet) {
    state.withLock { state in
      state.isStoreWriting = true
      var outcome = Loader.Outcome()
      for changed in changes.types {
        guard let number = schema.number(of: changed.recordType) else { continue }
        outcome.add(state.loader.hold(changed.ids, number: number, &state.map))
      }
      return state.effects(of: outcome)
    }.perform()
  }

  /// Lets what was held be loaded again.
  func release() {
    let mustGather = state.withLock { state in
      state.loader.releaseHeld(&state.map)
      state.storeWrites += 1
      state.isStoreWriting = false
      return state.mustGather()
    }
    if mustGather { gather() }
  }

  func changes(in staging: Staging) -> ChangeSet {
    ChangeSet(
      types: schema.entries.enumerated().compactMap { number, entry in
        entry.changes(staging, number)
      })
  }

  /// A record whose refs may have been set must be known: else nobody would know who refers to whom.
  private func needSources(_ transaction: inout Transaction, _ staging: Staging) {
    for (number, entry) in schema.entries.enumerated() where !schema.relationships[number].isEmpty {
      let offsets = schema.relationships[number].map(\.offset)
      guard let ids = entry.operations.setUnseen(staging, number, offsets) else { continue }
      transaction.needs.append(Need(type: number, ids: ids))
    }
  }

  func clear(_ staging: Staging) {
    for (number, entry) in schema.entries.enumerated() { entry.operations.clear(staging, number) }
    staging.indexes.removeAll()
  }

  // MARK: What a transaction needs

  /// Loads what a transaction lacked, and keeps it in memory.
  func fulfil(
    _ lack: Transaction.Lack, _ staging: Staging
  ) async throws -> [Lease] {
    var leases: [Lease] = []
    for (number, entry) in schema.entries.enumerated() {
      // All of a type in one batch.
      let lists = lack.needs.filter { $0.type == number }.map(\.ids)
      if lists.isEmpty { continue }
      let need = Need(type: number, ids: entry.operations.distinct(lists).0)
      leases.append(try await fulfil(need, staging, of: entry.type))
    }
    for (edge, need) in lack.referrerNeeds {
      leases.append(
        try await gatherReferrers(
          need, edge, staging, source: schema.entries[edge.source].type,
          target: schema.entries[need.type].type))
    }
    return leases
  }

  private func fulfil<R: Record>(
    _ need: Need, _ staging: Staging, of type: R.Type
  ) async throws -> Lease {
    let ids = need.ids as? [R.ID] ?? []
    let lease = lease(on: [need])
    let records = try await load(ids, of: type)
    // Not what is absent by now: it may have come, and have been invalidated since.
    let absent = zip(ids, records).filter { $1 == nil }.map(\.0)
    state.withLock { state in
      schema.entries[need.type].operations.noteAbsent(state.map, staging, absent)
    }
    return lease
  }

  /// Brings all who refer to some targets into memory.
  func gatherReferrers<Source: Record, Target: Record>(
    _ need: Need, _ edge: EdgeID, _ staging: Staging, source: Source.Type, target: Target.Type
  ) async throws -> Lease {
    let relationship = schema[edge]
    let targets = (need.ids as? [Target.ID] ?? []).map { Ref<Target>($0) }
    while true {
      let (moment, forgettings) = state.withLock { state in
        (
          state.moment,
          relationship.operations.forgettings(relationship.place, &state.map)
        )
      }
      let records = try await referrers(to: targets, number: edge.number, of: source)
      let lease = lease(records.map(\.ref))
      let (isFresh, effects) = state.withLock { state -> (Bool, Effects) in
        guard state.isUnchanged(since: moment), let table = state.map.table(source) else {
          return (false, state.effects())
        }
        // What is known not to exist stays so, whatever the store says of it.
        for record in records where state.map.knowledge(of: record.id, as: source).isUnknown {
          state.map.admit(record, in: table)
        }
        if let number = schema.number(of: source) {
          state.noteChange(.loaded, of: records.lazy.map(\.id), source, number: number)
        }
        // Whoever waits for one of them need not wait for another answer.
        let outcome = state.loader.settle(
          records.map(\.id), number: edge.source, &state.map)
        return (true, state.effects(of: outcome))
      }
      effects.perform()
      if !isFresh { _ = try await load(records.map(\.id), of: source) }
      let isComplete = state.withLock { state in
        let place = relationship.place
        guard relationship.operations.forgettings(place, &state.map) == forgettings else {
          return false
        }
        relationship.operations.noteComplete(need.ids, place, staging, &state.map)
        return true
      }
      if isComplete { return lease }
    }
  }

  private func referrers<Source: Record, Target: Record>(
    to targets: [Ref<Target>], number: Int, of source: Source.Type
  ) async throws -> [Source] {
    guard let store else { return [] }
    return try await read({
      .referrers(type: source.recordName, to: targets.map { AnyRef($0) })
    }) {
      $0 as? KinshipError
        ?? .fetchFailed(type: source.recordName, ids: targets.map { AnyRef($0) }, cause: $0)
    } _: {
      try await store.referrers(to: targets, by: source.relationships.elements[number])
    }
  }
}

extension Transaction {
  /// What must be in memory before it can be known what a transaction does.
  struct Lack {
    let needs: [Need]
    let referrerNeeds: [(edge: EdgeID, need: Need)]
  }

  /// What the transaction has found lacking, if anything.
  var lack: Lack? {
    needs.isEmpty && referrerNeeds.isEmpty
      ? nil : Lack(needs: needs, referrerNeeds: referrerNeeds)
  }
}

extension CacheState {
  /// Takes what a transaction has changed over into memory.
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - staging: The same, staged.
  ///   - schema: The record types.
  ///   - isLate: Whether anything may have been written since it was staged.
  /// - Returns: Whom to tell.
  mutating func takeOver(
    _ changes: ChangeSet, _ staging: Staging, _ schema: Schema, isLate: Bool
  ) -> Loader.Outcome {
    var outcome = Loader.Outcome()
    for changed in changes.types {
      guard let number = schema.number(of: changed.recordType) else { continue }
      schema.entries[number].operations.commit(&map, staging, number, isLate)
      outcome.add(loader.settle(changed.ids, number: number, &map))
      noteChange(.written, of: changed.ids, number: number)
    }
    return outcome
  }
}
