extension IdentityMap {
  /// Returns those of some claims whose ids are neither in memory nor known missing, or whose
  /// knowledge is not fresh.
  func absent<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type, since oldest: Oldest? = nil
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    if let oldest { return stale(places, in: table, since: oldest) }
    let claims = claims[table.pointee.owner]
    let knowsMissing = !table.pointee.missing.isEmpty
    return places.filter { place in
      if claims.pointee[place].slot != .none { return false }
      return !knowsMissing
        || !table.pointee.missing.contains(table.pointee.claimedIDs[Int(place) &- 1])
    }
  }

  /// Returns whether the ids of claims can be found again: otherwise the store would be asked for
  /// them for ever.
  func areStable<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type
  ) -> Bool {
    guard !Element.hasSoundIDs, let table = table(type) else { return true }
    let claims = claims[table.pointee.owner]
    return places.allSatisfy { place in
      if claims.pointee[place].slot != .none { return true }
      let id = table.pointee.claimedIDs[Int(place) &- 1]
      return Element.isStable(id) && SlotIndex.tag(of: id) == claims.pointee[place].tag
    }
  }

  /// The claimed values; `nil` if any is absent.
  func read<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type
  ) -> [Element?]? {
    guard let table = table(type), let slots = slots(of: places, in: UnsafePointer(table)) else {
      return nil
    }
    return checked(operations[table.pointee.owner].read(self, slots), as: [Element?].self)
  }

  /// The value of a claim, as an optional; `nil` if it is absent.
  func copy(_ place: ClaimTable.Place, of type: TypeNumber) -> (any Sendable)? {
    copy(place, as: elementType(type))
  }

  private func copy<Element: Cacheable>(
    _ place: ClaimTable.Place, as type: Element.Type
  ) -> (any Sendable)? {
    read([place], as: type).map { $0[0] }
  }

  /// The slots of claimed values, `Slot.none` where one is known missing; `nil` if any is absent.
  private func slots<Element: Cacheable>(
    of places: ContiguousArray<ClaimTable.Place>, in table: UnsafePointer<RecordTable<Element>>
  ) -> ContiguousArray<Slot>? {
    let claims = claims[table.pointee.owner]
    var slots: ContiguousArray<Slot> = []
    for place in places {
      let slot = claims.pointee[place].slot
      if slot == .none,
        !table.pointee.missing.contains(table.pointee.claimedIDs[Int(place) &- 1])
      {
        return nil
      }
      if slots.isEmpty { slots.reserveCapacity(places.count) }
      slots.append(slot)
    }
    return slots
  }

  /// Stores an answer: adds the values of claims, and notes those that are missing.
  ///
  /// For each claim, `found` has the number of its value, or -1. A place is 0 if the answer no
  /// longer matters to it.
  @inlinable
  mutating func admit<Element: Cacheable>(
    _ values: [Element], _ found: ContiguousArray<Int32>,
    for places: ContiguousArray<ClaimTable.Place>
  ) {
    guard let table = table(Element.self) else { return }
    let claims = claims[table.pointee.owner]
    let stamp = clock.next()
    for number in places.indices where places[number] != 0 {
      let place = places[number]
      let row = claims.pointee[place]
      if found[number] < 0 {
        // L4: the store does not have the record, and is not asked for it again.
        table.pointee.addMissing(
          table.pointee.claimedIDs[Int(place) &- 1], stamp, claims: claims.pointee.count)
      } else if row.slot == .none {
        insert(
          values[Int(found[number])], row.tag, stamp, claimedAt: place, asLast: false, in: table)
        if isOverLimits { evictOverflow() }
      }
    }
  }

  /// Drops the knowledge of some claims: callers that have read it must look again.
  mutating func dropOutdated<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type
  ) {
    guard let table = table(type) else { return }
    version &+= 1
    for place in places {
      let slot = claims[table.pointee.owner].pointee[place].slot
      if slot == .none {
        table.pointee.missing.remove(table.pointee.claimedIDs[Int(place) &- 1])
      } else {
        for watcher in table.pointee.watchers { watcher.reset() }
        drop(slot, as: type, .invalidated)
      }
    }
  }
}

/// A value that was not requested, or that is repeated.
@usableFromInline
struct UnexpectedValue: Error {
  @usableFromInline let value: any Cacheable

  @inlinable
  init(_ value: any Cacheable) { self.value = value }
}

extension Cacheable {
  /// Returns the position of the value with each of some ids, or -1.
  ///
  /// Stores usually answer in the order of the request: then no id is hashed.
  ///
  /// - Throws: `UnexpectedValue` if a value has none of the ids, or that of another value.
  /// - Complexity: O(*n*) on average.
  static func match(
    _ values: [Self], _ answered: [ID], to ids: [ID]
  ) throws(UnexpectedValue) -> ContiguousArray<Int32> {
    // Looking up the type of the ids would take longer than comparing one.
    if ids.count == 1, answered.count == 1, ids[0] == answered[0] { return [0] }
    if let asked = ids.asArray(of: Int.self), let answered = answered.asArray(of: Int.self) {
      if let found = matchInOrder(answered, to: asked) { return found }
      if let found = matchAscending(answered, to: asked) { return found }
      return try matchByHash(values, answered, to: asked)
    }
    if let asked = ids.asArray(of: String.self), let answered = answered.asArray(of: String.self) {
      if let found = matchInOrder(answered, to: asked) { return found }
      return try matchByHash(values, answered, to: asked)
    }
    if let found = matchInOrder(answered, to: ids) { return found }
    return try matchByHash(values, answered, to: ids)
  }

  /// Returns the same in any order.
  private static func matchByHash<Key: Hashable>(
    _ values: [Self], _ answered: [Key], to asked: [Key]
  ) throws(UnexpectedValue) -> ContiguousArray<Int32> {
    var found = ContiguousArray<Int32>(repeating: -1, count: asked.count)
    var positions = [Key: Int](minimumCapacity: asked.count)
    for (position, id) in asked.enumerated() where positions[id] == nil { positions[id] = position }
    for number in values.indices {
      guard let position = positions[answered[number]], found[position] < 0 else {
        throw UnexpectedValue(values[number])
      }
      found[position] = Int32(truncatingIfNeeded: number)
    }
    return found
  }

  /// Returns the same if the values are in the order of the ids; otherwise `nil`.
  private static func matchInOrder<Key: Equatable>(
    _ answered: [Key], to asked: [Key]
  ) -> ContiguousArray<Int32>? {
    var found = ContiguousArray<Int32>(repeating: -1, count: asked.count)
    var next = 0
    for number in answered.indices {
      while next < asked.count, asked[next] != answered[number] { next &+= 1 }
      if next == asked.count { return nil }
      found[next] = Int32(truncatingIfNeeded: number)
      next &+= 1
    }
    return found
  }

  /// Returns the same without hashing, for integer ids whose values are in ascending order, as
  /// databases read them.
  ///
  /// `nil` if they are not, or if a value is unexpected.
  ///
  /// - Complexity: O(*n* log *n*).
  private static func matchAscending(
    _ answered: [Int], to asked: [Int]
  ) -> ContiguousArray<Int32>? {
    let order = asked.indices.sorted { asked[$0] < asked[$1] }
    var found = ContiguousArray<Int32>(repeating: -1, count: asked.count)
    var next = 0
    for number in answered.indices {
      let id = answered[number]
      while next < order.count, asked[order[next]] < id { next &+= 1 }
      if next == order.count || asked[order[next]] != id { return nil }
      found[order[next]] = Int32(truncatingIfNeeded: number)
      next &+= 1
    }
    return found
  }
}
