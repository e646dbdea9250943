extension ReferenceCache {
  /// Finds records: those in memory, else those in the store.
  ///
  /// All keys are pinned while what is absent is loaded, and then become the most recently used, in
  /// order.
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

  /// Asks the store which records there are, in an order, and shows what memory knows of them.
  mutating func query(
    _ kind: Kind, _ descending: Bool, _ offset: Int, _ limit: Int?
  ) -> [(key: Key, entry: Entry)] {
    let isKnown = store == nil || whole.contains(kind)
    let all = (isKnown ? records : store ?? [:]).filter { $0.key.kind == kind }.sorted {
      first, second in
      if first.value.value != second.value.value {
        return (first.value.value < second.value.value) != descending
      }
      return first.key.number < second.key.number
    }
    let page = all.dropFirst(offset).prefix(limit ?? .max)
    if isKnown {
      if store != nil { for (key, _) in page { touch(key) } }
      return page.map { ($0.key, $0.value) }
    }
    tally.queries += 1
    let evictions = tally.evictionsByLimit
    var found: [(key: Key, entry: Entry)] = []
    for (key, entry) in page where !missing.contains(key) {
      if let known = records[key] {
        touch(key)
        found.append((key, known))
      } else {
        tally.loads += 1
        insert(key, entry)
        evictOverflow()
        found.append((key, entry))
      }
    }
    let isAll = offset == 0 && limit == nil && tally.evictionsByLimit == evictions
    if isAll, !told.contains(kind) { whole.insert(kind) }
    return found
  }

  /// Asks the store for those of some keys of which nothing is known.
  mutating func load(_ keys: [Key]) {
    for kind in Kind.allCases {
      var absent: [Key] = []
      for key in keys where key.kind == kind && records[key] == nil && !missing.contains(key) {
        if !absent.contains(key) { absent.append(key) }
      }
      tally.batches += (absent.count / batchSize) + (absent.count % batchSize == 0 ? 0 : 1)
      for key in absent {
        if let entry = store?[key] {
          tally.loads += 1
          insert(key, entry)
          evictOverflow()
        } else {
          tally.absences += 1
          missing.insert(key)
        }
      }
    }
  }
}
