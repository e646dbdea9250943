extension GraphCache {
  /// Takes all pending writes back and makes them anew, but for one that the store has refused, and on top of a
  /// transaction that it has made: in one step.
  ///
  /// Only who has the turn may do so, for what they need may have to be asked of the store. A write that cannot be
  /// made anew is given up, with what its closure throws, or loading what it needs.
  func makeAnew(
    without refused: (id: UInt64, error: any Error)? = nil, onTopOf committed: Staging? = nil
  ) async {
    let top = Staging(schema.types, isBeneath: true)
    var patience = Patience()
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    var unmakeable: [UInt64: any Error] = [:]
    if let refused { unmakeable[refused.id] = refused.error }
    while true {
      needsAnew = false
      begin(top, &patience)
      switch rehearse(on: top, without: unmakeable, onTopOf: committed) {
      case .made(let steps, let failures):
        return show(top, steps, failures, onTopOf: committed)
      case .lacks(let lack, let id):
        // What is held while the store commits may be among it: whoever waits here would wait for ever.
        release()
        do {
          leases += try await fulfil(lack, top, &patience)
        } catch {
          unmakeable[id] = error
        }
      }
    }
  }

  /// Makes all pending writes anew at once, as far as memory has what they need.
  ///
  /// The others stay as they are until the store is about to make one.
  @usableFromInline
  func makeAnewAtOnce() {
    let top = Staging(schema.types, isBeneath: true)
    let rehearsal = rehearse(on: top, without: [:], onTopOf: nil, keepsWhatLacks: true)
    if case .made(let steps, let failures) = rehearsal { show(top, steps, failures, onTopOf: nil) }
  }

  private enum Rehearsal {
    /// The writes that could be made, and why others could not.
    case made([Staging], failures: [UInt64: any Error])
    /// What a write needs.
    case lacks(Transaction.Lack, UInt64)
  }

  /// Makes the pending writes one after another, where nobody sees it.
  private func rehearse(
    on top: Staging, without unmakeable: [UInt64: any Error], onTopOf committed: Staging?,
    keepsWhatLacks: Bool = false
  ) -> Rehearsal {
    if let committed {
      overlay(committed, on: top)
      _ = top.takeStep()
    }
    var steps: [Staging] = []
    var failures = unmakeable
    for entry in pending where unmakeable[entry.id] == nil {
      if entry.isBeingMade {
        overlay(entry.step.staging, on: top)
      } else {
        do {
          if let lack = try attempt(entry.body, on: top, updatesBlindly: false) {
            if !keepsWhatLacks { return .lacks(lack, entry.id) }
            top.undoStep()
            overlay(entry.step.staging, on: top)
            needsAnew = true
          }
        } catch {
          top.undoStep()
          failures[entry.id] = error
          continue
        }
      }
      seal(top)
      steps.append(top.takeStep())
    }
    return .made(steps, failures: failures)
  }

  /// Shows what was rehearsed, and gives up what could not be made.
  private func show(
    _ top: Staging, _ stagings: [Staging], _ failures: [UInt64: any Error],
    onTopOf committed: Staging?
  ) {
    let earlier = pending
    pending.removeAll { failures[$0.id] != nil }
    for index in pending.indices {
      pending[index].step = step(stagings[index], insteadOf: pending[index].step)
    }
    state.withLock { state in
      var outcome = Loader.Outcome()
      if let committed {
        outcome.add(state.takeOver(changes(in: committed), committed, schema, isLate: true))
      }
      outcome.add(
        state.show(top, stagings, insteadOf: earlier.map(\.step.staging), schema))
      state.pendingWrites = pending.count
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
      for table in staging.tables { table.overlay(on: top, state.map) }
    }
    top.dropped.removeAll()
  }
}
