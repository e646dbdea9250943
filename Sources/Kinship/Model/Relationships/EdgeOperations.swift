/// The operations along a relationship whose types are known only by number: deletions, inverses
/// and the search for referrers.
///
/// They are generic, so that one body serves all relationships; transactions are fast enough with
/// that. ``RelationshipAccess`` alone conforms.
protocol EdgeOperations: Sendable {
  associatedtype Source: GraphRecord
  associatedtype View: RefView

  var keyPath: any KeyPath<Source, View.Stored> & Sendable { get }
  var edge: EdgeID { get }
  var target: TypeNumber { get }
  /// The property, to say that changes concern it alone.
  var property: Property<Source> { get }
  /// Adds the ids that records refer to.
  var gather: RecordRelationship<Source>.Gather<View.Target.ID> { get }
}

/// Reads and changes the refs of one relationship, and finds referrers by it.
struct RelationshipAccess<Source: GraphRecord, View: RefView>: EdgeOperations {
  let keyPath: any KeyPath<Source, View.Stored> & Sendable
  let edge: EdgeID
  let target: TypeNumber
  let property: Property<Source>
  let gather: RecordRelationship<Source>.Gather<View.Target.ID>

  init(
    _ keyPath: any KeyPath<Source, View.Stored> & Sendable, _ edge: EdgeID,
    target: TypeNumber, gather: @escaping RecordRelationship<Source>.Gather<View.Target.ID>
  ) {
    self.gather = gather
    self.keyPath = keyPath
    self.edge = edge
    self.target = target
    property = Property(perhapsWritable: keyPath)
  }
}

extension EdgeOperations {
  /// Passes the map to a closure while the cache is locked: do not hold the lock for long.
  typealias Locked = ((inout IdentityMap) -> Void) -> Void
  typealias Target = View.Target
  typealias Index = ReferrerIndex<Source.ID, Target.ID>
  typealias Lists = ReferrerLists<Source.ID, Target.ID>

  func targets(of record: Source) -> [Target.ID] {
    RecordRelationship.ids(in: record, by: gather)
  }

  /// Appends the targets of some records, as a transaction sees these, one after another, and the
  /// end of each record's targets.
  func addTargets(
    of ids: ArraySlice<Source.ID>, _ values: StagedValues<Source>, _ map: borrowing IdentityMap,
    to targets: inout [Target.ID], _ ends: inout [Int]
  ) {
    let (table, gather) = (values.tableIfUnstaged(map), gather)
    for id in ids {
      if let table {
        if let slot = table.find(id, in: map.pages) {
          // Read it in place: a copy would take longer.
          let pointer = map.pages.pointer(to: slot, as: Source.self)
          gather(UnsafeBufferPointer(start: UnsafePointer(pointer), count: 1), &targets)
        }
      } else if let record = values.read(id, map).element {
        withUnsafePointer(to: record) {
          gather(UnsafeBufferPointer(start: $0, count: 1), &targets)
        }
      }
      ends.append(targets.count)
    }
  }

  /// Returns the places of targets that a transaction does not see, and whether they are unknown.
  func others(
    among targets: ArraySlice<Target.ID>, _ values: StagedValues<Target>,
    _ map: borrowing IdentityMap
  ) -> [(place: Int, isUnknown: Bool)] {
    var others: [(place: Int, isUnknown: Bool)] = []
    let table = values.tableIfUnstaged(map)
    for place in targets.indices {
      if let table {
        if table.find(targets[place], in: map.pages) != nil { continue }
        let isMissing = map.isAuthoritative || table.isMissing(targets[place])
        others.append((place, !isMissing))
      } else {
        let known = values.read(targets[place], map)
        if !known.isPresent { others.append((place, known.isUnknown)) }
      }
    }
    return others
  }

  // MARK: Referrers

