extension CacheState {
  /// Notifies observers and open queries of an event on records.
  ///
  /// Call it while holding the lock for the change, or in the same turn of the actor, and before
  /// ``effects(of:)``, which wakes the observers. It costs almost nothing if no one observes.
  ///
  /// - Parameters:
  ///   - event: The event. The map supplies the rest: a written id that is known missing was
  ///     removed.
  ///   - ids: The ids of the records.
  ///   - query: The query whose answer has changed them, if any.
  /// - Complexity: O(*n*) in the ids and in the observers that they concern.
  mutating func publishChange(
    _ event: RecordEvent = .written, of ids: @autoclosure () -> IDs,
    by query: OpenQueries.Number? = nil
  ) {
    if !openQueries.isEmpty, event != .loaded { openQueries.recordChange(ids(), by: query) }
    if observers.isEmpty { return }
    observerWaits.wake(observers.mark(ids(), event, map))
  }

  /// Adds records from a store to memory, unless anything was written since it was asked.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - number: The number of their type.
  ///   - moment: When the store was asked.
  ///   - add: Adds them to the map.
  /// - Returns: The result of `add`, and the outcome for the waiters; `nil` if nothing was added.
  mutating func merge<R: GraphRecord, Result>(
    _ records: some Collection<R>, number: TypeNumber, since moment: Moment,
    _ add: (inout IdentityMap, UnsafeMutablePointer<RecordTable<R>>) -> Result
  ) -> (Result, Loader.Outcome)? {
    guard isUnchanged(since: moment), let table = map.table(R.self) else { return nil }
    let result = add(&map, table)
    // The ids may not be needed.
    func ids() -> IDs { IDs(records.map { $0.id }, of: number) }
    publishChange(.loaded, of: ids())
    // Callers that wait for one of these records need no other answer.
    return (result, loader.releaseWaitersOfLoaded(ids(), count: records.count, of: number, &map))
  }

  /// Notifies all observers and open queries that everything may have changed.
  mutating func publishChangeOfAll() {
    openQueries.recordChangeOfAll()
    if observers.isEmpty { return }
    observerWaits.wake(observers.markAll())
  }

  /// Adds a chunk of the store's answer to memory; `complete` adds the rest.
  mutating func merge(
    _ answer: inout BatchAnswer, to batch: Loader.Batch, limit: Int
  ) -> Loader.Outcome {
    deliver(loader.merge(&answer, to: batch.id, limit: limit, &map), of: batch)
  }

  /// Adds an answer, or the rest of it, to memory, and notifies the observers of the records.
  mutating func complete(
    _ batch: Loader.Batch, with answer: BatchAnswer
  ) -> Loader.Outcome {
    let outcome = loader.complete(batch.id, with: answer, &map)
    defer { if answer.isAnswer { publishChange(.loaded, of: batch.ids) } }
    return deliver(outcome, of: batch)
  }

  /// Continues the walks that waited for these records, and hands out records that are too old to
  /// keep.
  private mutating func deliver(
    _ outcome: Loader.Outcome, of batch: Loader.Batch
  ) -> Loader.Outcome {
    if let changed = outcome.changed, !changed.isEmpty { publishChange(.written, of: changed) }
    if batch.hasRelatedRecords, outcome.outdated.isEmpty {
      // Records that were fetched along mostly complete the walks, whose own tasks end them.
      for waiter in outcome.ready { walks.waiting[waiter]?.stopClaiming(map) }
      return outcome
    }
    let outcome = continueWalks(with: outcome, mayFinish: !outcome.outdated.isEmpty)
    if !outcome.outdated.isEmpty {
      deliver(outcome.outdated, of: batch.ids.type)
      loader.dropOutdated(outcome.outdated, of: batch.ids.type, &map)
    }
    return outcome
  }
}
