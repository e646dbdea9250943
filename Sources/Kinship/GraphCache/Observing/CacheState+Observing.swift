extension CacheState {
  /// Tells observers and open queries that something has happened to records.
  ///
  /// To be called in the same hold of the lock as the change, or in the same turn of the actor, and
  /// before ``effects(of:)``, which wakes them. It costs next to nothing where nobody observes.
  ///
  /// - Parameters:
  ///   - event: What has happened. The map tells the rest: a written id that is known missing was
  ///     removed.
  ///   - ids: The ids of the records.
  ///   - type: Their type.
  ///   - number: The type's number in the schema.
  ///   - query: The query whose answer has changed them, if one has.
  /// - Complexity: O(*n*) in the ids and in the observers that they concern.
  mutating func noteChange<R: GraphRecord>(
    _ event: RecordEvent = .written, of ids: some Sequence<R.ID>, _ type: R.Type,
    number: TypeNumber, by query: OpenQueries.Number? = nil
  ) {
    if !openQueries.isEmpty, event != .loaded {
      openQueries.note(IDs(Array(ids), of: number), by: query)
    }
    if observers.isEmpty { return }
    observerWaits.wake(observers.note(ids, of: type, number: number, event, map))
  }

  /// Tells observers and open queries of records, whose type is known by number only.
  ///
  /// - Parameters:
  ///   - event: What has happened.
  ///   - ids: The ids of the records.
  mutating func noteChange(_ event: RecordEvent = .written, of ids: @autoclosure () -> IDs) {
    if !openQueries.isEmpty, event != .loaded { openQueries.note(ids(), by: nil) }
    if observers.isEmpty { return }
    observerWaits.wake(observers.note(ids(), event, map))
  }

  /// Takes in records that a store has answered with, unless anything was written since it was
  /// asked.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - number: The number of their type.
  ///   - moment: When the store was asked.
  ///   - add: Adds them to the map.
  /// - Returns: What `add` returns, and what became of those who wait; `nil` if nothing was taken
  ///   in.
  mutating func takeIn<R: GraphRecord, Result>(
    _ records: some Collection<R>, number: TypeNumber, since moment: Moment,
    _ add: (inout IdentityMap, UnsafeMutablePointer<RecordTable<R>>) -> Result
  ) -> (Result, Loader.Outcome)? {
    guard isUnchanged(since: moment), let table = map.table(R.self) else { return nil }
    let result = add(&map, table)
    // Nobody may want them.
    func ids() -> IDs { IDs(records.map { $0.id }, of: number) }
    noteChange(.loaded, of: ids())
    // Whoever waits for one of them need not wait for another answer.
    return (result, loader.noteLoaded(ids(), count: records.count, of: number, &map))
  }

  /// Tells all observers and open queries that everything may have changed.
  mutating func noteChangeOfAll() {
    openQueries.noteAll()
    if observers.isEmpty { return }
    observerWaits.wake(observers.noteAll())
  }

  /// Takes in a chunk of what the store has answered; the rest is left to `complete`.
  mutating func takeIn(
    _ answer: inout BatchAnswer, to batch: Loader.Batch, limit: Int
  ) -> Loader.Outcome {
    note(loader.takeIn(&answer, to: batch.id, limit: limit, &map), of: batch)
  }

  /// Takes in what the store has answered, or the rest of it, and tells those who observe the
  /// records.
  mutating func complete(
    _ batch: Loader.Batch, with answer: BatchAnswer
  ) -> Loader.Outcome {
    let outcome = loader.complete(batch.id, with: answer, &map)
    defer { if answer.isAnswer { noteChange(.loaded, of: batch.ids) } }
    return note(outcome, of: batch)
  }

  /// Goes on with the walks that waited for what has come, and hands out what is too old to be
  /// kept.
  private mutating func note(
    _ outcome: Loader.Outcome, of batch: Loader.Batch
  ) -> Loader.Outcome {
    if let changed = outcome.changed, !changed.isEmpty { noteChange(.written, of: changed) }
    if batch.hasCompany, outcome.outdated.isEmpty {
      // What came along leads walks to their ends, mostly, which are left to their own tasks.
      for waiter in outcome.ready { walks.waiting[waiter]?.stopClaiming(map) }
      return outcome
    }
    let outcome = goOn(with: outcome, mayFinish: !outcome.outdated.isEmpty)
    if !outcome.outdated.isEmpty {
      hand(outcome.outdated, of: batch.ids.type)
      loader.forget(outcome.outdated, of: batch.ids.type, &map)
    }
    return outcome
  }
}
