/// An iterator's registration as an observer, which ends when it is no longer referenced.
final class Observer: Sendable {
  typealias ID = ObserverRegistry.ObserverID

  let cache: GraphCache
  let id: ID
  /// Keeps the observed records in memory if they could not be loaded again.
  private let lease = Lock<GraphCache.Lease?>(nil)

  init(cache: GraphCache, id: ID) {
    self.cache = cache
    self.id = id
  }

  /// Replaces the lease; the old one ends.
  func keep(_ lease: GraphCache.Lease?) {
    // The old lease ends outside the lock.
    _ = self.lease.withLock { held in
      defer { held = lease }
      return held
    }
  }

  deinit { cache.endObserver(id) }
}

extension GraphCache {
  /// Registers an observer, and marks for it what it can read from memory now.
  nonisolated func startObserver(_ interest: ObserverRegistry.Interest) -> Observer {
    Observer(cache: self, id: state.withLock { $0.observers.add(interest) })
  }

  nonisolated func endObserver(_ id: Observer.ID) {
    recorder?.endObserver(id)
    let dropped = state.withLock { state in
      state.observers.remove(id)
      return state.observers.takeDropped()
    }
    withExtendedLifetime(dropped) {}
  }

  /// Waits until one of some observers has marks, or the task is cancelled.
  nonisolated func waitForChange(_ observers: [Observer]) async {
    let ids = observers.map(\.id)
    let change = state.withLock { state in
      ids.contains { state.observers.hasMarks($0) } ? nil : state.observerWaits.begin(ids)
    }
    guard let change else { return }
    do {
      try await change.value()
      // A woken observer no longer waits.
      if ids.count == 1 { return }
    } catch {}
    state.withLock { $0.observerWaits.end(ids) }
  }

  /// Returns whether one of some observers has marks.
  ///
  /// It runs on the actor, as `drainMarksOnActor` does.
  func hasMarks(_ observers: [Observer]) -> Bool {
    if observers.isEmpty { return false }
    return state.withLock { state in observers.contains { state.observers.hasMarks($0.id) } }
  }

  /// Removes and returns an observer's marks on the records of a type: all or nothing of what one
  /// cache call has written.
  nonisolated(nonsending) func drainMarks<R: GraphRecord>(
    of observer: Observer, _ type: R.Type
  ) async -> Marks<R.ID, R> {
    guard let number = schema.number(of: type) else { return Marks() }
    // O1: an observer sees all or nothing of a call, so while one writes in parts, wait for the
    // actor. Always taking turns with a writer would cost it several times as much as its writes.
    let marks = state.withLock { state in
      state.map.clock.isInMoment
        ? nil : state.observers.drainMarks(observer.id, type, number: number)
    }
    if let marks { return marks }
    return await drainMarksOnActor(observer, of: type)
  }

  /// Removes and returns an observer's marks on the records of a type.
  ///
  /// It runs on the actor, so that it gets all or nothing of what one cache call has written.
  func drainMarksOnActor<R: GraphRecord>(_ observer: Observer, of type: R.Type) -> Marks<R.ID, R> {
    guard let number = schema.number(of: type) else { return Marks() }
    return state.withLock { $0.observers.drainMarks(observer.id, type, number: number) }
  }

  /// Returns the current state of records, as marks.
  func currentMarks<R: GraphRecord>(_ ids: some Sequence<R.ID>, of type: R.Type) -> Marks<R.ID, R> {
    let hasStore = store != nil
    return state.withLock { state in
      var marks = Marks<R.ID, R>()
      for id in ids {
        if let record = state.map.peek(id, as: type) {
          marks.byKey[id] = .written(record)
        } else if !hasStore || state.map.isMissing(id, as: type) {
          marks.byKey[id] = .removed
        } else {
          marks.byKey[id] = .unknown
        }
      }
      return marks
    }
  }
}
