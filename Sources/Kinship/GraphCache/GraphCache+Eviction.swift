extension GraphCache {
  /// Forgets a record that is in memory, unless it is leased.
  ///
  /// The record still exists: the next read that may wait loads it again.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: Whether a record was forgotten.
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

  /// Forgets the least recently used records, under memory pressure, say, and gives their memory
  /// back.
  ///
  /// - Parameter count: How many records may stay, of all types, at least 0. Leased records stay
  ///   in any case.
  /// - Complexity: O(*n*) in the records that are forgotten.
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

  /// The refs of the records that would be evicted next, the first one first.
  ///
  /// - Parameter count: At most how many; at least 0.
  /// - Returns: The refs. Leased records are not among them.
  /// - Complexity: O(*n*) in the count.
  public func coldest(_ count: Int) -> [AnyRef] { refs(mostRecentFirst: false, count) }

  /// The refs of the records that were used last, the latest first.
  ///
  /// - Parameter count: At most how many; at least 0.
  /// - Returns: The refs. Leased records are not among them.
  /// - Complexity: O(*n*) in the count.
  public func hottest(_ count: Int) -> [AnyRef] { refs(mostRecentFirst: true, count) }

  private func refs(mostRecentFirst: Bool, _ count: Int) -> [AnyRef] {
    let count = count.checked(atLeast: 0, "count")
    let slots = slots(mostRecentFirst: mostRecentFirst, count)
    var refs: [AnyRef] = []
    refs.reserveCapacity(slots.count)
    // Nobody puts anything into a slot meanwhile.
    for range in Chunk.ranges(slots.count) {
      refs += state.withLock { state in
        slots[range].filter { state.map.pages.isOccupied($0) }
          .compactMap { Removal.ref(of: state.map.element(in: $0)) }
      }
    }
    return refs
  }

  /// Slots in the order of use at this moment; to walk along much of it would take long.
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