  /// Returns the index of the relationship, which it builds from memory if there is none yet.
  ///
  /// - Complexity: O(*n*) in the records of the type, the first time: see `prepareIndex`.
  func index(_ map: inout IdentityMap) -> Index {
    if let index = map.indexes[edge] {
      let index = unsafeDowncast(index, to: Index.self)
      if !index.coversAll { extend(index, .max, map) }
      return index
    }
    var lists = map.table(Source.self).map { makeLists(room: $0.pointee.index.count) }
    let index = anyIndex(&map, &lists)
    extend(index, .max, map)
    return index
  }

  /// Creates lists with room for the targets of so many records.
  ///
  /// Do not call it while the cache is locked: the allocation may take milliseconds.
  func makeLists(room: Int) -> any Sendable {
    var lists = Lists()
    // Growing would take as long as adding all the earlier ones.
    lists.reserveCapacity(room)
    return lists
  }

  /// Indexes the referrers in a chunk of the records in memory.
  ///
  /// An index that begins now takes the lists.
  ///
  /// - Returns: The progress of the index; a caller that needs it earlier completes it at once.
  func prepareIndex(_ map: inout IdentityMap, _ lists: inout (any Sendable)?) -> IndexProgress {
    if map.indexes[edge] == nil, lists == nil, let table = map.table(Source.self) {
      return .none(count: table.pointee.index.count)
    }
    let index = anyIndex(&map, &lists)
    // Each of them may be the first to touch a page of the system's.
    if !index.coversAll { extend(index, max(1, Chunk.pages / 8), map) }
    return index.coversAll ? .complete : .partial
  }

  /// Adds the records of so many more pages to the index.
  private func extend(_ index: Index, _ count: Int, _ map: borrowing IdentityMap) {
    let all = map.pages.bases.count
    let end = index.scannedPages + min(count, all - index.scannedPages)
    map.forEachPointer(Source.self, inPages: index.scannedPages..<end) { [gather] pointer in
      index.add(pointer.id) { gather(UnsafeBufferPointer(start: pointer, count: 1), &$0) }
    }
    index.scannedPages = end
    index.coversAll = end == all
  }

  /// Returns the index, which may lack records from before it followed all changes.
  ///
  /// A new index takes the lists: only one reference may be left, or they would be copied.
  private func anyIndex(_ map: inout IdentityMap, _ lists: inout (any Sendable)?) -> Index {
    if let index = map.indexes[edge] { return unsafeDowncast(index, to: Index.self) }
    let index = Index(limit: map.indexLimit)
    map.indexes[edge] = index
    guard let table = map.table(Source.self) else { return index }
    if let empty = lists { index.lists = checked(empty, as: Lists.self) }
    lists = nil
    // Looking up a property of this generic type for each value would look up the type each time.
    table.pointee.add(
      Watcher { [gather] old, new, reason in
        if let old {
          index.remove(old.id, isEvicted: reason == .evicted) {
            gather(UnsafeBufferPointer(start: old, count: 1), &$0)
          }
        }
        if let new {
          index.add(new.id) { gather(UnsafeBufferPointer(start: new, count: 1), &$0) }
        }
      } reset: {
        index.complete.removeAll()
        index.invalidations &+= 1
      })
    return index
  }

  /// Returns the staged referrers, including those staged since the last call.
  func stagedLists(_ staging: Staging, _ values: StagedValues<Source>) -> Lists {
    staging.indexes.withLock { indexes in
      indexes.change(edge, from: StagedReferrers<Source.ID, Target.ID>()) { staged in
        staged.catchUp(with: values) { targets(of: $0) }
        return staged.lists
      }
    }
  }

  /// Returns the targets of which the transaction has found all referrers, unless the map has
  /// dropped some since, or others may have been stored.
  func complete(
    _ index: Index, _ staging: Staging, _ map: borrowing IdentityMap
  ) -> Set<Target.ID> {
    let known = staging.complete.withLock {
      $0.value(edge, as: StagedCompleteness<Target.ID>.self)
    }
    guard let known else { return [] }
    let age = age(index, map)
    return (known.age ?? age) == age ? known.ids : []
  }

  /// Returns the number of times that completeness was dropped or a transaction was stored.
  func age(_ index: Index, _ map: borrowing IdentityMap) -> UInt64 {
    UInt64(truncatingIfNeeded: index.invalidations) &+ map.commits
  }

