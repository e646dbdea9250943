extension CacheState {
  /// Tells the observers of records that something has happened to them.
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
  /// - Complexity: O(*n*) in the ids and in the observers that they concern.
  mutating func noteChange<R: GraphRecord>(
    _ event: RecordEvent = .written, of ids: some Sequence<R.ID>, _ type: R.Type, number: Int
  ) {
    if observers.isEmpty { return }
    wake(observers.note(ids, of: type, number: number, event, map))
  }

  /// Tells the observers of records, whose type is known by number only.
  ///
  /// - Parameters:
  ///   - event: What has happened.
  ///   - ids: The ids of the records, as an array of the type's ids.
  ///   - number: The type's number in the schema.
  mutating func noteChange(
    _ event: RecordEvent = .written, of ids: @autoclosure () -> any Sendable, number: Int
  ) {
    if observers.isEmpty { return }
    wake(observers.note(ids(), number: number, event, map))
  }

  /// Tells all observers that everything may have changed.
  mutating func noteChangeOfAll() {
    if observers.isEmpty { return }
    wake(observers.noteAll())
  }

  /// Takes in what the store has answered, goes on with the walks that waited for it, and tells those who
  /// observe the records.
  mutating func complete(
    _ batch: Loader.Batch, with records: any Sendable,
    partial: (any ErasedPartialAnswer)? = nil
  ) -> Loader.Outcome {
    var outcome = loader.complete(batch.id, with: records, partial: partial, &map)
    outcome = goOn(with: outcome, mayFinish: !outcome.outdated.isEmpty)
    if !outcome.outdated.isEmpty {
      hand(outcome.outdated, of: batch.type)
      loader.forget(outcome.outdated, of: batch.type, &map)
    }
    noteChange(.loaded, of: batch.ids, number: batch.type)
    return outcome
  }

  /// Takes in that the store could not answer, or not wholly.
  mutating func fail(_ batch: Loader.Batch, cause: any Error) -> Loader.Outcome {
    if let partial = cause as? any ErasedPartialAnswer, loader.asks(batch, of: partial.recordType) {
      return complete(batch, with: partial.erasedRecords, partial: partial)
    }
    return goOn(with: loader.fail(batch.id, cause: cause, &map))
  }

  /// Picks those who wait, to be resumed once the lock is released.
  private mutating func wake(_ concerned: [ObserverRegistry.ObserverID]) {
    for observer in concerned {
      guard let wait = observerWaits.removeValue(forKey: observer) else { continue }
      wokenObservers.append(wait)
      wakeups += 1
    }
  }

  mutating func takeWokenObservers() -> [CheckedContinuation<Bool, Never>] {
    defer { wokenObservers = [] }
    return wokenObservers
  }

  /// What is wrong with the observers, in words.
  func auditObservers() -> [String] {
    var failures = observers.audit()
    for observer in observerWaits.keys {
      if !observers.contains(observer) { failures.append("an observer waits that has left") }
      if observers.hasMarks(observer) { failures.append("an observer waits for what is there") }
    }
    if !wokenObservers.isEmpty { failures.append("observers were picked and not woken") }
    return failures
  }
}
