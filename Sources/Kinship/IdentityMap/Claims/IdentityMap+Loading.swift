extension IdentityMap {
  /// Those of some claims whose ids are neither in memory nor known missing, or not since the
  /// moments from which on that counts.
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

  /// Whether the ids of claims could be found again: else the store would be asked for them for
  /// ever.
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

  /// Takes in an answer: adds the values of claims, and notes those that are missing.
  ///
  /// - Parameters:
  ///   - values: What was answered.
  ///   - found: For each claim, which of the values is its own, or -1 if it is missing.
  ///   - places: The claims; 0 for one that the answer no longer matters to.
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
        table.pointee.noteMissing(
          table.pointee.claimedIDs[Int(place) &- 1], stamp, claims: claims.pointee.count)
      } else if row.slot == .none {
        insert(
          values[Int(found[number])], row.tag, stamp, claimedAt: place, asLast: false, in: table)
        if isOverLimits { evictOverflow() }
      }
    }
  }

  /// Forgets what is known of some claims: who has seen it must look again.
  mutating func forget<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type
  ) {
    guard let table = table(type) else { return }
    version &+= 1
    for place in places {
      let slot = claims[table.pointee.owner].pointee[place].slot
      if slot == .none {
        table.pointee.missing.remove(table.pointee.claimedIDs[Int(place) &- 1])
      } else {
        for watcher in table.pointee.watchers { watcher.forget() }
        drop(slot, as: type, .invalidated)
      }
    }
  }
}

/// A value that nobody has asked for, or for the second time.
@usableFromInline
struct UnexpectedValue: Error {
  @usableFromInline let value: any Cacheable

  @inlinable
  init(_ value: any Cacheable) { self.value = value }
}

extension Cacheable {
  /// Which of some values is the one with each of some ids, or -1.
  ///
  /// Stores most often answer in the order in which they were asked: then no id is hashed.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - answered: Their ids.
  ///   - ids: The ids that were asked for.
  /// - Returns: For each of the ids, which of the values is its own.
  /// - Throws: `UnexpectedValue` if a value has none of the ids, or that of another value.
  /// - Complexity: O(*n*) on average.
  static func match(
    _ values: [Self], _ answered: [ID], to ids: [ID]
  ) throws(UnexpectedValue) -> ContiguousArray<Int32> {
    // To ask for the type of the ids would take longer than to compare one.
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

  /// The same whatever the order.
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

  /// The same if the values come in the order of the ids; else nothing.
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

  /// The same without hashing, for integer ids whose values come in their order, as databases read
  /// them.
  ///
  /// Nothing if they do not, or if a value is unexpected.
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
