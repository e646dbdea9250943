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
  func makeAnew(
    without refused: (id: UInt64, error: any Error)? = nil, onTopOf committed: Staging? = nil
  ) async -> (any Error)? {
    var outage: (any Error)?
    var rehearsal = Rehearsal(
      Replay(without: refused.map { [$0.id: $0.error] } ?? [:]), schema, onTopOf: committed)
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    while let lack = rehearse(&rehearsal) {
      // Records held during a commit may be among the needed data: waiting for them here would
      // never end.
      release()
      do {
        leases += try await fulfil(lack, rehearsal.top, &rehearsal.patience)
      } catch  where isOutage(error) {
        outage = error
        rehearsal.replay.keepWhatLacks()
      } catch {
        rehearsal.replay.noteUnloadable(error)
      }
    }
    show(rehearsal)
    await settleGivenUp()
    return outage
  }

  /// Re-runs at once all pending writes for which memory has the data.
  ///
  /// The others stay as they are until the store is about to commit one.
  @usableFromInline
  func makeAnewAtOnce() {
    var rehearsal = Rehearsal(Replay(keepingWhatLacks: true), schema)
    if rehearse(&rehearsal) == nil { show(rehearsal) }
    guard offline?.owesFile == true else { return }
    Task(executorPreference: executor) { await self.settleGivenUp() }
  }

  /// A re-run of writes that is not visible yet.
  private struct Rehearsal {
    var replay: Replay<Transaction.Lack>
    let top: Staging
    /// The changes that the store has just committed, beneath all of them.
    let committed: Staging?
    var patience = Patience()
    /// The writes that were re-run.
    var steps: [Staging] = []

    init(
      _ replay: Replay<Transaction.Lack>, _ schema: GraphSchema, onTopOf committed: Staging? = nil
    ) {
      self.replay = replay
      self.committed = committed
      top = Staging(isBeneath: true)
    }
  }

  /// Continues until all possible writes are re-run.
  ///
  /// - Returns: The data to load first, if any.
  private func rehearse(_ rehearsal: inout Rehearsal) -> Transaction.Lack? {
    let top = rehearsal.top
    while true {
      switch rehearsal.replay.step() {
      case .begin:
        if !rehearsal.replay.keepsWhatLacks { needsAnew = false }
        begin(top, &rehearsal.patience)
        if let committed = rehearsal.committed {
          overlay(committed, on: top)
          _ = top.takeStep()
        }
        rehearsal.steps = []
        rehearsal.replay.begin(
          pending.map { .init(id: $0.id, isBeingMade: $0.sent != nil) })
      case .run(let id):
        guard let entry = pending.first(where: { $0.id == id }) else { continue }
        rehearsal.replay.note(
          Result {
            try attempt(entry.body, on: top, reserved: entry.reserved, updatesBlindly: false)
          })
      case .stageAgain(let id):
        guard let entry = pending.first(where: { $0.id == id }) else { continue }
        overlay(entry.step.staging, on: top)
      case .take:
        seal(top)
        rehearsal.steps.append(top.takeStep())
      case .undo: top.undoStep()
      case .load(let lack): return lack
      case .show: return nil
      }
    }
  }

  /// Shows the re-run writes, and abandons those that failed.
  private func show(_ rehearsal: Rehearsal) {
    needsAnew = needsAnew || rehearsal.replay.isIncomplete
    let failures = rehearsal.replay.failures
    let earlier = pending
    pending.removeAll { failures[$0.id] != nil }
    for index in pending.indices {
      pending[index].step = step(rehearsal.steps[index], insteadOf: pending[index].step)
    }
    let changes = rehearsal.committed.map { self.changes(in: $0) }
    let (changed, unknown) = takeOver(rehearsal, insteadOf: earlier.map(\.step.staging))
    state.withLock { state in
      state.endArrival()
      var outcome = Loader.Outcome()
      if let changes, let told = state.noteCommit(of: changes, schema) { outcome.add(told) }
      state.pendingWrites = rehearsal.steps.count
      outcome.add(state.noteShown(changed, unknown: unknown))
      return state.effects(of: outcome)
    }.perform()
    for entry in earlier {
      // The remaining writes keep their leases, or have released them.
      guard let error = failures[entry.id] else { continue }
      entry.endLeases()
      if let key = entry.key {
        offline?.givenUp.append((entry.write, key, error))
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
  private func takeOver(
    _ rehearsal: Rehearsal, insteadOf earlier: [Staging]
  ) -> (changed: [IDs], unknown: [IDs]) {
    let (top, steps) = (rehearsal.top, rehearsal.steps)
    if rehearsal.replay.isIncomplete {
      for step in steps { inChunks(step) { $0.keepShown($1, in: top, $2) } }
    }
    beginArrival(of: top)
    if let committed = rehearsal.committed {
      inChunks(committed) { $0.commitLate($1, to: &$2) }
    }
    for step in earlier { inChunks(step) { $0.count($1, isPending: false, in: &$2) } }
    for step in steps { inChunks(step) { $0.count($1, isPending: true, in: &$2) } }
    let uncovered = earlier.flatMap { inChunks($0) { $0.uncover($1, in: &$2) } }
    let shown = inChunks(top) { $0.showPending($1, in: &$2) }
    return (uncovered.map(\.changed) + shown, uncovered.map(\.unknown))
  }

  private func overlay(_ staging: Staging, on top: Staging) {
    inChunks(staging) { $0.overlay($1, on: top, $2) }
    top.removeDropped()
  }
}
