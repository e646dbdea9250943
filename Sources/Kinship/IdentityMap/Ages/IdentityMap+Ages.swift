/// The moments since which knowledge must date to count as fresh.
struct Oldest: Hashable, Sendable {
  /// The moment for values in memory.
  let present: Stamp
  /// The moment for ids that are known to be missing.
  let missing: Stamp
}

/// The ages of an answer's records: the reader's demand, and the store's statement.
struct WantedAges: Sendable {
  /// The moments since which the knowledge in memory must date.
  let oldest: Oldest
  /// Returns the age of a value that is not current; `nil` if all are.
  let age: (@Sendable (any Cacheable) -> Age?)?
  /// The earliest moment since which any of them is known.
  private(set) var earliest = Stamp(.max)

  init(oldest: Oldest, age: (@Sendable (any Cacheable) -> Age?)?) {
    self.oldest = oldest
    self.age = age
  }

  /// Returns the stamp of a value that arrived at a moment.
  func stamp(of value: some Cacheable, _ now: Stamp) -> Stamp {
    age?(value).map { now.before(by: $0) } ?? now
  }

  mutating func include(_ stamp: Stamp) { earliest = min(earliest, stamp) }
}

/// A record, and the moment since which it is known.
struct DatedRecord<Element: Sendable>: Sendable {
  let record: Element
  let since: Stamp
}

extension IdentityMap {
  /// Returns the time since the value with an id was last loaded, inserted or changed; `nil` if it
  /// is not in memory.
  func age<Element: Cacheable>(of id: Element.ID, as type: Element.Type) -> Age? {
    guard let slot = table(type)?.find(id, in: pages) else { return nil }
    return recency.stamp(of: slot).age(at: clock.now)
  }

