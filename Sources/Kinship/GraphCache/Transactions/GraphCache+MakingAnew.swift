extension GraphCache {
  /// Takes all pending writes back and makes them anew, but for one that the store has refused, and
  /// on top of a transaction that it has made: in one step.
  ///
  /// Only who has the turn may do so, for what they need may have to be asked of the store. A write
  /// that cannot be made anew is given up, with what its closure throws, or loading what it needs;
  /// but what is queued stays as it is where the store cannot be reached.
  ///
  /// - Returns: Why it cannot, if that is why some were not made anew.
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
      // What is held while the store commits may be among it: whoever waits here would wait for
      // ever.
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

  /// Makes all pending writes anew at once, as far as memory has what they need.
  ///
  /// The others stay as they are until the store is about to make one.
  @usableFromInline
  func makeAnewAtOnce() {
    var rehearsal = Rehearsal(Replay(keepingWhatLacks: true), schema)
    if rehearse(&rehearsal) == nil { show(rehearsal) }
    guard offline?.owesFile == true else { return }
    Task(executorPreference: executor) { await self.settleGivenUp() }
  }

  /// Writes that are made anew where nobody sees it.
  private struct Rehearsal {
    var replay: Replay<Transaction.Lack>
    let top: Staging
    /// What the store has just made, beneath all of them.
    let committed: Staging?
    var patience = Patience()
    /// The writes that were made.
    var steps: [Staging] = []

    init(
      _ replay: Replay<Transaction.Lack>, _ schema: GraphSchema, onTopOf committed: Staging? = nil
    ) {
      self.replay = replay
      self.committed = committed
      top = Staging(isBeneath: true)
    }
  }

  /// Goes on until all is made that can be.
  ///
  /// - Returns: What must be loaded first, if anything.
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
          pending.map { entry in
            let mayBeMade = entry.isBeingMade || entry.queued?.sent != nil
            return .init(id: entry.id, isBeingMade: mayBeMade)
          })
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

  /// Shows what was rehearsed, and gives up what could not be made.
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
      // Those that go on keep their leases, or have let go of them.
      guard let error = failures[entry.id] else { continue }
      entry.endLeases()
      if let queued = entry.queued {
        offline?.givenUp.append((entry.write, queued.key, error))
      } else {
        entry.write.settle(.failure(error))
      }
    }
  }

  /// Has the map take over what was rehearsed, a chunk at a time.
  ///
  /// It is all seen at one moment: until the map has all of it, what is read is what was rehearsed,
  /// and what is committed of all else.
  ///
  /// - Returns: The ids of which something else is shown now, and those of which nothing is known.
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
