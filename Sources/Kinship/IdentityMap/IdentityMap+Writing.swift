extension IdentityMap {
  /// Puts a value, replacing one with the same id, and makes it the most recently used.
  ///
  /// - Complexity: O(1), amortised, in addition to the evictions that it causes.
  @inlinable
  mutating func put<Element: Cacheable>(
    _ element: consuming Element, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    put(element, clock.next(), in: table)
  }

  /// Puts a value with the stamp of a moment.
  ///
  /// If this may release the replaced value, `keepsOld` keeps it until the lock is released.
  @inlinable
  mutating func put<Element: Cacheable>(
    _ element: consuming Element, _ stamp: Stamp,
    in table: UnsafeMutablePointer<RecordTable<Element>>, keepsOld: Bool = true
  ) {
    version &+= 1
    let tag = SlotIndex.tag(of: element.id)
    // I1: a value takes the place of the one with its id.
    if let slot = table.find(element.id, tag, in: pages) {
      exchange(slot, for: element, stamp, in: table, keepsOld: keepsOld)
      recency.touch(slot)
    } else {
      if !table.pointee.missing.isEmpty { table.pointee.missing.remove(element.id) }
      insert(element, tag, stamp, claimedAt: 0, asLast: false, in: table)
    }
    evictOverflow(table)
  }

  /// Makes an id with a tag the most recently used, with a loaded value if nothing is known of it;
  /// in a `passing` call, the value is the least recently used.
  ///
  /// - Returns: Whether nothing was known.
  /// - Complexity: O(1), amortised, in addition to the evictions that it causes.
  @inlinable
  mutating func addLoaded<Element: Cacheable>(
    _ element: Element, _ tag: UInt32, _ stamp: Stamp, passing isPassing: Bool,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    if let slot = table.find(element.id, tag, in: pages) {
      if !isPassing { recency.touch(slot) }
      return false
    }
    if table.isMissing(element.id) { return false }
    insert(element, tag, stamp, claimedAt: 0, asLast: isPassing, in: table)
    if isOverLimits { evictOverflow() }
    return true
  }

  /// Adds loaded values as long as nothing is known of them.
  ///
  /// - Returns: The position of the first that was known, or the end of the range.
  /// - Complexity: O(*n*), amortised, in addition to the evictions that it causes.
  @inlinable
  mutating func addLoaded<Element: Cacheable>(
    _ values: [Element], _ range: Range<Int>, _ stamp: Stamp, passing isPassing: Bool
  ) -> Int {
    guard let table = table(Element.self) else { return range.lowerBound }
    var end = range.upperBound
    // In place: a loop over the array would copy each value.
    values.withUnsafeBufferPointer { values in
      SlotIndex.withTags(range.count) { tags in
        for index in range {
          tags[index &- range.lowerBound] = SlotIndex.tag(of: values[index].id)
        }
        table.pointee.index.readAhead(tags)
        for index in range {
          let tag = tags[index &- range.lowerBound]
          if !addLoaded(values[index], tag, stamp, passing: isPassing, in: table) {
            end = index
            return
          }
        }
      }
    }
    return end
  }

  /// Drops the knowledge that ids are missing for which the store has returned values since.
  ///
  /// Ids that pending writes have deleted stay missing.
  ///
  /// - Returns: The ids.
  mutating func endAbsences<Element: Cacheable>(
    of values: some Collection<Element>, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> [Element.ID] {
    if table.pointee.missing.isEmpty { return [] }
    let ids = values.map { $0.id }.filter { table.isMissing($0) && !isPending($0, in: table) }
    if ids.isEmpty { return [] }
    version &+= 1
    for id in ids { table.pointee.missing.remove(id) }
    return ids
  }

  /// Adds a range of loaded values, and makes those that are in memory the most recently used.
  ///
  /// In a `passing` call, it adds them as the least recently used and leaves the others alone.
  ///
  /// - Returns: The number of values that were not in memory; and unless these are all, the values
  ///   in memory, in the order of the range.
  mutating func addLoaded<Element: Cacheable>(
    _ values: [Element], _ range: Range<Int>, passing isPassing: Bool,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> (loaded: Int, current: [Element]?) {
    let add = operations[table.pointee.owner].addLoaded
    let stamp = clock.next()
    if range.lowerBound == 0 { table.pointee.index.reserve(min(values.count, limits.count)) }
    var current: [Element] = []
    var loaded = 0
    var next = range.lowerBound
    while next < range.upperBound {
      let known = add(&self, values, next..<range.upperBound, stamp, isPassing)
      loaded &+= known &- next
      if loaded == range.count { return (loaded, nil) }
      if current.isEmpty { current.reserveCapacity(range.count) }
      current += values[next..<known]
      if known == range.upperBound { break }
      if let element = peek(values[known].id, as: Element.self) { current.append(element) }
      next = known &+ 1
    }
    return (loaded, current)
  }

  /// Sets one property in place and makes the value the most recently used.
  ///
  /// It is always inlined: if the key path is known, the compiler then writes the property itself,
  /// at less than half of the cost. The property must be a stored one, because setting a computed
  /// one may do anything. Its old value, which `replaced` receives, must outlive the lock.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  @inline(__always)
  mutating func update<Element: Cacheable, Value>(
    _ id: Element.ID, _ path: WritableKeyPath<Element, Value>, to value: consuming Value,
    in table: UnsafeMutablePointer<RecordTable<Element>>, replacing replaced: inout Value?
  ) -> UpdateResult<Element.ID> {
    guard let slot = table.find(id, in: pages) else { return .absent }
    let pointer = mutablePointer(to: slot, as: Element.self)
    let before = pointer.pointee.effectiveCost
    let old = reportsRemovals ? pointer.pointee : nil
    let watched = table.pointee.isWatched ? pointer.pointee : nil
    let property = pointer.pointee[keyPath: path]
    if !_isPOD(Value.self) { replaced = property }
    pointer.pointee[keyPath: path] = value
    if pointer.pointee.id != id {
      // The index finds the slot by its id: roll back such a change.
      let changed = pointer.pointee.id
      pointer.pointee[keyPath: path] = property
      return .identityChanged(changed)
    }
    version &+= 1
    tally.replaced &+= 1
    if let old { report(old, .replaced) }
    if let watched { withUnsafePointer(to: watched) { table.notifyWatchers($0, pointer, nil) } }
    charge(pointer.pointee.effectiveCost &- before, table)
    recency.renew(slot, clock.next())
    recency.touch(slot)
    evictOverflow(table)
    return .updated
  }

  /// Removes a value and remembers that it does not exist.
  @inlinable
  mutating func remove<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Element? {
    version &+= 1
    table.pointee.addMissing(
      id, clock.next(), claims: claims[table.pointee.owner].pointee.count)
    if isRestoring { table.pointee.markOutdated(id) }
    guard let slot = table.find(id, in: pages) else { return nil }
    let element = pages.pointer(to: slot, as: Element.self).pointee
    drop(slot, as: Element.self, .removed)
    return element
  }

  /// Drops the knowledge of an id, present or missing, because it may have changed.
  @inlinable
  mutating func invalidate<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    version &+= 1
    invalidations &+= 1
    table.pointee.completeness.markIncomplete()
    table.pointee.missing.remove(id)
    for watcher in table.pointee.watchers { watcher.reset() }
    if isRestoring { table.pointee.markOutdated(id) }
    guard let slot = table.find(id, in: pages) else { return }
    drop(slot, as: Element.self, .invalidated)
  }

  /// Drops the knowledge of missing ids of a type, and that all its values are in memory.
  ///
  /// Values that are being restored are older: no more of the type are restored.
  mutating func dropMissingIDs<Element: Cacheable>(of type: Element.Type) {
    guard let table = table(type) else { return }
    version &+= 1
    invalidations &+= 1
    if isRestoring { endRestoring() }
    table.pointee.completeness.markIncomplete()
    table.pointee.missing.removeAll()
  }

  /// Empties the map, claimed values and known-missing ids included; the claims to their ids stay.
  ///
  /// Values that are being restored are older: no more are restored.
  mutating func removeAll() {
    version += 1
    invalidations += 1
    if isRestoring { endRestoring() }
    let isFollowed = isFollowed
    if isFollowed { dropAll() } else { dropAllUnseen() }
    for operations in operations { reset(operations.type) }
    for number in due.indices { due[number]?.removeAll() }
    // Every slot is free: restart the numbering and free the memory.
    if captured.isActive, !isFollowed {
      captured.detach(&pages)
    } else {
      dropped.append(pages.removeAll())
    }
    dropped.append(recency.removeAll())
    recency.grow(to: pages.slotCount)
  }

  // MARK: Parts

  /// Whether anyone must be notified of each value that leaves.
  private var isFollowed: Bool {
    func isWatched<Element: Cacheable>(_ type: Element.Type) -> Bool {
      table(type)?.pointee.isWatched == true
    }
    return reportsRemovals || operations.contains { isWatched($0.type) }
  }

  /// Removes one value after another.
  private mutating func dropAll() {
    isEmptying = true
    for page in 0..<pages.bases.count where pages.bases[page] != nil {
      let header = pages.headers[page]
      header.occupied.forEachPlace { place in
        operations[Int(header.owner)].drop(&self, Slot(page: page, place: place), .removed)
      }
    }
    isEmptying = false
  }

  /// Removes all values that are left without looking at them.
  private mutating func dropAllUnseen() {
    for table in claims {
      for place in 0..<table.pointee.rows.count { table.pointee.rows[place].slot = .none }
    }
    drops &+= UInt64(count)
    tally.removed &+= count
    count = 0
    cost = 0
    (passingClaims, room) = ([:], limits)
  }

  /// Empties the index of a type, and its known-missing ids.
  private mutating func reset<Element: Cacheable>(_ type: Element.Type) {
    guard let table = table(type) else { return }
    var index = SlotIndex()
    swap(&index, &table.pointee.index)
    dropped += index.drop()
    table.pointee.missing.removeAll()
    table.pointee.cost = 0
    table.pointee.completeness = .unknown
    for watcher in table.pointee.watchers { watcher.reset() }
  }

  /// Adds a value that is not in memory yet, as the most recently used one, or `asLast`.
  ///
  /// The stamp is the current moment, or the one from which the value is. The place of its claim is
  /// 0 if it is not at hand.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  @inline(never)
  mutating func insert<Element: Cacheable>(
    _ element: consuming Element, _ tag: UInt32, _ stamp: Stamp,
    claimedAt known: ClaimTable.Place, asLast: Bool,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    let claims = claims[table.pointee.owner]
    var place = known
    if place == 0, !claims.pointee.isEmpty {
      place = table.claim(to: element.id, tag, claims)
      if place != 0, passingCount > 0, !asLast {
        // The caller that adds it is not marked `passing`.
        removePassingMark(place, of: table.pointee.owner)
      }
    }
    let cost = element.effectiveCost
    charge(cost, table)
    let slot = takeSlot(
      tag, stamp, claimedAt: place, asLast: asLast, &table.pointee.index,
      owner: table.pointee.owner)
    // A captured value cannot be in it: it was free.
    let pointer = UnsafeMutablePointer(mutating: pages.pointer(to: slot, as: Element.self))
    pointer.initialize(to: element)
    if place != 0, passingCount > 0 { raiseLimits(place, of: table.pointee.owner, cost: cost) }
    // Q5: indexes follow the values through their watchers.
    if table.pointee.isWatched { table.notifyWatchers(nil, pointer, nil) }
  }

  /// Evicts values to make room for one: the same for all types, and so not specialised for each.
  @usableFromInline
  mutating func takeSlot(
    _ tag: UInt32, _ stamp: Stamp, claimedAt place: ClaimTable.Place, asLast: Bool,
    _ index: inout SlotIndex, owner: TypeNumber
  ) -> Slot {
    let slot = pages.allocate(owner: owner.index)
    if recency.links.count < pages.slotCount { recency.grow(to: pages.slotCount) }
    if captured.isActive { captured.exempt(slot) }
    index.insert(tag, slot)
    count &+= 1
    recency.add(slot, tag: tag, stamp: stamp)
    if !due.isEmpty { addDue(slot, stamp, owner) }
    if place != 0 {
      claims[owner].pointee.rows[Int(place)].slot = slot
      // E5: a value for `passing` calls only is the first one to evict.
      if claims[owner].pointee[place].isPassing { recency.insertLast(slot) }
    } else if asLast {
      recency.insertLast(slot)
    } else {
      recency.insertFirst(slot)
    }
    return slot
  }

  /// Puts a value into an occupied slot of the same id.
  @inlinable
  @inline(never)  // Out of line, types can share the code.
  mutating func exchange<Element: Cacheable>(
    _ slot: Slot, for element: consuming Element, _ stamp: Stamp,
    in table: UnsafeMutablePointer<RecordTable<Element>>, keepsOld: Bool = true
  ) {
    let pointer = mutablePointer(to: slot, as: Element.self)
    if reportsRemovals { report(slot, .replaced) }
    tally.replaced &+= 1
    charge(element.effectiveCost &- pointer.pointee.effectiveCost, table)
    let old = pointer.move()
    pointer.initialize(to: element)
    recency.renew(slot, stamp)
    if table.pointee.isWatched {
      withUnsafePointer(to: old) { table.notifyWatchers($0, pointer, nil) }
    }
    if keepsOld { keep(old, table) }
  }

  /// Removes the value of a slot from memory, for any reason.
  @inlinable
  mutating func drop<Element: Cacheable>(
    _ slot: Slot, as type: Element.Type, _ reason: RemovalReason
  ) {
    let table = tables[pages.type(of: slot)].assumingMemoryBound(to: RecordTable<Element>.self)
    let pointer = mutablePointer(to: slot, as: type)
    if isRestoring { table.pointee.markOutdated(pointer.pointee.id) }
    // E3: only a removal means that the record does not exist.
    if reason != .removed { table.pointee.completeness.markIncomplete() }
    charge(-pointer.pointee.effectiveCost, table)
    if table.pointee.isWatched { table.notifyWatchers(pointer, nil, reason) }
    if reportsRemovals { report(slot, reason) }
    if reportsRemovals || !isEmptying { keep(pointer.move(), table) }
    freeSlot(slot, reason, &table.pointee.index, owner: table.pointee.owner)
  }

  /// Frees the slot of a value that has left: the same for all types.
  @usableFromInline
  mutating func freeSlot(
    _ slot: Slot, _ reason: RemovalReason, _ index: inout SlotIndex, owner: TypeNumber
  ) {
    let tag = recency.tag(of: slot)
    index.remove(tag, slot)
    if isClaimed(slot) {
      let claims = claims[owner]
      let place = claims.pointee.find(tag, slot)
      claims.pointee[place].slot = .none
      if passingCount > 0 { lowerLimits(place, of: owner) }
    }
    recency.remove(slot)
    if reportsRemovals || !isEmptying { pages.free(slot) }
    count &-= 1
    drops &+= 1
    switch reason {
    case .removed: tally.removed &+= 1
    case .invalidated: tally.invalidated &+= 1
    case .evicted, .replaced, .expired: break  // Counted by cause where they happen.
    }
  }

  /// Returns the memory of an allocated slot for a change: a captured value in it is copied first.
  @inlinable
  mutating func mutablePointer<Element>(
    to slot: Slot, as type: Element.Type
  ) -> UnsafeMutablePointer<Element> {
    let pointer = pages.pointer(to: slot, as: type)
    if captured.isActive { captured.save(slot, pointer, owner: pages.type(of: slot).index) }
    return UnsafeMutablePointer(mutating: pointer)
  }

  /// Adds to the cost of a table and of the map.
  @inlinable
  mutating func charge<Element: Cacheable>(
    _ difference: Int, _ table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    table.pointee.cost &+= difference
    cost &+= difference
  }

  /// Notifies listeners that the value of a slot leaves.
  ///
  /// The type is looked up, so that no record type has code for it: usually nobody listens.
  @usableFromInline
  mutating func report(_ slot: Slot, _ reason: RemovalReason) {
    removals.append(RemovedElement(element: element(in: slot), reason: reason))
  }

  @usableFromInline
  mutating func report<Element: Cacheable>(_ element: Element, _ reason: RemovalReason) {
    removals.append(RemovedElement(element: element, reason: reason))
  }
}
