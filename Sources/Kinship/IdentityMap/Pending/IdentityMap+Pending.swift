/// What pending writes show lies in the map, like anything else; what is committed of the same ids lies
/// beneath. All that is said of such an id is said of what is committed, and what is shown is made anew.
extension IdentityMap {
  /// What is committed of an id, whatever pending writes show.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func committed<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type
  ) -> Knowledge<Element> {
    if pendingCount > 0, let beneath = table(type)?.pointee.beneath[id] { return beneath.committed }
    return knowledge(of: id, as: type)
  }

  /// Whether pending writes have changed an id.
  @inlinable
  func isPending<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool { pendingCount > 0 && table.pointee.beneath[id] != nil }

  /// The ids of a type that pending writes have changed.
  func pendingIDs<Element: Cacheable>(of type: Element.Type) -> [Element.ID] {
    pendingCount > 0 ? table(type).map { Array($0.pointee.beneath.keys) } ?? [] : []
  }

  /// What a transaction begins with where pending writes show something else, but for what it has staged.
  ///
  /// - Complexity: O(*n*) in the ids of the type that are pending.
  @usableFromInline
  func beneath<Element: Cacheable>(
    _ staged: StagedValues<Element>
  ) -> [Element.ID: Knowledge<Element>] {
    guard staged.isBeneath, pendingCount > 0, let table = table(Element.self) else { return [:] }
    return table.pointee.beneath.filter { staged.positions[$0.key] == nil }
      .mapValues(\.committed)
  }

  // MARK: Showing

  /// Shows what one more pending write has changed.
  mutating func show<Element: Cacheable>(_ step: StagedValues<Element>) {
    guard !step.values.isEmpty, let table = table(Element.self) else { return }
    let stamp = clock.next()
    for value in step.values where value.isNet {
      cover(value.id, in: table)
      show(value.current, of: value.id, stamp, in: table)
    }
  }

  /// Shows what pending writes come to that were made anew, in place of what they came to before.
  ///
  /// - Parameters:
  ///   - top: All of them together.
  ///   - steps: What each of them has changed, in their order.
  ///   - earlier: What they and those that were given up had changed before.
  /// - Returns: The ids of which something else is shown now, and those that are no longer pending and of which
  ///   nothing is known.
  mutating func show<Element: Cacheable>(
    _ top: StagedValues<Element>, _ steps: [StagedValues<Element>],
    insteadOf earlier: [StagedValues<Element>]
  ) -> (changed: [Element.ID], unknown: [Element.ID]) {
    guard let table = table(Element.self) else { return ([], []) }
    let stamp = clock.next()
    var changed: [Element.ID] = []
    var unknown: [Element.ID] = []
    var uncovered: [Element.ID] = []
    for step in earlier {
      for value in step.values where value.isNet { table.pointee.beneath[value.id]?.writes -= 1 }
    }
    for step in steps {
      for value in step.values where value.isNet { cover(value.id, in: table) }
    }
    for step in earlier {
      for value in step.values where table.pointee.beneath[value.id]?.writes == 0 {
        uncovered.append(value.id)
      }
    }
    for id in uncovered {
      guard let beneath = uncover(id, in: table) else { continue }
      if beneath.committed.isUnknown { unknown.append(id) }
      if show(beneath.committed, of: id, stamp, in: table) { changed.append(id) }
    }
    var shown: Set<Element.ID> = []
    for step in steps {
      for value in step.values where value.isNet && shown.insert(value.id).inserted {
        guard let position = top.positions[value.id] else { continue }
        if show(top.values[position].current, of: value.id, stamp, in: table) {
          changed.append(value.id)
        }
      }
    }
    return (changed, unknown)
  }

  /// Takes what the first of the pending writes has changed for committed.
  ///
  /// - Returns: The ids that are no longer pending, and of which nothing is known.
  mutating func commitPending<Element: Cacheable>(_ step: StagedValues<Element>) -> [Element.ID] {
    guard !step.values.isEmpty, let table = table(Element.self) else { return [] }
    var unknown: [Element.ID] = []
    for value in step.values where value.isNet {
      guard var beneath = table.pointee.beneath[value.id] else { continue }
      beneath.writes -= 1
      // Of what the store may have changed otherwise, it is not known what the write has made.
      if !beneath.isOutdated {
        if let element = beneath.committed.element { keep(element, table) }
        beneath.committed = value.current
      }
      table.pointee.beneath[value.id] = beneath
      if beneath.writes > 0 { continue }
      uncover(value.id, in: table)
      if beneath.committed.isUnknown { unknown.append(value.id) }
    }
    return unknown
  }

  /// How to show again what pending writes show of a type, when everything is forgotten.
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

  // MARK: What is said of what is committed

  /// Says what is committed of an id that is pending.
  ///
  /// - Returns: Whether it is; if not, nothing was done.
  @inlinable
  mutating func setCommitted<Element: Cacheable>(
    _ knowledge: Knowledge<Element>, of id: Element.ID,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard pendingCount > 0, var beneath = table.pointee.beneath[id] else { return false }
    version &+= 1
    if let element = beneath.committed.element { keep(element, table) }
    beneath.committed = knowledge
    beneath.isOutdated = false
    table.pointee.beneath[id] = beneath
    return true
  }

  /// Notes that the store may have something else of an id that is pending.
  ///
  /// - Returns: Whether it is; if not, nothing was done.
  @usableFromInline
  mutating func outdate<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard setCommitted(.unknown, of: id, in: table) else { return false }
    table.pointee.beneath[id]?.isOutdated = true
    forgettings &+= 1
    return true
  }

  /// Those of some ids that are pending, and of which it is not known what is committed.
  ///
  /// From now on, what is said of them is told from what is learnt of them.
  mutating func beginLearning<Element: Cacheable>(
    _ ids: [Element.ID], as type: Element.Type
  ) -> [Element.ID] {
    guard pendingCount > 0, let table = table(type) else { return [] }
    let unknown = ids.filter { table.pointee.beneath[$0]?.committed.isUnknown == true }
    for id in unknown { table.pointee.beneath[id]?.isOutdated = false }
    return unknown
  }

  /// Takes in what the store says of an id that is pending, unless more was said of it since it was asked.
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
  private mutating func cover<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    if table.pointee.beneath[id] == nil {
      table.pointee.beneath[id] = Beneath(knowledge(of: id, as: Element.self))
      pendingCount += 1
    }
    table.pointee.beneath[id]?.writes += 1
  }

  @discardableResult
  private mutating func uncover<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Beneath<Element>? {
    guard let beneath = table.pointee.beneath.removeValue(forKey: id) else { return nil }
    pendingCount -= 1
    if let element = beneath.committed.element { keep(element, table) }
    return beneath
  }

  /// Makes the map say something of an id; what is equal stays as it is.
  @discardableResult
  private mutating func show<Element: Cacheable>(
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
