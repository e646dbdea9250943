/// An iterator's registration as an observer; it ends when it is no longer referenced.
final class Observer: Sendable {
  typealias ID = ObserverRegistry.ObserverID

  let cache: GraphCache
  let id: ID
  /// Keeps what it observes in memory, where it could not be read again.
  private let lease = Lock<GraphCache.Lease?>(nil)

  init(cache: GraphCache, id: ID) {
    self.cache = cache
    self.id = id
  }

  /// Goes on with another lease; the old one ends.
  func keep(_ lease: GraphCache.Lease?) {
    // The old one ends outside of the lock.
    _ = self.lease.withLock { held in
      defer { held = lease }
      return held
    }
  }

  deinit { cache.endObserver(id) }
}

extension GraphCache {
  /// Registers an observer, and marks for it what it can read from memory at this moment.
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

  /// Waits until something has changed that one of some observers has not heard of, or the task is
  /// cancelled.
  nonisolated func waitForChange(_ observers: [Observer]) async {
    let ids = observers.map(\.id)
    let change = state.withLock { state in
      ids.contains { state.observers.hasMarks($0) } ? nil : state.observerWaits.begin(ids)
    }
    guard let change else { return }
    do {
      try await change.value()
      // Who was woken does not wait any longer.
      if ids.count == 1 { return }
    } catch {}
    state.withLock { $0.observerWaits.end(ids) }
  }

  /// Whether something has changed that one of some observers has not heard of.
  ///
  /// It runs on the actor, as `takeMarks` does.
  func hasMarks(_ observers: [Observer]) -> Bool {
    if observers.isEmpty { return false }
    return state.withLock { state in observers.contains { state.observers.hasMarks($0.id) } }
  }

  /// Takes what an observer has not heard of the records of a type: all or nothing of what one call
  /// of the cache has written.
  nonisolated(nonsending) func takeNews<R: GraphRecord>(
    of observer: Observer, _ type: R.Type
  ) async -> Marks<R.ID, R> {
    guard let number = schema.number(of: type) else { return Marks() }
    // The turn of the actor is waited for only while a call is under way that writes in parts: to
    // take turns with a writer would cost it several times what its writes do.
    let marks = state.withLock { state in
      state.map.clock.isInMoment ? nil : state.observers.take(observer.id, type, number: number)
    }
    if let marks { return marks }
    return await takeMarks(observer, of: type)
  }

  /// Takes what an observer has not heard of the records of a type.
  ///
  /// It runs on the actor, so that it finds all or nothing of what one call of the cache has
  /// written.
  func takeMarks<R: GraphRecord>(_ observer: Observer, of type: R.Type) -> Marks<R.ID, R> {
    guard let number = schema.number(of: type) else { return Marks() }
    return state.withLock { $0.observers.take(observer.id, type, number: number) }
  }

  /// What is known of records at this moment, as marks.
  func glance<R: GraphRecord>(_ ids: some Sequence<R.ID>, of type: R.Type) -> Marks<R.ID, R> {
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
