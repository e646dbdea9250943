extension GraphCache {
  /// Rolls back all pending writes and re-runs them, in one step.
  ///
  /// The re-run leaves out a rejected write, and starts from a transaction that has just been
  /// committed. Only the holder of the turn may call it, because it may need data from the store. A
  /// write that cannot be re-run is abandoned, with the error of its closure or of loading its
  /// data. But if the store is unreachable, queued writes stay as they are.
  ///
  /// - Returns: The reason why the store is unreachable, if that has prevented a re-run.
  @discardableResult
  func rerunPendingWrites(
    without refused: (id: UInt64, error: any Error)? = nil, onTopOf committed: Staging? = nil
  ) async -> (any Error)? {
    var outage: (any Error)?
    var rerun = Rerun(
      Replay(without: refused.map { [$0.id: $0.error] } ?? [:]), schema, onTopOf: committed)
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    while let missing = continueRerun(&rerun) {
      // Records held during a commit may be among the needed data: waiting for them here would
      // never end.
      unblockLoads()
      do {
        leases += try await loadMissing(missing, rerun.top, &rerun.rerunBudget)
      } catch  where isOutage(error) {
        outage = error
        rerun.replay.keepIncompleteWrites()
      } catch {
        rerun.replay.recordUnloadable(error)
      }
    }
    publish(rerun)
    await settleAbandoned()
    return outage
  }

  /// Re-runs at once all pending writes for which memory has the data.
  ///
  /// The others stay as they are until the store is about to commit one.
  @usableFromInline
  func rerunPendingWritesFromMemory() {
    var rerun = Rerun(Replay(keepingIncompleteWrites: true), schema)
    if continueRerun(&rerun) == nil { publish(rerun) }
    guard offline?.mustRewriteFile == true else { return }
    Task(executorPreference: executor) { await self.settleAbandoned() }
  }

  /// A re-run of writes that is not visible yet.
  private struct Rerun {
    var replay: Replay<Transaction.MissingData>
    let top: Staging
    /// The changes that the store has just committed, below all of them.
    let committed: Staging?
    var rerunBudget = RerunBudget()
    /// The writes that were re-run.
    var steps: [Staging] = []

    init(
      _ replay: Replay<Transaction.MissingData>, _ schema: GraphSchema,
      onTopOf committed: Staging? = nil
    ) {
      self.replay = replay
      self.committed = committed
      top = Staging(usesBaseValues: true)
    }
  }

  /// Continues until all possible writes are re-run.
  ///
  /// - Returns: The data to load first, if any.
  private func continueRerun(_ rerun: inout Rerun) -> Transaction.MissingData? {
    let top = rerun.top
    while true {
      switch rerun.replay.step() {
      case .begin:
        if !rerun.replay.keepsIncompleteWrites { needsRerun = false }
        resetStaging(top, &rerun.rerunBudget)
        if let committed = rerun.committed {
          overlay(committed, on: top)
          _ = top.takeStep()
        }
        rerun.steps = []
        rerun.replay.begin(
          pending.map { .init(id: $0.id, isBeingCommitted: $0.sent != nil) })
      case .run(let id):
        guard let entry = pending.first(where: { $0.id == id }) else { continue }
        rerun.replay.recordResult(
          Result {
            try attempt(entry.body, on: top, reserved: entry.reserved, updatesBlindly: false)
          })
      case .stageAgain(let id):
        guard let entry = pending.first(where: { $0.id == id }) else { continue }
        overlay(entry.step.staging, on: top)
      case .take:
        seal(top)
        rerun.steps.append(top.takeStep())
      case .undo: top.undoStep()
      case .load(let missing): return missing
      case .show: return nil
      }
    }
  }

  /// Shows the re-run writes, and abandons those that failed.
  private func publish(_ rerun: Rerun) {
    needsRerun = needsRerun || rerun.replay.isIncomplete
    let failures = rerun.replay.failures
    let earlier = pending
    pending.removeAll { failures[$0.id] != nil }
    for index in pending.indices {
      pending[index].step = step(rerun.steps[index], insteadOf: pending[index].step)
    }
    let changes = rerun.committed.map { self.changes(in: $0) }
    let (changed, unknown) = applyToMemory(rerun, insteadOf: earlier.map(\.step.staging))
    state.withLock { state in
      state.endApplying()
      var outcome = Loader.Outcome()
      if let changes, let commitOutcome = state.finishCommit(of: changes, schema) {
        outcome.add(commitOutcome)
      }
      state.pendingWrites = rerun.steps.count
      outcome.add(state.publishShown(changed, unknown: unknown))
      return state.effects(of: outcome)
    }.perform()
    for entry in earlier {
      // The remaining writes keep their leases, or have released them.
      guard let error = failures[entry.id] else { continue }
      entry.endLeases()
      if let key = entry.key {
        offline?.abandoned.append((entry.write, key, error))
      } else {
        entry.write.settle(.failure(error))
      }
    }
  }

  /// Applies re-run writes to the map, in chunks.
  ///
  /// All of it becomes visible at one moment. Until the map has everything, reads return the re-run
  /// values, and otherwise committed ones.
  ///
  /// - Returns: The ids whose shown values have changed, and those that are now unknown.
  private func applyToMemory(
    _ rerun: Rerun, insteadOf earlier: [Staging]
  ) -> (changed: [IDs], unknown: [IDs]) {
    let (top, steps) = (rerun.top, rerun.steps)
    if rerun.replay.isIncomplete {
      for step in steps { inChunks(step) { $0.keepShown($1, in: top, $2) } }
    }
    beginApplying(of: top)
    if let committed = rerun.committed {
      inChunks(committed) { $0.commitLate($1, to: &$2) }
    }
    for step in earlier { inChunks(step) { $0.count($1, isPending: false, in: &$2) } }
    for step in steps { inChunks(step) { $0.count($1, isPending: true, in: &$2) } }
    let uncovered = earlier.flatMap { inChunks($0) { $0.showBaseValues($1, in: &$2) } }
    let shown = inChunks(top) { $0.showPending($1, in: &$2) }
    return (uncovered.map(\.changed) + shown, uncovered.map(\.unknown))
  }

  private func overlay(_ staging: Staging, on top: Staging) {
    inChunks(staging) { $0.overlay($1, on: top, $2) }
    top.removeDropped()
  }
}
