extension GraphCache {
  /// Evicts a record from memory, unless it is leased.
  ///
  /// The record still exists: the next read that may wait loads it again.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: Whether a record was evicted.
  /// - Complexity: O(1) on average.
  @inlinable
  @discardableResult
  public func evict<R: GraphRecord>(_ ref: Ref<R>) -> Bool {
    let (isEvicted, written) = state.withLock { state in
      (state.map.evict(ref.id, as: R.self), state.written)
    }
    if case .done = written { return isEvicted }
    tellListeners()
    return isEvicted
  }

  /// Evicts the least recently used records, for example under memory pressure, and frees their
  /// memory.
  ///
  /// - Parameter count: The largest number of records that stay, across all types, at least 0.
  ///   Leased records stay in any case.
  /// - Complexity: O(*n*) in the records that are evicted.
  public func trim(to count: Int) {
    trim(to: count.checked(atLeast: 0, "count"), cost: .max)
  }

  /// The sum of the costs of the records in memory.
  package var cost: Int { state.withLock { $0.map.cost } }

  package func trim(to count: Int, cost: Int) {
    var isDone = false
    while !isDone {
      let effects = state.withLock { state in
        isDone = state.map.trim(to: count, cost: cost, limit: Chunk.medium)
        if isDone { state.marks.shrink(to: state.map.pages.slotCount) }
        return state.effects()
      }
      effects.perform()
    }
  }

  /// Returns refs to the records that would be evicted next, the first one first.
  ///
  /// - Parameter count: The maximum number of refs; at least 0.
  /// - Returns: The refs. Leased records are not among them.
  /// - Complexity: O(*n*) in the count.
  public func coldest(_ count: Int) -> [AnyRef] { refs(mostRecentFirst: false, count) }

  /// Returns refs to the most recently used records, the latest first.
  ///
  /// - Parameter count: The maximum number of refs; at least 0.
  /// - Returns: The refs. Leased records are not among them.
  /// - Complexity: O(*n*) in the count.
  public func hottest(_ count: Int) -> [AnyRef] { refs(mostRecentFirst: true, count) }

  private func refs(mostRecentFirst: Bool, _ count: Int) -> [AnyRef] {
    let count = count.checked(atLeast: 0, "count")
    let slots = slots(mostRecentFirst: mostRecentFirst, count)
    var refs: [AnyRef] = []
    refs.reserveCapacity(slots.count)
    // No slot is filled meanwhile.
    for range in Chunk.ranges(slots.count) {
      refs += state.withLock { state in
        slots[range].filter { state.map.pages.isOccupied($0) }
          .compactMap { Removal.ref(of: state.map.element(in: $0)) }
      }
    }
    return refs
  }

  /// Returns slots in recency order at this moment; walking many of them would take long.
  private func slots(mostRecentFirst: Bool, _ count: Int) -> [Slot] {
    let few = state.withLock { state -> [Slot]? in
      if min(count, state.map.count) <= Chunk.size {
        return state.map.slots(mostRecentFirst: mostRecentFirst, limit: count)
      }
      state.map.recency.beginCapture(by: .naming)
      return nil
    }
    if let few { return few }
    var piece = 0
    while state.withLock({ $0.map.recency.captureLinks(piece, by: .naming) }) { piece += 1 }
    let links = state.withLock { $0.map.recency.takeCapturedLinks(by: .naming) }
    return links.slots(mostRecentFirst: mostRecentFirst, limit: count)
  }
}
