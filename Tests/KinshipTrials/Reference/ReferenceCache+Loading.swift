extension ReferenceCache {
  /// Finds records: those in memory, then those in the store.
  ///
  /// All keys are pinned while the absent ones are loaded, and then become the most recently used,
  /// in order.
  mutating func find(_ keys: [Key]) -> [Entry?] {
    let found = keys.map { read($0) }
    guard store != nil, found.contains(nil) else { return found }
    for key in keys { pin(key) }
    load(keys)
    let loaded = keys.map { records[$0] }
    for key in keys { unpin(key) }
    evictOverflow()
    return loaded
  }

  /// Finds records that are known since a moment, and asks the store for all others.
  mutating func find(_ keys: [Key], since oldest: Int) -> [Entry?] {
    guard store != nil else { return keys.map { read($0) } }
    let fresh = keys.count { isFresh($0, since: oldest) }
    tally.hits += fresh
    tally.misses += keys.count - fresh
    if fresh == keys.count {
      for key in keys { touch(key) }
      return keys.map { records[$0] }
    }
    for key in keys { pin(key) }
    load(keys, since: oldest)
    let loaded = keys.map { records[$0] }
    for key in keys { unpin(key) }
    evictOverflow()
    return loaded
  }

  /// Whether a key has been known since a moment, present or missing.
  func isFresh(_ key: Key, since oldest: Int) -> Bool {
    if records[key] != nil { return since[key].map { $0 >= oldest } ?? false }
    return missing.contains(key) && missingSince[key].map { $0 >= oldest } ?? false
  }

  /// Asks the store for a query, and shows memory's records if they are recent enough, or else the
  /// store's.
  mutating func query(
    _ kind: Kind, _ descending: Bool, _ offset: Int, _ limit: Int?, since oldest: Int? = nil,
    passing: Bool = false
  ) -> [(key: Key, entry: Entry)] {
    let isKnown =
      store == nil
      || (whole.contains(kind) && (oldest.map { $0 <= wholeSince[kind, default: .min] } ?? true))
    let all = Self.arranged(isKnown ? records : store ?? [:], kind, descending)
    let page = all.dropFirst(offset).prefix(limit ?? .max)
    if isKnown {
      if store != nil, !passing { for (key, _) in page { touch(key) } }
      return page.map { ($0.key, $0.value) }
    }
    tally.queries += 1
    let evictions = tally.evictionsByLimit
    var earliest = Int.max
    if let oldest {
      for (key, entry) in page {
        if isFresh(key, since: oldest) {
          earliest = min(earliest, since[key] ?? now)
        } else {
          earliest = min(earliest, now)
          if records[key] != nil { refresh(key, entry) } else { missing.remove(key) }
          evictOverflow()
        }
      }
    }
    var found: [(key: Key, entry: Entry)] = []
    for (key, entry) in page {
      missing.remove(key)
      if let known = records[key] {
        if !passing { touch(key) }
        found.append((key, known))
      } else {
        tally.loads += 1
        if passing { insertPassing(key, entry) } else { insert(key, entry) }
        evictOverflow()
        found.append((key, entry))
      }
    }
    let isAll = offset == 0 && limit == nil && tally.evictionsByLimit == evictions
    if isAll, !told.contains(kind) {
      whole.insert(kind)
      wholeSince[kind] = oldest == nil ? .min : earliest
    }
    return found
  }

  /// The entries of a kind by value, and those of one value by number.
  private static func arranged(
    _ entries: [Key: Entry], _ kind: Kind, _ descending: Bool
  ) -> [(key: Key, value: Entry)] {
    entries.filter { $0.key.kind == kind }.sorted { first, second in
      if first.value.value != second.value.value {
        return (first.value.value < second.value.value) != descending
      }
      return first.key.number < second.key.number
    }
  }

  /// Asks the store for a query again, and for the records that memory considers part of the
  /// answer.
  mutating func refreshQuery(
    _ kind: Kind, _ descending: Bool, _ limit: Int?
  ) -> [(key: Key, entry: Entry)] {
    let found = query(kind, descending, 0, limit, since: .max)
    if store == nil { return found }
    let answered = Set(found.map(\.key))
    let known = Self.arranged(records, kind, descending)
    let others = known.prefix(limit ?? .max).map(\.key).filter {
      !answered.contains($0)
    }
    if !others.isEmpty { _ = find(others, since: .max) }
    return found
  }

  /// Asks the store for those of some keys that are unknown, or not known since a moment.
  mutating func load(_ keys: [Key], since oldest: Int? = nil, passing: Bool = false) {
    for kind in Kind.allCases {
      var asked: [Key] = []
      for key in keys where key.kind == kind && !asked.contains(key) {
        let isKnown =
          oldest.map { isFresh(key, since: $0) } ?? (records[key] != nil || missing.contains(key))
        if !isKnown { asked.append(key) }
      }
      for start in stride(from: 0, to: asked.count, by: batchSize) {
        takeIn(asked[start..<min(asked.count - start, batchSize) + start], passing: passing)
        if batchSize == .max { break }
      }
    }
  }

  /// Applies the store's answer for the keys of a batch: the records in memory first.
  private mutating func takeIn(_ keys: ArraySlice<Key>, passing: Bool) {
    tally.batches += 1
    var others: [Key] = []
    for key in keys {
      let entry = store?[key]
      if entry == nil { tally.absences += 1 } else { tally.loads += 1 }
      if records[key] == nil {
        if entry != nil { missing.remove(key) }
        others.append(key)
      } else if let entry {
        refresh(key, entry)
      } else {
        noteMissing(key)
        if drop(key, "removed") != nil { tally.removals += 1 }
      }
    }
    for key in others {
      if let entry = store?[key] {
        if passing { insertPassing(key, entry) } else { insert(key, entry) }
        evictOverflow()
      } else {
        noteMissing(key)
      }
    }
    evictOverflow()
  }

  /// Applies the present value of a record in memory.
  ///
  /// If it is unchanged, only its age is reset.
  private mutating func refresh(_ key: Key, _ entry: Entry) {
    since[key] = now
    guard let old = records[key], old.normalized(key.kind) != entry.normalized(key.kind) else {
      return
    }
    tally.replacements += 1
    report(key, old, "replaced")
    records[key] = entry
  }

  /// Builds a graph with records known since a moment.
  mutating func graph(
    _ legs: [ReferenceGraph.Leg], since oldest: Int
  ) throws(ReferenceWalk.MissingRoot) -> ReferenceGraph {
    try graphs([legs], since: oldest)[0].get()
  }

  /// Builds several graphs together with records known since a moment.
  mutating func graphs(
    _ graphs: [[ReferenceGraph.Leg]], since oldest: Int
  ) -> [Result<ReferenceGraph, ReferenceWalk.MissingRoot>] {
    var leased: [[Key]] = []
    var asked: Set<Key> = []
    defer { for keys in leased { end(keys) } }
    while true {
      let found = ReferenceWalk.graphs(graphs, in: &self)
      if store == nil { return found }
      let parts = found.parts
      let due = parts.map { keys in
        keys.filter { !isFresh($0, since: oldest) && !asked.contains($0) }
      }
      if due.allSatisfy(\.isEmpty) { return found }
      for keys in parts { for key in keys { pin(key) } }
      leased += parts
      load(pinning: due, since: oldest)
      asked.formUnion(due.joined())
    }
  }

  /// Builds a graph after all of it was requested from the store again.
  mutating func refreshGraph(
    _ legs: [ReferenceGraph.Leg]
  ) throws(ReferenceWalk.MissingRoot) -> ReferenceGraph {
    let known = try ReferenceWalk.graph(legs, in: &self)
    if store == nil { return known }
    let parts = [.success(known)].parts
    for keys in parts { for key in keys { pin(key) } }
    defer { for keys in parts { end(keys) } }
    load(pinning: parts, since: .max)
    return try ReferenceWalk.graph(legs, in: &self)
  }

  private mutating func load(pinning parts: [[Key]], since oldest: Int) {
    for keys in parts { for key in keys { pin(key) } }
    load(Array(parts.joined()), since: oldest)
    for keys in parts { end(keys) }
  }

  private mutating func end(_ keys: [Key]) {
    for key in keys { unpin(key) }
    evictOverflow()
  }
}

extension [Result<ReferenceGraph, ReferenceWalk.MissingRoot>] {
  /// The keys found and the keys missing, by kind, without duplicates.
  var parts: [[Key]] {
    let graphs = compactMap { try? $0.get() }
    let roots = compactMap { result in
      if case .failure(let error) = result { error.key } else { nil }
    }
    let found = [graphs.flatMap(\.order), graphs.flatMap(\.missingRefs) + roots]
    return Kind.allCases.flatMap { kind in
      found.map { keys in
        var distinct: [Key] = []
        for key in keys where key.kind == kind && !distinct.contains(key) { distinct.append(key) }
        return distinct
      }
    }.filter { !$0.isEmpty }
  }
}