  /// Finds a value that is certainly younger than a limit, and makes it the most recently used.
  ///
  /// If it finds none, it counts nothing: a lookup by the exact time may still find one.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  mutating func read<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type, youngerThan limit: @Sendable (TypeNumber) -> Age
  ) -> UnsafePointer<Element>? {
    guard let table = table(type), let slot = table.find(id, in: pages),
      recency.stamp(of: slot).age(at: clock.almostNow()) < limit(table.pointee.owner)
    else { return nil }
    tally.hits &+= 1
    recency.touch(slot)
    return UnsafePointer(pages.pointer(to: slot, as: type))
  }

  /// Returns whether the knowledge of an id, whose value is in a slot if it is in memory, is from
  /// after the given moments.
  ///
  /// Pending writes are always fresh.
  private func isFresh<Element: Cacheable>(
    _ id: Element.ID, in slot: Slot?, since oldest: Oldest,
    of table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    // A1: older knowledge than the reader allows is not used.
    let isKnown =
      slot.map { recency.stamp(of: $0) >= oldest.present }
      ?? table.pointee.missing.contains(id, since: oldest.missing.rawValue)
    return isKnown || isPending(id, in: table)
  }

  /// Returns the knowledge of ids, and makes them the most recently used.
  ///
  /// - Returns: The knowledge; `nil` if nothing is known of one of them.
  mutating func readDated<Element: Cacheable>(
    _ ids: [Element.ID], as type: Element.Type
  ) -> [DatedRecord<Element>?]? {
    guard let table = table(type) else { return nil }
    let now = clock.now
    var known: [DatedRecord<Element>?] = []
    known.reserveCapacity(ids.count)
    for id in ids {
      if let slot = table.find(id, in: pages) {
        recency.touch(slot)
        known.append(
          DatedRecord(
            record: pages.pointer(to: slot, as: type).pointee,
            since: isPending(id, in: table) ? now : recency.stamp(of: slot)))
      } else if isAuthoritative || table.isMissing(id) {
        known.append(nil)
      } else {
        return nil
      }
    }
    return known
  }

  /// Returns whether all of some ids are fresh; counts those that are as hits, and the others as
  /// misses.
  mutating func countFresh<Element: Cacheable>(
    _ ids: [Element.ID], as type: Element.Type, since oldest: Oldest?
  ) -> Bool {
    guard let table = table(type) else { return false }
    var hits = 0
    for id in ids {
      let slot = table.find(id, in: pages)
      let isHit = oldest.map { isFresh(id, in: slot, since: $0, of: table) } ?? (slot != nil)
      if isHit { hits += 1 }
    }
    tally.hits &+= hits
    tally.misses &+= ids.count - hits
    return hits == ids.count
  }

  /// Returns those of some ids that are not fresh, and the earliest moment since which any value is
  /// known.
  func stale<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type, since oldest: Oldest
  ) -> (ids: IDs, earliest: Stamp?) {
    guard let table = table(type) else { return (IDs([Element.ID](), of: ids.type), nil) }
    var stale: [Element.ID] = []
    var earliest: Stamp?
    for id in ids.of(type) {
      let slot = table.find(id, in: pages)
      if !isFresh(id, in: slot, since: oldest, of: table) { stale.append(id) }
      guard let slot, !isPending(id, in: table) else { continue }
      let stamp = recency.stamp(of: slot)
      earliest = earliest.map { min($0, stamp) } ?? stamp
    }
    return (IDs(stale, of: ids.type), earliest)
  }

  /// Returns those of some claims whose ids are not fresh.
  func stale<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>,
    in table: UnsafeMutablePointer<RecordTable<Element>>, since oldest: Oldest
  ) -> ContiguousArray<ClaimTable.Place> {
    let claims = claims[table.pointee.owner]
    return places.filter { place in
      let slot = claims.pointee[place].slot
      let id = table.pointee.claimedIDs[Int(place) &- 1]
      return !isFresh(id, in: slot == .none ? nil : slot, since: oldest, of: table)
    }
  }

  /// Returns whether the store is being asked for an id.
  func isAskedFor<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Bool {
    guard let table = table(type) else { return false }
    let claims = claims[table.pointee.owner]
    if claims.pointee.isEmpty { return false }
    let place = table.claim(to: id, SlotIndex.tag(of: id), claims)
    return place != 0 && claims.pointee[place].request != 0
  }

  /// Stores the store's answer for claimed ids of which something is known; returns the ids whose
  /// knowledge has changed.
  ///
  /// If a value is equal to the one in memory, only its stamp changes: nothing has changed.
  ///
  /// For each claim, `found` has the number of its value in the answer, or -1 if it is missing. A
  /// place is 0 if the answer no longer matters to it; those whose values are in memory are 0
  /// afterwards. `age` returns the age of a value that is not current.
  mutating func refresh<Element: Cacheable>(
    _ values: any Sendable, _ found: ContiguousArray<Int32>,
    _ places: inout ContiguousArray<ClaimTable.Place>,
    age: (@Sendable (any Cacheable) -> Age?)?, as type: Element.Type, _ number: TypeNumber
  ) -> IDs {
    var changed: [Element.ID] = []
    guard let table = table(type) else { return IDs(changed, of: number) }
    let values = checked(values, as: [Element].self)
    let claims = claims[number]
    let stamp = clock.next()
    for index in places.indices where places[index] != 0 {
      let slot = claims.pointee[places[index]].slot
      let id = table.pointee.claimedIDs[Int(places[index]) &- 1]
      if slot == .none {
        if found[index] >= 0, table.isMissing(id) {
          version &+= 1
          table.pointee.missing.remove(id)
          changed.append(id)
        }
        continue
      }
      places[index] = 0
      let value = found[index] < 0 ? nil : values[Int(found[index])]
      let stamp = value.flatMap { age?($0) }.map { stamp.before(by: $0) } ?? stamp
      // A copy may be older than the value in memory.
      if recency.stamp(of: slot) > stamp { continue }
      if let value {
        if refresh(slot, with: value, stamp, in: table) { changed.append(id) }
      } else {
        _ = remove(id, in: table)
        changed.append(id)
      }
    }
    return IDs(changed, of: number)
  }

  /// Stores loaded values in place of those that are not fresh; returns the ids whose knowledge has
  /// changed.
  mutating func refresh<Element: Cacheable>(
    _ values: some Collection<Element>, _ wanted: inout WantedAges?,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> [Element.ID] {
    guard var ages = wanted else { return [] }
    var changed: [Element.ID] = []
    let now = clock.next()
    for value in values {
      let stamp = ages.stamp(of: value, now)
      let slot = table.find(value.id, in: pages)
      if isFresh(value.id, in: slot, since: ages.oldest, of: table) {
        ages.include(slot.map { recency.stamp(of: $0) } ?? now)
        continue
      }
      ages.include(stamp)
      guard let slot else {
        table.pointee.missing.remove(value.id)
        continue
      }
      // A copy may be older than the value in memory.
      if recency.stamp(of: slot) > stamp { continue }
      if refresh(slot, with: value, stamp, in: table) { changed.append(value.id) }
      if isOverLimits { evictOverflow() }
    }
    wanted = ages
    return changed
  }

  /// Notes the ages of values that have just arrived: a store may answer from copies.
  mutating func date<Element: Cacheable>(_ values: [Element], by wanted: WantedAges?) {
    guard let wanted, wanted.age != nil, let table = table(Element.self) else { return }
    for value in values {
      guard let slot = table.find(value.id, in: pages) else { continue }
      recency.renew(slot, wanted.stamp(of: value, recency.stamp(of: slot)))
    }
  }

  /// Stores the current value of a value in memory; returns whether it differs.
  private mutating func refresh<Element: Cacheable>(
    _ slot: Slot, with value: Element, _ stamp: Stamp,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    // A2: if the value is unchanged, only its age changes.
    if Values.areEqual(pages.pointer(to: slot, as: Element.self).pointee, value) == true {
      recency.renew(slot, stamp)
      return false
    }
    version &+= 1
    exchange(slot, for: value, stamp, in: table)
    return true
  }

  /// Notes the ages of claims' values that have just arrived; a place of 0 is none.
  mutating func date<Element: Cacheable>(
    _ places: ContiguousArray<ClaimTable.Place>, as type: Element.Type, _ number: TypeNumber,
    by age: (any Cacheable) -> Age?
  ) {
    for place in places where place != 0 {
      let slot = claims[number].pointee[place].slot
      guard slot != .none, let age = age(pages.pointer(to: slot, as: type).pointee) else {
        continue
      }
      recency.renew(slot, recency.stamp(of: slot).before(by: age))
    }
  }
}