  /// Returns whether the index alone has all referrers, as a transaction sees them.
  func knowsAll(_ staging: Staging, _ map: inout IdentityMap) -> Bool {
    map.isAuthoritative
      && staging.values(edge.source, of: Source.self).tableIfUnstaged(map) != nil
  }

  /// Calls a closure with each id, its referrers as a transaction sees them, and whether these are
  /// all.
  func forEachReferrers(
    of ids: some Sequence<Target.ID>, _ staging: Staging, _ map: inout IdentityMap,
    _ body: (Target.ID, [Source.ID], _ isComplete: Bool) -> Void
  ) {
    let index = index(&map)
    let values = staging.values(edge.source, of: Source.self)
    let staged = stagedLists(staging, values)
    let complete = complete(index, staging, map)
    // The index has the pending writes of these records, but not their committed values.
    let baseValues = values.pendingBaseValues(in: map)
    let isKnown = !baseValues.contains { $0.value.isUnknown }
    for id in ids {
      var sources = staged.isEmpty ? [] : staged.sources(of: id)
      if values.values.isEmpty, baseValues.isEmpty {
        index.lists.appendSources(of: id, to: &sources)
      } else {
        for source in index.lists.sources(of: id)
        where values.position(of: source) == nil && baseValues[source] == nil {
          sources.append(source)
        }
      }
      for (source, value) in baseValues {
        if let record = value.element, targets(of: record).contains(id) { sources.append(source) }
      }
      let isComplete = isKnown && (map.isAuthoritative || index.complete.contains(id))
      body(id, sources, isComplete || complete.contains(id))
    }
  }
}

/// The progress of an index of referrers.
enum IndexProgress: Sendable {
  case complete
  case partial
  /// The index has not begun; it covers so many records.
  case none(count: Int)
}

/// The known referrers of a record by one relationship.
struct FoundReferrers: Sendable {
  /// The one record.
  let target: IDs
  /// Their slots, in the order of their ids if these have one.
  let slots: [Slot]
  /// The referrers that are not in memory, each in a list of its own.
  let absent: [IDs]
  /// Whether these are all referrers.
  let isComplete: Bool
}

extension Array where Element: Sendable {
  /// Returns the elements in their order, if they have one.
  ///
  /// - Complexity: O(*n* log *n*).
  func sortedIfComparable() -> [Element] {
    func sorted<C: Comparable & Sendable>(as type: C.Type) -> [Element] {
      checked(checked(self, as: [C].self).sorted(), as: [Element].self)
    }
    if count < 2 { return self }
    return (Element.self as? any (Comparable & Sendable).Type).map { sorted(as: $0) } ?? self
  }
}

/// The targets of which a transaction has loaded all referrers and keeps them in memory.
///
/// That holds until anything is invalidated or stored: leased records are not evicted, but they may
/// be invalidated, and records that others store may refer to the targets.
struct StagedCompleteness<ID: Hashable & Sendable>: Sendable {
  let ids: Set<ID>
  /// The number of invalidations and commits when this was noted; `nil` if that does not matter.
  let age: UInt64?
}

/// The referrers among the staged values of a type, by one relationship.
struct StagedReferrers<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable>: Sendable {
  var lists = ReferrerLists<SourceID, TargetID>()
  /// By position, the targets that the lists have of the value.
  var targets: [Int: [TargetID]] = [:]
  /// The number of log entries that the lists include.
  var seen = 0

  init() {}

  mutating func catchUp<Element: Cacheable>(
    with values: StagedValues<Element>, _ read: (Element) -> [TargetID]
  ) where Element.ID == SourceID {
    while seen < values.log.count {
      let position = values.log[seen]
      seen &+= 1
      let value = values.values[position]
      if let old = targets.removeValue(forKey: position) { lists.remove(value.id, from: old) }
      guard let element = value.current.element else { continue }
      let new = read(element)
      lists.add(value.id, to: new)
      if !new.isEmpty { targets[position] = new }
    }
  }
}
