extension IdentityMap {
  /// Whether the map holds more than its limits allow.
  @inlinable var isOverLimits: Bool { count > room.count || cost > room.cost }

  /// Evicts the least recently used values, of any type, until the limits hold or only claimed ones
  /// are left.
  ///
  /// The table is that of the current type: most victims are of the same type, and then the code
  /// that is specialised for it runs.
  @inlinable
  mutating func evictOverflow<Element: Cacheable>(
    _ table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    // E1: in the end the limits hold, or only claimed values are left.
    while isOverLimits {
      let victim = nextVictim()
      if victim == .none { return }
      countEviction()
      let type = pages.type(of: victim)
      if type == table.pointee.owner {
        drop(victim, as: Element.self, .evicted)
      } else {
        operations[type].drop(&self, victim, .evicted)
      }
    }
  }

  @usableFromInline
  mutating func evictOverflow() {
    while isOverLimits, nextVictim() != .none {
      countEviction()
      evictLast()
    }
  }

  /// Evicts a chunk of the least recently used values beyond the limits, until `work` reaches
  /// `limit`; returns whether that was all.
  mutating func evictOverflow(_ work: inout Int, limit: Int) -> Bool {
    while isOverLimits, nextVictim() != .none {
      if work >= limit { return false }
      work += 1
      countEviction()
      evictLast()
    }
    return true
  }

  /// Evicts the least recently used values until at most `target` values are left that cost at most
  /// `most` together, or only claimed ones; returns whether that was all.
  ///
  /// It evicts at most `limit` values at a time, and takes as many steps in freeing memory.
  mutating func trim(to target: Int, cost most: Int = .max, limit: Int = .max) -> Bool {
    var rest = limit
    while count > max(0, target) || cost > most, nextVictim() != .none {
      if rest == 0 { return false }
      rest -= 1
      tally.evictedByTrim += 1
      evictLast()
    }
    for operations in operations where !shrink(operations.type, steps: limit) { return false }
    // A capture relies on the slot numbers of its moment.
    if !captured.isActive, !recency.isCaptured {
      pages.shrink()
      dropped.append(recency.shrink(to: pages.slotCount))
    }
    return true
  }

  /// Evicts one value, unless it is claimed; returns whether a value was evicted.
  @inlinable
  mutating func evict<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Bool {
    guard let table = table(type), let slot = table.find(id, in: pages),
      !isClaimed(slot)
    else { return false }
    tally.evictedByRequest &+= 1
    drop(slot, as: type, .evicted)
    return true
  }

  private func shrink<Element: Cacheable>(_ type: Element.Type, steps: Int) -> Bool {
    table(type)?.pointee.index.shrink(steps: steps) ?? true
  }

  private mutating func evictLast() {
    let victim = recency.last
    operations[pages.type(of: victim)].drop(&self, victim, .evicted)
  }

  @inlinable
  mutating func countEviction() {
    isFull = true
    if count > room.count { tally.evictedByCount &+= 1 } else { tally.evictedByCost &+= 1 }
  }
}
