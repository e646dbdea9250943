extension GraphCache {
  /// Takes all pending writes back and makes them anew, but for one that the store has refused, and
  /// on top of a transaction that it has made: in one step.
  ///
  /// Only who has the turn may do so, for what they need may have to be asked of the store. A write
  /// that cannot be made anew is given up, with what its closure throws, or loading what it needs.
  func makeAnew(
    without refused: (id: UInt64, error: any Error)? = nil, onTopOf committed: Staging? = nil
  ) async {
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
      } catch {
        rehearsal.replay.noteUnloadable(error)
      }
    }
    show(rehearsal)
  }

  /// Makes all pending writes anew at once, as far as memory has what they need.
  ///
  /// The others stay as they are until the store is about to make one.
  @usableFromInline
  func makeAnewAtOnce() {
    var rehearsal = Rehearsal(Replay(keepingWhatLacks: true), schema)
    if rehearse(&rehearsal) == nil { show(rehearsal) }
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
        rehearsal.replay.begin(pending.map { .init(id: $0.id, isBeingMade: $0.isBeingMade) })
      case .run(let id):
        guard let entry = pending.first(where: { $0.id == id }) else { continue }
        rehearsal.replay.note(
          Result { try attempt(entry.body, on: top, updatesBlindly: false) })
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
    state.withLock { state in
      var outcome = Loader.Outcome()
      if let committed = rehearsal.committed {
        outcome.add(state.takeOver(changes(in: committed), committed, schema, isLate: true))
      }
      outcome.add(
        state.show(rehearsal.top, rehearsal.steps, insteadOf: earlier.map(\.step.staging), schema))
      return state.effects(of: outcome)
    }.perform()
    for entry in earlier {
      // Those that go on keep their leases, or have let go of them.
      guard let error = failures[entry.id] else { continue }
      entry.endLeases()
      entry.write.settle(.failure(error))
    }
  }

  private func overlay(_ staging: Staging, on top: Staging) {
    state.withLock { state in
      for entry in staging.tables { entry.table.overlay(on: top, state.map) }
    }
    top.removeDropped()
  }
}
