extension GraphCache {
  /// Makes changes in one transaction, in memory and in the backing store, or not at all.
  ///
  /// ```swift
  /// let undo = try await cache.write { tx in
  ///   try tx.update(Ref<Person>(42), \.name, to: "Albert")
  /// }.inverted
  /// ```
  ///
  /// 1. The transaction waits until earlier transactions have ended.
  /// 2. The preloads are loaded.
  /// 3. The closure runs. If it needs other records, these are loaded, and it runs again from the
  ///    start.
  /// 4. The backing store commits the changes. Meanwhile all reads return the previously committed
  ///    values. A load of a changed record that is not in memory waits until the commit has ended.
  /// 5. All changes become visible at one moment.
  ///
  /// If the closure throws, the store rejects the changes, or the task is cancelled before the
  /// store has committed them, nothing has changed. If the store cannot say whether it has
  /// committed the changes (``BackingStore/isRefusal(_:)``), the next reads of the records
  /// concerned ask it.
  ///
  /// - Parameters:
  ///   - preloads: The data to load before the transaction begins.
  ///   - retries: The maximum number of re-runs, on the current values of the store, if it reports
  ///     that someone else has changed a record: `KinshipError.conflict`.
  ///   - body: The closure. It must do nothing but read and change records, because it may run more
  ///     than once.
  /// - Returns: The changes.
  /// - Throws: Any error that the closure throws, unchanged; any error of loading;
  ///   `KinshipError.commitFailed` with the cause if the store fails; `.deadlineExceeded` if the
  ///   store takes too long, so that the outcome is unknown; `.misuse(.waitsForItself)` inside a
  ///   store call that this call would have to wait for; the store's own errors of type
  ///   `KinshipError`, unchanged; and `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the changes, on average.
  @discardableResult
  public func write(
    loading preloads: Preload..., retries: Int = 0,
    body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    let retries = retries.checked(atLeast: 0, "retries")
    return try await write(preloads, retries: retries, updatesBlindly: true, body)
  }

  /// Runs a transaction at once, if there is no store and no earlier transaction.
  ///
  /// - Returns: The changes; `nil` if it must wait for something after all, and nothing has
  ///   changed.
  func writeAtOnce(
    _ updatesBlindly: Bool, _ body: @Sendable (inout Transaction) throws -> Void
  ) throws -> ChangeSet? {
    guard store == nil, recorder == nil, turns.count == 0 else { return nil }
    try Task.checkCancellation()
    let staging = Staging(usesBaseValues: true)
    let missing = try attempt(body, on: staging, reserved: nil, updatesBlindly: updatesBlindly)
    if missing != nil { return nil }
    let changes = try sealedChanges(in: staging)
    if !changes.isEmpty { applyToMemory(changes, staging, isLate: false) }
    return changes
  }

  func transact(
    _ preloads: [Preload], retries: Int, updatesBlindly: Bool,
    _ body: @Sendable (inout Transaction) throws -> Void
  ) async throws -> ChangeSet {
    // T4: transactions run one after another.
    let turn = try await takeTurn()
    defer { passTurn(turn) }
    try await sendQueued(before: turn)
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    for preload in preloads { leases += try await preload.load(self) }
    // Pending writes go to the store after this transaction, and are re-run on top of it.
    let staging = Staging(usesBaseValues: true)
    var rerunBudget = RerunBudget()
    let reserved = takeSpareIDs()
    defer { keepSpareIDs(of: reserved) }
    var (retries, idRetries) = (retries, 8)
    while true {
      try Task.checkCancellation()
      resetStaging(staging, &rerunBudget)
      do {
        if let missing = try attempt(
          body, on: staging, reserved: reserved, updatesBlindly: updatesBlindly)
        {
          leases += try await loadMissing(missing, staging, reserved, &rerunBudget)
          continue
        }
        return try await commit(staging)
      } catch KinshipError.conflict(let ref, _, _) where retries > 0 {
        retries -= 1
        invalidate(changed: [.records([ref])])
      } catch KinshipError.exists(let ref)
        where idRetries > 0 && isReservedIDTaken(ref, of: reserved)
      {
        idRetries -= 1
        invalidate(changed: [.records([ref])])
      }
    }
  }

