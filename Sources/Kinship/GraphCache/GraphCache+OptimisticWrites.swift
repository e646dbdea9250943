extension GraphCache {
  /// Makes changes visible at once, and has the backing store make them in the background.
  ///
  /// ```swift
  /// let pending = try await cache.writeOptimistically { tx in
  ///   try tx.update(ref, \.name, to: "Bertie")
  /// }
  /// show(cache.peek(ref)?.name)
  /// try await pending.outcome()
  /// ```
  ///
  /// The store makes such writes in their order; a transaction of ``write(loading:retries:body:)`` waits
  /// until none is pending. If the store refuses one, that one is taken back and those after it are made
  /// anew without it, in one step. What is pending is not evicted.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - body: What to do. It must do nothing but read and change records: it may run more than once,
  ///     and again when an earlier write is refused.
  /// - Returns: The pending write; without a backing store it has been made.
  /// - Throws: What the closure throws, as it is, and what loading throws; then nothing has changed.
  /// - Complexity: O(*n*) in the changes, on average. At most ``maxPendingWrites`` are pending: one more
  ///   waits until the first is settled.
  @discardableResult
  public func writeOptimistically(
    loading preloads: Preload..., body: @escaping @Sendable (inout Transaction) throws -> Void
  ) async throws -> PendingWrite {
    while let first = pending.first, pending.count >= Self.maxPendingWrites {
      try await first.write.untilSettled()
      try Task.checkCancellation()
    }
    var leases: [Lease] = []
    for preload in preloads { leases += try await preload.load(self) }
    let staging = Staging(schema.entries.lazy.map(\.operations))
    while true {
      try Task.checkCancellation()
      // Between the closure and the end nothing is awaited: what it saw is what it changes.
      guard let lack = try attempt(body, on: staging, updatesBlindly: false) else {
        return show(staging, body, leases)
      }
      leases += try await fulfil(lack, staging)
      clear(staging)
    }
  }

  /// The largest number of writes that are shown and not yet made by the store.
  public static var maxPendingWrites: Int { 1024 }

  /// Whether a record shows a change that the backing store has not made yet.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: Whether a write of it is pending.
  /// - Complexity: O(1) on average.
  public nonisolated func isPending<R: Record>(_ ref: Ref<R>) -> Bool { isPending(AnyRef(ref)) }

  private nonisolated func isPending(_ ref: AnyRef) -> Bool {
    state.withLock { $0.pendingRefs[ref] != nil }
  }

  /// Makes changes visible and queues them for the store.
  private func show(
    _ staging: Staging, _ body: @escaping @Sendable (inout Transaction) throws -> Void,
    _ leases: [Lease]
  ) -> PendingWrite {
    seal(staging)
    let write = PendingWrite()
    let changes = changes(in: staging)
    if changes.isEmpty || store == nil {
      takeOver([(staging, changes)])
      write.settle(.success(changes))
      return write
    }
    let turn = reserveTurn()
    write.isMade(by: self, turn)
    lastPending += 1
    let id = lastPending
    pending.append(
      PendingEntry(
        id: id, write: write, turn: turn, body: body, changes: changes,
        leases: leases + [lease(changes)]))
    countPending(changes, 1)
    takeOver([(staging, changes)])
    Task(executorPreference: executor) {
      await self.workingInBackground(turn) { await self.makePending(id, turn) }
    }
    return write
  }

  /// Has the store make a pending write once it is its turn.
  private func makePending(_ id: UInt64, _ turn: TurnQueue.Ticket) async {
    // The task is nobody's to cancel.
    try? await turns.wait(for: turn)
    defer { passTurn(turn) }
    guard let entry = pending.first(where: { $0.id == id }), let store else { return }
    do {
      try await apply(entry.changes, to: store)
      release()
      settle(id, .success(entry.changes))
    } catch {
      for (failed, error) in await replay(without: id) { settle(failed, .failure(error)) }
      settle(id, .failure(error))
    }
  }

  func settle(_ id: UInt64, _ result: Result<ChangeSet, any Error>) {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
    let entry = pending.remove(at: index)
    countPending(entry.changes, -1)
    for lease in entry.leases { lease.end() }
    entry.write.settle(result)
    let settled = laterInvalidations.filter { !isPending($0) }
    for ref in settled {
      laterInvalidations.remove(ref)
      forget(ref)
    }
  }

  private func countPending(_ changes: ChangeSet, _ difference: Int) {
    let refs = changes.refs
    state.withLock { state in
      for ref in refs {
        let count = state.pendingRefs[ref, default: 0] + difference
        state.pendingRefs[ref] = count > 0 ? count : nil
      }
      state.pendingWrites += difference
    }
  }

  private func lease(_ changes: ChangeSet) -> Lease {
    lease(
      on: changes.types.compactMap { changed in
        schema.number(of: changed.recordType).map { Need(type: $0, ids: changed.ids) }
      })
  }

  /// For each record that a pending write has changed: how to show it again.
  func shownRecords() -> [@Sendable (inout IdentityMap) -> Void] {
    var shown: [@Sendable (inout IdentityMap) -> Void] = []
    func collect<R: Record>(_ type: R.Type) {
      let refs = state.withLock { $0.pendingRefs.keys.compactMap { $0.as(type) } }
      for ref in refs {
        let known = state.withLock { $0.map.knowledge(of: ref.id, as: type) }
        shown.append { map in
          guard let table = map.table(type) else { return }
          switch known {
          case .present(let record): map.put(record, in: table)
          case .missing: _ = map.remove(ref.id, in: table)
          case .unknown: return
          }
        }
      }
    }
    if !pending.isEmpty { for type in schema.types { collect(type) } }
    return shown
  }

  // MARK: Making anew

  /// Makes the pending writes anew on top of what the store has made.
  func showAnew(onTopOf committed: Staging) async {
    for (failed, error) in await replay(onTopOf: committed) { settle(failed, .failure(error)) }
  }

  /// Takes all pending writes back and makes them anew, but for one that was refused, and on top of one
  /// that the store has made: in one step.
  ///
  /// - Returns: Those that could not be made anew, and why: what their closures throw, or loading what
  ///   they need.
  func replay(
    without refused: UInt64? = nil, onTopOf committed: Staging? = nil
  ) async -> [(UInt64, any Error)] {
    let operations = schema.entries.lazy.map(\.operations)
    let bottom = Staging(operations)
    var leases: [Lease] = []
    var unloadable: [UInt64: any Error] = [:]
    while true {
      clear(bottom)
      let reverting = Transaction(self, bottom, updatesBlindly: false)
      for entry in pending.reversed() { reverting.takeBack(entry.changes) }
      var steps = [(bottom, changes(in: bottom))]
      var top = Staging(after: bottom, operations)
      if let committed {
        state.withLock { state in
          for (number, entry) in schema.entries.enumerated() {
            entry.operations.overlay(state.map, committed, top, number)
          }
        }
        steps.append((top, changes(in: top)))
        top = Staging(after: top, operations)
      }
      var anew: [UInt64: ChangeSet] = [:]
      var failures: [(UInt64, any Error)] = []
      var isWhole = true
      for entry in pending where entry.id != refused {
        if let error = unloadable[entry.id] {
          failures.append((entry.id, error))
          continue
        }
        let step = Staging(after: top, operations)
        let lack: Transaction.Lack?
        do {
          lack = try attempt(entry.body, on: step, updatesBlindly: false)
        } catch {
          failures.append((entry.id, error))
          continue
        }
        if let lack {
          // What is held while the store commits may be among it: whoever waits here would wait for ever.
          release()
          do {
            leases += try await fulfil(lack, bottom)
          } catch {
            unloadable[entry.id] = error
          }
          isWhole = false
          break
        }
        seal(step)
        let changes = changes(in: step)
        anew[entry.id] = changes
        steps.append((step, changes))
        top = Staging(after: step, operations)
      }
      if !isWhole { continue }
      let takenBack = pending.map(\.changes)
      for index in pending.indices {
        guard let changes = anew[pending[index].id] else { continue }
        countPending(pending[index].changes, -1)
        countPending(changes, 1)
        pending[index].leases.append(lease(changes))
        pending[index].changes = changes
      }
      takeOver(steps)
      for changes in takenBack { forgetInserted(changes) }
      for lease in leases { lease.end() }
      return failures
    }
  }

  /// Takes staged changes over into memory, one after another, at one moment.
  private func takeOver(_ steps: [(staging: Staging, changes: ChangeSet)]) {
    let isLate = steps.count > 1
    state.withLock { state in
      var outcome = Loader.Outcome()
      for step in steps {
        outcome.add(state.takeOver(step.changes, step.staging, schema, isLate: isLate))
      }
      return state.effects(of: outcome)
    }.perform()
  }

  /// What a write was to insert, and is not there now, may exist in the store: nothing is known of it.
  private func forgetInserted(_ changes: ChangeSet) {
    func forget<R: Record>(_ type: R.Type) {
      for record in changes.inserted(type) where !contains(record.ref) { invalidate(record.ref) }
    }
    for type in changes.recordTypes { forget(type) }
  }
}

