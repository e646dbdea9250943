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
  /// 3. The closure runs. What else it turns out to need is loaded, and it runs again from the
  ///    start.
  /// 4. The backing store makes the changes. Meanwhile all reads see what was committed before;
  ///    what is changed and not in memory is loaded afterwards.
  /// 5. All changes become visible at one moment.
  ///
  /// If the closure throws, or the store refuses, or the task is cancelled before the store has
  /// made the changes, nothing has changed. Where the store cannot tell whether it has made them
  /// (``BackingStore/isRefusal(_:)``), the next reads of what was to be changed ask it.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - retries: How often the transaction is made anew, on what the store has by then, if the
  ///     store says that somebody else has changed a record: `KinshipError.conflict`.
  ///   - body: What to do. It must do nothing but read and change records, for it may run more than
  ///     once.
  /// - Returns: What has changed.
  /// - Throws: What the closure throws, as it is; what loading throws; `KinshipError.commitFailed`
  ///   with the cause if the store fails, `.deadlineExceeded` if it takes too long, so that nobody
  ///   knows whether it makes the changes, `.waitsForItself` within a call of the store that it
  ///   would wait for; and as they are the store's errors of that type, and `CancellationError`
  ///   when the task is cancelled.
  /// - Complexity: O(*n*) in the changes, on average.
  @discardableResult
  public func write(
    loading preloads: Preload..., retries: Int = 0,
    body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    let retries = retries.checked(atLeast: 0, "retries")
    return try await write(preloads, retries: retries, updatesBlindly: true, body)
  }

  /// Makes a transaction that needs nobody else: there is no store, and nothing comes before it.
  ///
  /// - Returns: What has changed; `nil` if it must wait for something after all, and nothing has.
  func writeAtOnce(
    _ updatesBlindly: Bool, _ body: @Sendable (inout Transaction) throws -> Void
  ) throws -> ChangeSet? {
    guard store == nil, recorder == nil, turns.count == 0 else { return nil }
    try Task.checkCancellation()
    let staging = Staging(isBeneath: true)
    let lack = try attempt(body, on: staging, reserved: nil, updatesBlindly: updatesBlindly)
    if lack != nil { return nil }
    let changes = try sealedChanges(in: staging)
    if !changes.isEmpty { takeOver(changes, staging, isLate: false) }
    return changes
  }

  func transact(
    _ preloads: [Preload], retries: Int, updatesBlindly: Bool,
    _ body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    let turn = try await takeTurn()
    defer { passTurn(turn) }
    try await sendQueued(before: turn)
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    for preload in preloads { leases += try await preload.load(self) }
    // What is shown and not made yet goes to the store after this, and is made anew on top of it.
    let staging = Staging(isBeneath: true)
    var patience = Patience()
    var reserved = takeSpareIDs()
    defer { keepSpareIDs(of: reserved) }
    var (retries, idRetries) = (retries, 8)
    while true {
      try Task.checkCancellation()
      begin(staging, &patience)
      do {
        if let lack = try attempt(
          body, on: staging, reserved: reserved, updatesBlindly: updatesBlindly)
        {
          reserved = lack.reserved
          leases += try await fulfil(lack, staging, &patience)
          continue
        }
        return try await commit(staging)
      } catch KinshipError.conflict(let ref, _, _) where retries > 0 {
        retries -= 1
        invalidate(ref)
      } catch KinshipError.exists(let ref) where idRetries > 0 && isTaken(ref, of: reserved) {
        idRetries -= 1
        invalidate(ref)
      }
    }
  }

  /// Empties what is staged, for a transaction to begin, or to begin anew.
  ///
  /// What the store has said stays, as long as nothing is invalidated.
  func begin(_ staging: Staging, _ patience: inout Patience) {
    patience.note(state.withLock { $0.map.forgettings &+ $0.map.commits })
    for entry in staging.tables {
      entry.table.clear()
      restage(staging, entry.type, schema.type(entry.type), patience)
    }
    staging.indexes.withLock { $0.removeAll() }
    staging.notes.removeAll()
  }

  private func restage<R: GraphRecord>(
    _ staging: Staging, _ number: TypeNumber, _ type: R.Type, _ patience: Patience
  ) {
    let table = staging.table(number, of: type)
    if patience.hasLost { table.values.withLock { $0.learnt = [:] } }
    if table.values.withLock({ $0.learnt.isEmpty }) { return }
    state.withLock { state in
      table.values.withLock { values in
        // Who looks for those who refer to something must find them.
        for (id, known) in values.learnt where known.isPresent {
          values.log.append(values.stage(id, state.map))
        }
      }
    }
  }

  /// Runs a transaction's closure once.
  ///
  /// - Returns: What must be loaded before it can be known what the transaction does; `nil` if it
  ///   is known, and staged.
  /// - Throws: What the closure throws, and what a subscript in it could not throw.
  func attempt(
    _ body: @Sendable (inout Transaction) throws -> Void, on staging: Staging,
    reserved: ReservedIDs?, updatesBlindly: Bool
  ) throws -> Transaction.Lack? {
    reserved?.begin()
    var transaction = Transaction(self, staging, reserved, updatesBlindly: updatesBlindly)
    var failure: (any Error)?
    transacting.begin()
    do { try body(&transaction) } catch { failure = error }
    // What was read past the transaction may be why it failed.
    failure = transacting.end() ?? failure
    if failure == nil, updatesBlindly, transaction.hasSetUnseen {
      needSources(&transaction, staging)
    }
    // An error may come of what is lacking: it counts only if nothing is.
    if let lack = transaction.lack { return lack }
    if let error = failure ?? transaction.failure { throw error }
    return nil
  }

  /// Has the store make the changes, and then memory.
  private func commit(_ staging: Staging) async throws -> ChangeSet {
    var changes = try sealedChanges(in: staging)
    if changes.isEmpty { return changes }
    let version = state.withLock { $0.map.version }
    if let store {
      try await apply(changes, to: store)
      if restage(changes, in: staging) { changes = self.changes(in: staging) }
    }
    let committed = changes
    defer { endDisputes(over: committed) }
    if !pending.isEmpty {
      // What is shown comes after this. The store has made the changes: no cancellation may keep
      // memory from following.
      await Task(executorPreference: executor) { _ = await self.makeAnew(onTopOf: staging) }.value
      if store != nil { release() }
      endDisputes(over: changes)
      return self.changes(in: staging)
    }
    // What was written while the store was at work was said without knowing of the transaction.
    let isLate = state.withLock { $0.map.version } != version
    takeOver(changes, staging, isLate: isLate)
    if store != nil { release() }
    endDisputes(over: changes)
    return isLate ? self.changes(in: staging) : changes
  }

  /// Stages what became of the values that a transaction has set, where others were stored.
  ///
  /// What others have written before, or the database besides, is no change of the transaction:
  /// such a record is read again.
  ///
  /// - Returns: Whether something was staged.
  func restage(_ changes: ChangeSet, in staging: Staging) -> Bool {
    let reports = changes.notes.takeReports(StoreReport.self)
    func restage<R: GraphRecord>(_ stored: R) -> Bool {
      guard let number = schema.number(of: R.self) else { return false }
      let table = staging.table(number, of: R.self)
      return table.values.withLock {
        $0.restage(stored, id: stored.id) { CodedFields.merging($0, from: $1, to: $2) }
      }
    }
    var hasStaged = false
    for report in reports {
      if case .stored(let record) = report {
        hasStaged = true
        if restage(record) { continue }
      }
      changes.notes.report(report)
    }
    return hasStaged
  }

  /// Has the store make changes; until `release`, nobody loads what it has changed.
  ///
  /// What is invalidated from then on is disputed until `endDisputes`.
  ///
  /// - Throws: Why it has not; then nothing is held. What the store may have changed all the same
  ///   is asked for again.
  func apply(_ changes: ChangeSet, to store: any BackingStore) async throws {
    try refuseToAwaitItself(changes)
    bar(changes)
    committing = changes
    disputes = []
    do {
      try await makingCommit { try await make(changes, in: store) }
    } catch {
      release()
      committing = nil
      disputes = nil
      if !isRefusal(error, of: store) { invalidate(changes) }
      endCommit(changing: nil)
      throw error
    }
  }

  /// Whether the store has changed nothing, for certain.
  func isRefusal(_ error: any Error, of store: any BackingStore) -> Bool {
    switch error {
    case KinshipError.deadlineExceeded: false
    case KinshipError.commitFailed(let cause): store.isRefusal(cause)
    default: store.isRefusal(error)
    }
  }

  /// Drops what the store has changed beyond the changes, and what was invalidated meanwhile.
  ///
  /// Of the latter nobody knows whether what memory took over then is of before or after.
  func endDisputes(over changes: ChangeSet) {
    let disputed = disputes ?? []
    disputes = nil
    committing = nil
    for ref in disputed.isEmpty ? [] : changes.refs where disputed.contains(ref) {
      invalidate(ref)
    }
    let reports = changes.notes.takeReports(StoreReport.self)
    if !reports.isEmpty { invalidate(changed: reports.map { StoreChange.Extent($0) }) }
    endCommit(changing: changes)
  }

  /// Makes the next read of a record go to the store.
  func invalidate(_ ref: AnyRef) {
    func forget<R: GraphRecord>(_ type: R.Type) { if let ref = ref.as(type) { invalidate(ref) } }
    forget(ref.type)
  }

  /// Makes the next reads of all that was to be changed go to the store.
  func invalidate(_ changes: ChangeSet) {
    func forget<R: GraphRecord>(_ ids: IDs, _ type: R.Type) { invalidate(ids.of(type), of: type) }
    for ids in changes.ids(in: schema) { forget(ids, schema.type(ids.type)) }
  }

  /// What a transaction changes, once its closure has ended: as it will be made.
  ///
  /// - Throws: `KinshipError.notUnique`.
  private func sealedChanges(in staging: Staging) throws(KinshipError) -> ChangeSet {
    seal(staging)
    let changes = changes(in: staging)
    try requireUnique(changes)
    return changes
  }

  func seal(_ staging: Staging) {
    for entry in staging.tables where schema.hasVersions[entry.type] {
      schema.entries[entry.type].versioned?.seal(staging, entry.type)
    }
  }

  /// Lets nobody load what the store is about to change: what comes half from before and half from
  /// after would be seen as half of the transaction.
  private func bar(_ changes: ChangeSet) {
    let lists = changes.ids(in: schema)
    state.withLock { state in
      state.storeWrites.isUnderway = true
      for ids in lists { state.map.reserveBars(ids.count, of: schema.type(ids.type)) }
    }
    for ids in lists {
      for chunk in schema.type(ids.type).chunks(of: ids) {
        state.withLock { state in
          let outcome = state.loader.bar(chunk, &state.map)
          return state.effects(of: outcome)
        }.perform()
      }
    }
  }

  /// Lets what was held be loaded again, a chunk at a time.
  func release() {
    for ids in state.withLock({ $0.loader.endBars(&$0.map) }).flatMap({ $0() }) {
      state.withLock { $0.loader.unbar(ids, &$0.map) }
    }
    let mustGather = state.withLock { state in
      state.storeWrites.end()
      return state.mustGather()
    }
    if mustGather { gather() }
  }

  func changes(in staging: Staging) -> ChangeSet {
    ChangeSet(
      types: staging.tables.compactMap { schema.entries[$0.type].operations.edits($0.table) },
      notes: staging.notes)
  }

  /// A record whose refs, or whose identity, may have been set must be known: else nobody would
  /// know who refers to whom, or another record might be written over.
  private func needSources(_ transaction: inout Transaction, _ staging: Staging) {
    for entry in staging.tables {
      let ids = entry.table.setUnseen(schema.relationships[entry.type].map(\.offset))
      if !ids.isEmpty { transaction.needs.append(ids) }
    }
  }
}
