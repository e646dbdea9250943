/// Pending writes, which are in the map like other values.
///
/// The committed values of the same ids are kept separately. A new committed value of such an id
/// replaces the previous one, and the pending writes are re-run.
extension IdentityMap {
  /// Returns the committed value of an id, without pending writes.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func committed<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type
  ) -> Knowledge<Element> {
    pendingCount == 0 ? knowledge(of: id, as: type) : committedBeneath(id, as: type)
  }

  @usableFromInline
  @inline(never)  // For an unknown type, even the room for the result takes time.
  func committedBeneath<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type
  ) -> Knowledge<Element> {
    table(type)?.pointee.beneath[id]?.committed ?? knowledge(of: id, as: type)
  }

  /// Returns whether pending writes have changed an id.
  @inlinable
  func isPending<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool { pendingCount > 0 && table.pointee.beneath[id] != nil }

  /// The ids of a type that pending writes have changed.
  func pendingIDs<Element: Cacheable>(of type: Element.Type) -> [Element.ID] {
    pendingCount > 0 ? table(type).map { Array($0.pointee.beneath.keys) } ?? [] : []
  }

  // MARK: Showing

  /// Returns closures that show the pending writes of a type again after the map is emptied.
  func shown<Element: Cacheable>(
    _ type: Element.Type
  ) -> [@Sendable (inout IdentityMap) -> Void] {
    pendingIDs(of: type).map { id in
      let known = knowledge(of: id, as: type)
      return { map in
        guard let table = map.table(type) else { return }
        map.show(known, of: id, map.clock.next(), in: table)
        _ = map.outdate(id, in: table)
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
  ) -> Bool { pendingCount > 0 && setBeneath(knowledge(), of: id(), in: table) }

  @usableFromInline
  mutating func setBeneath<Element: Cacheable>(
    _ knowledge: Knowledge<Element>, of id: Element.ID,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard var beneath = table.pointee.beneath[id] else { return false }
    version &+= 1
    if let element = beneath.committed.element { keep(element, table) }
    beneath.committed = knowledge
    beneath.isOutdated = false
    table.pointee.beneath[id] = beneath
    return true
  }

  /// Notes that the store's value of a pending id may have changed.
  ///
  /// - Returns: Whether the id is pending; if not, nothing was done.
  @usableFromInline
  mutating func outdate<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard setCommitted(.unknown, of: id, in: table) else { return false }
    table.pointee.beneath[id]?.isOutdated = true
    forgettings &+= 1
    return true
  }

  /// Returns those of some ids that are pending and whose committed values are unknown.
  ///
  /// From now on, an invalidation of an id makes `learn` ignore the value that the store returns.
  mutating func beginLearning<Element: Cacheable>(
    _ ids: [Element.ID], as type: Element.Type
  ) -> [Element.ID] {
    guard pendingCount > 0, let table = table(type) else { return [] }
    let unknown = ids.filter { table.pointee.beneath[$0]?.committed.isUnknown == true }
    for id in unknown { table.pointee.beneath[id]?.isOutdated = false }
    return unknown
  }

  /// Stores a committed value of a pending id, unless it was set or invalidated since the store was
  /// asked.
  mutating func learn<Element: Cacheable>(
    _ knowledge: Knowledge<Element>, of id: Element.ID, as type: Element.Type
  ) {
    guard let table = table(type), let beneath = table.pointee.beneath[id],
      beneath.committed.isUnknown, !beneath.isOutdated
    else { return }
    table.pointee.beneath[id]?.committed = knowledge
  }

  // MARK: Parts

  /// Counts one more pending write that has changed an id.
  mutating func cover<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    if table.pointee.beneath[id] == nil {
      table.pointee.beneath[id] = Beneath(knowledge(of: id, as: Element.self))
      pendingCount += 1
    }
    table.pointee.beneath[id]?.writes += 1
  }

  /// Ends all pending writes of an id; returns the committed value beneath them.
  @discardableResult
  mutating func uncover<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Beneath<Element>? {
    guard let beneath = table.pointee.beneath.removeValue(forKey: id) else { return nil }
    pendingCount -= 1
    if let element = beneath.committed.element { keep(element, table) }
    return beneath
  }

  /// Makes the map hold a value of an id; an equal value stays.
  @discardableResult
  mutating func show<Element: Cacheable>(
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