extension Transaction {
  /// Takes changes back as far as they still stand: what others have written since stays.
  func takeBack(_ changes: ChangeSet) {
    for type in changes.recordTypes { takeBack(changes, of: type) }
  }

  private func takeBack<R: Record>(_ changes: ChangeSet, of type: R.Type) {
    guard let table = table(of: type) else { return }
    cache.state.withLock { state in
      table.values.withLock { values in
        for record in changes.inserted(type) {
          guard let now = values.read(record.id, state.map).element,
            Values.mayBeEqual(now, record)
          else { continue }
          values.set(.missing, for: record.id, state.map)
        }
        for change in changes.updated(type) {
          guard let now = values.read(change.ref.id, state.map).element, let old = change.old,
            let new = change.new
          else { continue }
          if let properties = change.properties {
            let standing = properties.filter {
              Values.mayBeEqual($0.property.value(now), $0.property.value(new))
            }
            _ = values.set(standing.map { $0.taken(from: old) }, of: old.id, state.map)
          } else if Values.mayBeEqual(now, new) {
            values.set(.present(old), for: old.id, state.map)
          }
        }
        for record in changes.deleted(type) {
          guard case .missing = values.read(record.id, state.map) else { continue }
          values.set(.present(record), for: record.id, state.map)
        }
      }
    }
  }
}
