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
    var rerun = Rerun(onTopOf: committed)
    if let refused { rerun.lost[refused.id] = refused.error }
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    while let (entry, missing) = attempt(&rerun) {
      // Records held during a commit may be among the needed data: waiting for them here would
      // never end.
      unblockLoads()
      do {
        leases += try await loadMissing(missing, rerun.top, entry.reserved, &rerun.rerunBudget)
      } catch  where isOutage(error) {
        outage = error
        rerun.keepsIncompleteWrites = true
      } catch {
        rerun.lost[entry.id] = error
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
    var rerun = Rerun()
    rerun.keepsIncompleteWrites = true
    if attempt(&rerun) == nil { publish(rerun) }
    guard offline?.mustRewriteFile == true else { return }
    Task(executorPreference: executor) { await self.settleAbandoned() }
  }

  /// A re-run of writes that is not visible yet.
  private struct Rerun {
    /// The staged values of all writes, one on top of the other.
    let top = Staging(usesBaseValues: true)
    /// The changes that the store has just committed, below all of them.
    let committed: Staging?
    /// The writes that fail regardless of the others, with their errors.
    var lost: [UInt64: any Error] = [:]
    /// Whether a write that lacks data stays as it is, until there is time to load the data.
    var keepsIncompleteWrites = false
    var rerunBudget = RerunBudget()
    /// The writes that the last attempt has re-run.
    var steps: [Staging] = []
    /// All writes that have failed in it, with their errors.
    var failures: [UInt64: any Error] = [:]
    /// Whether a write was kept as it is and must be re-run later.
    var isIncomplete = false

    init(onTopOf committed: Staging? = nil) { self.committed = committed }
  }

  /// Re-runs the pending writes from the start with the data in memory.
  ///
  /// - Returns: The first write that lacks data, and the data; `nil` if all have been re-run.
  private func attempt(
    _ rerun: inout Rerun
  ) -> (entry: PendingEntry, missing: MissingData)? {
    let top = rerun.top
    if !rerun.keepsIncompleteWrites { needsRerun = false }
    resetStaging(top, &rerun.rerunBudget)
    if let committed = rerun.committed {
      overlay(committed, on: top)
      _ = top.takeStep()
    }
    (rerun.steps, rerun.failures) = ([], rerun.lost)
    for entry in pending where rerun.lost[entry.id] == nil {
      // The store is applying a write that was sent, so that stays as it is.
      var isKept = entry.sent != nil
      do {
        if !isKept,
          let missing = try attempt(
            entry.body, on: top, reserved: entry.reserved, updatesBlindly: false)
        {
          if !rerun.keepsIncompleteWrites { return (entry, missing) }
          top.undoStep()
          (isKept, rerun.isIncomplete) = (true, true)
        }
      } catch {
        top.undoStep()
        rerun.failures[entry.id] = error
        continue
      }
      if isKept { overlay(entry.step.staging, on: top) }
      seal(top)
      rerun.steps.append(top.takeStep())
    }
    return nil
  }

  /// Shows the re-run writes, and abandons those that failed.
  private func publish(_ rerun: Rerun) {
    needsRerun = needsRerun || rerun.isIncomplete
    let failures = rerun.failures
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
    if rerun.isIncomplete {
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
