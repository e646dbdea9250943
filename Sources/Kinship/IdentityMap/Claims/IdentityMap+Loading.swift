extension IdentityMap {
  /// Those of some claims whose ids are neither in memory nor known missing.
  @inlinable
  func absent<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    let claims = claims[table.pointee.owner]
    let knowsMissing = !table.pointee.missing.isEmpty
    return places.filter { place in
      if claims.pointee[place].slot != .none { return false }
      return !knowsMissing
        || !table.pointee.missing.contains(table.pointee.claimedIDs[Int(place) &- 1])
    }
  }

  /// The claimed values, `nil` where one is known missing; nothing if any is absent.
  @inlinable
  func read<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type
  ) -> [Element?]? {
    guard let table = table(type) else { return nil }
    let claims = claims[table.pointee.owner]
    var values: [Element?] = []
    for place in places {
      let slot = claims.pointee[place].slot
      if slot != .none {
        if values.isEmpty { values.reserveCapacity(places.count) }
        values.append(pages.pointer(to: slot, as: type).pointee)
      } else if table.pointee.missing.contains(table.pointee.claimedIDs[Int(place) &- 1]) {
        values.append(nil)
      } else {
        return nil
      }
    }
    return values
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
          table.pointee.claimedIDs[Int(place) &- 1], claims: claims.pointee.count)
      } else if row.slot == .none {
        insert(values[Int(found[number])], row.tag, stamp, claimedAt: place, in: table)
        evictOverflow(table)
      }
    }
  }

  /// Forgets what is known of some claims: who has seen it must look again.
  @inlinable
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
  /// - Throws: `UnexpectedValue` if a value has none of the ids, or that of another value.
  /// - Complexity: O(*n*) on average.
  @inlinable
  static func match(
    _ values: [Self], to ids: [ID]
  ) throws(UnexpectedValue) -> ContiguousArray<Int32> {
    var found = ContiguousArray<Int32>(repeating: -1, count: ids.count)
    var next = 0
    var number = 0
    while number < values.count {
      while next < ids.count, ids[next] != values[number].id { next &+= 1 }
      if next == ids.count { break }
      found[next] = Int32(truncatingIfNeeded: number)
      next &+= 1
      number &+= 1
    }
    if number == values.count { return found }
    if let found = matchAscending(values, to: ids) { return found }
    let positions = Dictionary(zip(ids, 0...), uniquingKeysWith: { first, _ in first })
    for number in number..<values.count {
      guard let position = positions[values[number].id], found[position] < 0 else {
        throw UnexpectedValue(values[number])
      }
      found[position] = Int32(truncatingIfNeeded: number)
    }
    return found
  }

  /// The same without hashing, for integer ids whose values come in their order, as databases read them.
  ///
  /// Nothing if they do not, or if a value is unexpected.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  static func matchAscending(_ values: [Self], to ids: [ID]) -> ContiguousArray<Int32>? {
    guard let asked = ids as? [Int] else { return nil }
    let order = asked.indices.sorted { asked[$0] < asked[$1] }
    var found = ContiguousArray<Int32>(repeating: -1, count: ids.count)
    var next = 0
    for number in values.indices {
      guard let id = values[number].id as? Int else { return nil }
      while next < order.count, asked[order[next]] < id { next &+= 1 }
      if next == order.count || asked[order[next]] != id { return nil }
      found[order[next]] = Int32(truncatingIfNeeded: number)
      next &+= 1
    }
    return found
  }
}
