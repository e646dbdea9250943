/// What the map does with the values of a type that it knows by number only.
///
/// The closures for reads, walks and loads are made where the type is known to the compiler, in the module
/// that declares it, and so are specialised for it: called through generic code of another module they
/// would cost several times as much. Each of them costs every record type time to compile, and memory. So
/// all others, those of transactions above all, are made here, and one body of each serves all types.
@usableFromInline
struct TableOperations: Sendable {
  /// Makes the table of the type: owner, limit of known-missing ids.
  @usableFromInline let makeTable: @Sendable (Int, Int) -> UnsafeMutableRawPointer
  @usableFromInline let destroyTable: @Sendable (UnsafeMutableRawPointer) -> Void
  @usableFromInline let layout: Pages.Layout
  /// Takes the value of a slot out of the map.
  @usableFromInline let drop: @Sendable (inout IdentityMap, Slot, RemovalReason) -> Void
  /// Takes the values of the type that wait for the lock to be released, if there are any.
  @usableFromInline let takeDropped: @Sendable (inout IdentityMap) -> (any Sendable)?
  /// Copies the values of slots out, as an array of the type.
  @usableFromInline let copy: @Sendable (borrowing IdentityMap, ArraySlice<Slot>) -> any Sendable
  /// Joins several arrays of the type.
  @usableFromInline let join: @Sendable ([any Sendable]) -> any Sendable
  @usableFromInline let claims: ClaimOperations
  let capture: CaptureOperations
  /// Adopts a range of an array of loaded values; returns how many were not in memory and, unless these
  /// are all, an array of what is.
  @usableFromInline
  let adopt: @Sendable (inout IdentityMap, any Sendable, Range<Int>) -> (Int, (any Sendable)?)
  /// Joins several arrays of ids, each id once; tells how many there are.
  @usableFromInline let distinct: @Sendable ([any Sendable]) -> (any Sendable, Int)
  /// Empties the table's index and its known-missing ids.
  @usableFromInline let reset: @Sendable (inout IdentityMap) -> Void
  /// Gives memory of the table's index back.
  @usableFromInline let shrink: @Sendable (inout IdentityMap) -> Void
  @usableFromInline let measure: @Sendable (borrowing IdentityMap) -> (count: Int, cost: Int)
  @usableFromInline let element: @Sendable (borrowing IdentityMap, Slot) -> any Cacheable
  @usableFromInline let audit: @Sendable (borrowing IdentityMap) -> TableAudit
  /// Makes a staged table that begins with what is in memory, or else with what is committed.
  @usableFromInline let makeStagedTable: @Sendable (Bool) -> any AnyObject & Sendable
  /// Stages what one transaction has staged, of the type with a number, in another.
  @usableFromInline let overlay: @Sendable (borrowing IdentityMap, Staging, Staging, Int) -> Void
  /// Takes over what a transaction has staged; with the number of the type, and whether anything was
  /// written since.
  @usableFromInline let commit: @Sendable (inout IdentityMap, Staging, Int, Bool) -> Void
  /// Drops what a transaction has staged of the type with a number.
  @usableFromInline let clear: @Sendable (Staging, Int) -> Void
  /// The ids of values of the type with a number of which properties were set unseen that may hold what
  /// lies at some offsets; nothing for none.
  @usableFromInline let setUnseen: @Sendable (Staging, Int, [Int]) -> (any Sendable)?
  /// Stages the deletion of `OrderedIDs`.
  @usableFromInline
  let stageDeletes: @Sendable (borrowing IdentityMap, Staging, any Sendable) -> Void

  @inlinable
  init<Element: Cacheable>(of type: Element.Type) {
    self.init(
      of: type, claims: ClaimOperations(of: type),
      drop: { map, slot, reason in map.drop(slot, as: Element.self, reason) },
      copy: { map, slots in
        // Without an array that grows, which is much code for each type.
        [Element](unsafeUninitializedCapacity: slots.count) { values, count in
          for slot in slots {
            values.initializeElement(
              at: count, to: map.pages.pointer(to: slot, as: Element.self).pointee)
            count &+= 1
          }
        }
      },
      adopt: { map, values, range, stamp in
        map.adopt(values as? [Element] ?? [], range, stamp)
      })
  }