  /// Clears the staging area, before a transaction runs or is re-run.
  ///
  /// Values from the store stay, as long as nothing is invalidated.
  func resetStaging(_ staging: Staging, _ rerunBudget: inout RerunBudget) {
    rerunBudget.recordInvalidations(state.withLock { $0.map.invalidations &+ $0.map.commits })
    for entry in staging.tables {
      entry.table.clear()
      restage(staging, entry.type, schema.type(entry.type), rerunBudget)
    }
    staging.indexes.withLock { $0.removeAll() }
    staging.notes.removeAll()
  }

  private func restage<R: GraphRecord>(
    _ staging: Staging, _ number: TypeNumber, _ type: R.Type, _ rerunBudget: RerunBudget
  ) {
    let table = staging.table(number, of: type)
    if rerunBudget.hasStaleAnswers { table.values.withLock { $0.storeAnswers = [:] } }
    if table.values.withLock({ $0.storeAnswers.isEmpty }) { return }
    state.withLock { state in
      table.values.withLock { values in
        // A search for referrers must find these records.
        for (id, known) in values.storeAnswers where known.isPresent {
          values.log.append(values.stage(id, state.map))
        }
      }
    }
  }

  /// Runs a transaction's closure once.
  ///
  /// - Returns: The data to load before the transaction's effects are known; `nil` if they are
  ///   known and staged.
  /// - Throws: Any error that the closure throws, and errors of its subscripts, which cannot throw.
  func attempt(
    _ body: @Sendable (inout Transaction) throws -> Void, on staging: Staging,
    reserved: ReservedIDs?, updatesBlindly: Bool
  ) throws -> MissingData? {
    reserved?.rewind()
    var transaction = Transaction(self, staging, reserved, updatesBlindly: updatesBlindly)
    var failure: (any Error)?
    transacting.begin()
    do { try body(&transaction) } catch { failure = error }
    // Reads past the transaction may be why it failed.
    failure = transacting.end() ?? failure
    if failure == nil, updatesBlindly, transaction.hasSetUnseen {
      needSources(&transaction, staging)
    }
    // Missing data may cause errors: an error counts only if nothing is missing.
    if !transaction.missing.isEmpty { return transaction.missing }
    if let error = failure ?? transaction.failure { throw error }
    return nil
  }

  /// Commits the changes to the store, and then to memory.
  private func commit(_ staging: Staging) async throws -> ChangeSet {
    var changes = try sealedChanges(in: staging)
    if changes.isEmpty { return changes }
    let version = state.withLock { $0.map.version }
    // T1: memory and observers change only after the store has committed all of it.
    if let store {
      try await apply(changes, to: store)
      if restage(changes, in: staging) { changes = self.changes(in: staging) }
    }
    let committed = changes
    defer { dropInvalidatedDuringCommit(over: committed) }
    if !pending.isEmpty {
      // Pending writes come after this. The store has committed the changes, so no cancellation may
      // stop memory from following.
      await Task(executorPreference: executor) {
        _ = await self.rerunPendingWrites(onTopOf: staging)
      }.value
      if store != nil { unblockLoads() }
      dropInvalidatedDuringCommit(over: changes)
      return self.changes(in: staging)
    }
    // Writes made during the commit did not know of the transaction.
    let isLate = state.withLock { $0.map.version } != version
    applyToMemory(changes, staging, isLate: isLate)
    if store != nil { unblockLoads() }
    dropInvalidatedDuringCommit(over: changes)
    return isLate ? self.changes(in: staging) : changes
  }

