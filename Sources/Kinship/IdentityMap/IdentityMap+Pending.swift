/// Pending writes, which are in the map like other values.
///
/// The base values, the committed values of the same ids, are kept separately. A new committed
/// value of such an id replaces the previous one, and the pending writes are re-run.
extension IdentityMap {
  /// Returns the committed value of an id, without pending writes.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func committed<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type
  ) -> Knowledge<Element> {
    pendingCount == 0 ? knowledge(of: id, as: type) : committedBaseValue(id, as: type)
  }

  @usableFromInline
  @inline(never)  // For an unknown type, even the room for the result takes time.
  func committedBaseValue<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type
  ) -> Knowledge<Element> {
    table(type)?.pointee.baseValues[id]?.committed ?? knowledge(of: id, as: type)
  }

  /// Returns whether pending writes have changed an id.
  @inlinable
  func isPending<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool { pendingCount > 0 && table.pointee.baseValues[id] != nil }

  /// The ids of a type that pending writes have changed.
  func pendingIDs<Element: Cacheable>(of type: Element.Type) -> [Element.ID] {
    pendingCount > 0 ? table(type).map { Array($0.pointee.baseValues.keys) } ?? [] : []
  }

  // MARK: Showing

  /// Returns closures that show the pending writes of a type again after the map is emptied.
  func pendingRestorers<Element: Cacheable>(
    _ type: Element.Type
  ) -> [@Sendable (inout IdentityMap) -> Void] {
    pendingIDs(of: type).map { id in
      let known = knowledge(of: id, as: type)
      return { map in
        guard let table = map.table(type) else { return }
        map.setVisible(known, of: id, map.clock.next(), in: table)
        _ = map.markBaseOutdated(id, in: table)
      }
    }
  }

  // MARK: Committed values

  /// Sets the committed value of an id that is pending.
  ///
  /// - Returns: Whether the id is pending; if not, nothing was done.
  @inlinable
  mutating func setCommitted<Element: Cacheable>(
    _ knowledge: @autoclosure () -> Knowledge<Element>, of id: @autoclosure () -> Element.ID,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool { pendingCount > 0 && setBaseValue(knowledge(), of: id(), in: table) }

  @usableFromInline
  mutating func setBaseValue<Element: Cacheable>(
    _ knowledge: Knowledge<Element>, of id: Element.ID,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard var base = table.pointee.baseValues[id] else { return false }
    version &+= 1
    if let element = base.committed.element { keep(element, table) }
    base.committed = knowledge
    base.isOutdated = false
    table.pointee.baseValues[id] = base
    return true
  }

  /// Marks the base value of a pending id as outdated, because the store may have changed it.
  ///
  /// - Returns: Whether the id is pending; if not, nothing was done.
  @usableFromInline
  mutating func markBaseOutdated<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard setCommitted(.unknown, of: id, in: table) else { return false }
    table.pointee.baseValues[id]?.isOutdated = true
    invalidations &+= 1
    return true
  }

  /// Returns those of some ids that are pending and whose committed values are unknown.
  ///
  /// From now on, an invalidation of an id makes `setLoadedBase` ignore the value that the store
  /// returns.
  mutating func beginLoadingBase<Element: Cacheable>(
    _ ids: [Element.ID], as type: Element.Type
  ) -> [Element.ID] {
    guard pendingCount > 0, let table = table(type) else { return [] }
    let unknown = ids.filter { table.pointee.baseValues[$0]?.committed.isUnknown == true }
    for id in unknown { table.pointee.baseValues[id]?.isOutdated = false }
    return unknown
  }

  /// Stores a committed value of a pending id, unless it was set or invalidated since the store was
  /// asked.
  mutating func setLoadedBase<Element: Cacheable>(
    _ knowledge: Knowledge<Element>, of id: Element.ID, as type: Element.Type
  ) {
    guard let table = table(type), let base = table.pointee.baseValues[id],
      base.committed.isUnknown, !base.isOutdated
    else { return }
    table.pointee.baseValues[id]?.committed = knowledge
  }

  // MARK: Parts

  /// Counts one more pending write that has changed an id.
  mutating func countPendingWrite<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    if table.pointee.baseValues[id] == nil {
      table.pointee.baseValues[id] = BaseValue(knowledge(of: id, as: Element.self))
      pendingCount += 1
    }
    table.pointee.baseValues[id]?.writes += 1
  }

  /// Ends all pending writes of an id; returns its base value.
  @discardableResult
  mutating func removeBaseValue<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> BaseValue<Element>? {
    guard let base = table.pointee.baseValues.removeValue(forKey: id) else { return nil }
    pendingCount -= 1
    if let element = base.committed.element { keep(element, table) }
    return base
  }

  /// Makes the map hold a value of an id; an equal value stays.
  @discardableResult
  mutating func setVisible<Element: Cacheable>(
    _ knowledge: Knowledge<Element>, of id: Element.ID, _ stamp: Stamp,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    let now = self.knowledge(of: id, as: Element.self)
    switch (knowledge, now) {
    case (.unknown, _), (.missing, .missing): return false
    case (.missing, _): _ = remove(id, in: table)
    case (.present(let element), .present(let other)) where Values.areEqual(element, other) == true:
      return false
    case (.present(let element), _): put(element, stamp, in: table)
    }
    return true
  }
}