  /// What need not be specialised: here the type is not known to the compiler.
  @usableFromInline
  init<Element: Cacheable>(
    of type: Element.Type, claims: ClaimOperations,
    drop: @escaping @Sendable (inout IdentityMap, Slot, RemovalReason) -> Void,
    copy: @escaping @Sendable (borrowing IdentityMap, ArraySlice<Slot>) -> any Sendable,
    adopt adoptUnknown:
      @escaping @Sendable (inout IdentityMap, any Sendable, Range<Int>, Stamp)
      -> Int
  ) {
    self.claims = claims
    self.drop = drop
    self.copy = copy
    adopt = { map, values, range in
      guard let table = map.table(Element.self), let values = values as? [Element] else {
        return (0, [Element]())
      }
      var current: [Element] = []
      var loaded = 0
      let stamp = map.clock.next()
      if range.lowerBound == 0 { table.pointee.index.reserve(min(values.count, map.limits.count)) }
      var next = range.lowerBound
      while next < range.upperBound {
        let known = adoptUnknown(&map, values, next..<range.upperBound, stamp)
        loaded &+= known &- next
        if loaded == range.count { return (loaded, nil) }
        if current.isEmpty { current.reserveCapacity(range.count) }
        current += values[next..<known]
        if known == range.upperBound { break }
        if let element = map.peek(values[known].id, as: Element.self) { current.append(element) }
        next = known &+ 1
      }
      return (loaded, current)
    }
    makeTable = { owner, missingLimit in
      let table = UnsafeMutablePointer<RecordTable<Element>>.allocate(capacity: 1)
      table.initialize(to: RecordTable(owner: owner, missingLimit: missingLimit))
      return UnsafeMutableRawPointer(table)
    }
    destroyTable = { raw in
      let table = raw.assumingMemoryBound(to: RecordTable<Element>.self)
      table.deinitialize(count: 1)
      table.deallocate()
    }
    layout = Pages.Layout(of: type)
    takeDropped = { map in
      guard let table = map.table(Element.self), table.pointee.dropped.count > 0 else { return nil }
      return map.takeDropped(of: table)
    }
    join = { pieces in
      var values: [Element] = []
      for piece in pieces { values += piece as? [Element] ?? [] }
      return values
    }
    capture = CaptureOperations(of: type)
    distinct = { pieces in
      var seen: Set<Element.ID> = []
      var ids: [Element.ID] = []
      for piece in pieces {
        for id in piece as? [Element.ID] ?? [] where seen.insert(id).inserted { ids.append(id) }
      }
      return (ids, ids.count)
    }
    reset = { map in
      guard let table = map.table(Element.self) else { return }
      table.pointee.index = SlotIndex()
      table.pointee.missing.removeAll()
      table.pointee.cost = 0
      for watcher in table.pointee.watchers { watcher.forget() }
    }
    shrink = { map in map.table(Element.self)?.pointee.index.shrink() }
    measure = { map in
      map.table(Element.self).map { ($0.pointee.index.count, $0.pointee.cost) } ?? (0, 0)
    }
    element = { map, slot in map.pages.pointer(to: slot, as: Element.self).pointee }
    audit = { map in map.auditTable(of: Element.self) }
    makeStagedTable = { isBeneath in StagedTable<Element>(StagedValues(isBeneath: isBeneath)) }
    overlay = { map, upper, lower, number in
      let values = upper.table(number, of: Element.self).values.withLock { $0 }
      lower.table(number, of: Element.self).change(in: lower) { $0.overlay(values, map) }
    }
    commit = { map, staging, number, isLate in
      let table = staging.table(number, of: Element.self)
      table.values.withLock { map.commit(&$0, as: Element.self, isLate: isLate) }
    }
    clear = { staging, number in
      staging.table(number, of: Element.self).values.withLock { $0.clear() }
    }
    setUnseen = { staging, number, offsets in
      staging.table(number, of: Element.self).values.withLock { values in
        let ids = values.setUnseen(offsets)
        return ids.isEmpty ? nil : ids
      }
    }
    stageDeletes = { map, staging, ids in
      guard let ids = (ids as? OrderedIDs<Element.ID>)?.list else { return }
      staging.table(of: Element.self, in: map)?.change(in: staging) { values in
        for id in ids { values.set(.missing, for: id, map) }
      }
    }
  }
}