  /// Stages the stored values where they differ from those that a transaction has set.
  ///
  /// Changes that others or the database have made are not part of the transaction: such a record
  /// is read again.
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

  /// Commits changes to the store; until `release`, no one loads the changed records.
  ///
  /// Records that are invalidated from then on are dropped again by `dropInvalidatedDuringCommit`.
  ///
  /// - Throws: The store's error; then nothing is held. Records that the store may have changed
  ///   nevertheless are loaded again.
  func apply(_ changes: ChangeSet, to store: any BackingStore) async throws {
    try refuseToAwaitItself(changes)
    blockLoads(changes)
    committing = changes
    invalidatedDuringCommit = []
    do {
      try await makingCommit { try await make(changes, in: store) }
    } catch {
      unblockLoads()
      committing = nil
      invalidatedDuringCommit = nil
      // P2: the store may have committed the changes, so the values before them may be stale.
      if !isRefusal(error, of: store) { invalidate(changed: [.records(changes.refs)]) }
      endCommit(changing: nil)
      throw error
    }
  }

  /// Returns whether an error proves that the store has changed nothing.
  func isRefusal(_ error: any Error, of store: any BackingStore) -> Bool {
    switch error {
    case KinshipError.deadlineExceeded: false
    case KinshipError.commitFailed(let cause): store.isRefusal(cause)
    default: store.isRefusal(error)
    }
  }

  /// Drops records that the store has changed beyond the changes, and records invalidated
  /// meanwhile.
  ///
  /// For the latter, it is unknown whether memory has the value from before or after.
  func dropInvalidatedDuringCommit(over changes: ChangeSet) {
    let invalidated = invalidatedDuringCommit ?? []
    invalidatedDuringCommit = nil
    committing = nil
    if !invalidated.isEmpty {
      invalidate(changed: [.records(changes.refs.filter { invalidated.contains($0) })])
    }
    let reports = changes.notes.takeReports(StoreReport.self)
    if !reports.isEmpty { invalidate(changed: reports.map { StoreChange.Extent($0) }) }
    endCommit(changing: changes)
  }

  /// Returns a transaction's final changes, once its closure has ended.
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
      (schema.type(entry.type) as? any Versioned.Type)?.seal(staging, entry.type)
    }
  }

  /// Prevents loads of the records that the store is about to change.
  ///
  /// A load that mixes values from before and after the commit would show half of the transaction.
  private func blockLoads(_ changes: ChangeSet) {
    let lists = changes.ids(in: schema)
    state.withLock { state in
      state.storeWrites.isUnderway = true
      for ids in lists { state.map.reserveBlocked(ids.count, of: schema.type(ids.type)) }
    }
    for ids in lists {
      for chunk in schema.type(ids.type).chunks(of: ids) {
        state.withLock { state in
          let outcome = state.loader.blockLoads(chunk, &state.map)
          return state.effects(of: outcome)
        }.perform()
      }
    }
  }

  /// Allows loads of held records again, in chunks.
  func unblockLoads() {
    for ids in state.withLock({ $0.loader.unblockAllLoads(&$0.map) }).flatMap({ $0() }) {
      state.withLock { $0.loader.unblockLoads(ids, &$0.map) }
    }
    let mustGather = state.withLock { state in
      state.storeWrites.end()
      return state.mustGather()
    }
    if mustGather { gather() }
  }

  func changes(in staging: Staging) -> ChangeSet {
    ChangeSet(
      types: staging.tables.compactMap { schema.operations[$0.type].edits($0.table) },
      notes: staging.notes)
  }

  /// Notes that records must be loaded if their refs or identity may have been set.
  ///
  /// Otherwise their referrers would be unknown, or another record might be overwritten.
  private func needSources(_ transaction: inout Transaction, _ staging: Staging) {
    for entry in staging.tables {
      let ids = entry.table.setUnseen(schema.relationships[entry.type].map(\.offset))
      if !ids.isEmpty { transaction.missing.records.append(ids) }
    }
  }
}
