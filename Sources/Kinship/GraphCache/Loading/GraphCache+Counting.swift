/// Values computed from the records that match a query, without the records themselves.
extension GraphCache {
  func refs<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource
  ) async throws -> [Ref<R>] {
    let query = try await resolved(query, from: source)
    let refs = try await answer(query, of: \R.id, from: source) {
      try await $0.refs(for: query)
    } computing: {
      $0.map { Ref<R>($0) }
    }
    try query.check(refs)
    return refs
  }

  func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable,
    from source: QuerySource
  ) async throws -> [Value: Int] {
    let query = try await resolved(query.orderedAsNeeded, from: source)
    return try await answer(query, of: property, from: source) {
      try await $0.count(for: query, groupedBy: property)
    } computing: {
      ValueCounts($0).dictionary
    }
  }

  /// Computes something from a property of the records that match a query, in the store or from
  /// records.
  ///
  /// - Parameters:
  ///   - query: The query, without conditions on related records.
  ///   - property: The property.
  ///   - source: Where to look.
  ///   - asking: Asks the store.
  ///   - computing: Computes the answer from the values of the property, in the order of the query.
  /// - Returns: The answer.
  /// - Throws: The errors of ``RecordQuery/count``.
  func answer<R: GraphRecord, Value: Sendable, Answer: Sendable>(
    _ query: RecordQuery<R>, of property: any KeyPath<R, Value> & Sendable,
    from source: QuerySource = .dataLayer,
    asking: @escaping @Sendable (any BackingStore) async throws -> Answer,
    computing: ([Value]) throws -> Answer
  ) async throws -> Answer {
    let number = try schema.requiredNumber(of: R.self)
    try Task.checkCancellation()
    guard let store, source == .dataLayer else {
      await prepareIndexes(for: query, number)
      return try computing(values(of: property, query, number))
    }
    let known = try await answeringFromMemory(query, number, since: oldest(of: R.self)) {
      try values(of: property, query, number)
    }
    if let known { return try computing(known) }
    if touched(R.self).isEmpty {
      let answer = try await ask(store, of: R.self) { try await asking(store) }
      if touched(R.self).isEmpty { return answer }
    }
    // Pending writes count, and the store does not know of them.
    let value = PropertyReader(property)
    return try computing(try await records(for: query).map { value($0) })
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
    return query.sliced(
      try RecordFilter<R>.trying { () throws(ScanFailure<R>) in
        try state.withLock { state throws(ScanFailure<R>) in
          try state.map.parts(
            at: offset, as: Value.self, of: number, R.self, passing: filter.scan)
        }
      })
  }
}
