/// Values computed from the records that match a query, without the records themselves.
extension GraphCache {
  /// Computes a value in memory if it is known to hold all records of the type, or else in the
  /// store.
  func value<R: GraphRecord, Value>(
    of request: QueryValue<R, Value>, from source: QuerySource
  ) async throws -> Value {
    let number = try schema.requiredNumber(of: R.self)
    try Task.checkCancellation()
    let query = try await resolved(request.query, from: source)
    let indexed = request.term.map { query.sorted(firstBy: $0) } ?? query
    guard let store, source == .dataLayer else {
      await prepareIndexes(for: indexed, number)
      return try request.queryMemory(self, query, number)
    }
    let known = try await answeringFromMemory(indexed, number, since: oldest(of: R.self)) {
      try request.queryMemory(self, query, number)
    }
    if let known { return known }
    return try await request.ask(self, query, store)
  }

  /// Counts the records that match a query, in the store.
  ///
  /// It loads nothing into memory except records that pending writes have touched.
  func count<R: GraphRecord>(
    _ query: RecordQuery<R>, in store: any BackingStore
  ) async throws -> Int {
    while true {
      let touched = touched(R.self)
      if touched.isEmpty {
        let count = try await ask(store, of: R.self) { try await store.count(for: query) }
        if self.touched(R.self).isEmpty { return count }
        continue
      }
      let others = RecordQuery(query.selection && !.isOne(of: touched))
      let count = try await ask(store, of: R.self) { try await store.count(for: others) }
      guard self.touched(R.self).isSubset(of: touched) else { continue }
      let shown = try await load(Array(touched), of: R.self).compactMap { $0 }
      return query.count(of: count + (try query.selection.matching(in: shown).count))
    }
  }

  /// Has the store compute something, or computes it from the records that match a query while
  /// writes are pending: these count, and the store does not know of them.
  func compute<R: GraphRecord, Answer: Sendable>(
    _ query: RecordQuery<R>, in store: any BackingStore,
    asking: @escaping @Sendable () async throws -> Answer, from records: ([R]) throws -> Answer
  ) async throws -> Answer {
    if touched(R.self).isEmpty {
      let answer = try await ask(store, of: R.self, asking)
      if touched(R.self).isEmpty { return answer }
    }
    return try records(try await self.records(for: query))
  }

  /// Returns the values of a property of the records in memory that match a query.
  nonisolated func values<R: GraphRecord, Value: Sendable>(
    of property: any KeyPath<R, Value> & Sendable, _ query: RecordQuery<R>, _ number: TypeNumber
  ) throws -> [Value] {
    let value = PropertyReader(property)
    let filter = query.selection
    if let found = try queryIndex(query, number) { return found.map { value($0) } }
    guard let offset = value.offset, filter.isScan, query.order.isEmpty else {
      return query.arranged(try scan(filter, number)).map { value($0) }
    }
    var found: [Value] = []
    try scan(R.self) { map, pages throws(ScanFailure<R>) in
      try map.addParts(
        at: offset, of: number, R.self, inPages: pages, passing: filter.scan, to: &found)
    } between: {
      found.makeRoomInAdvance()
    }
    return query.sliced(found)
  }
}
