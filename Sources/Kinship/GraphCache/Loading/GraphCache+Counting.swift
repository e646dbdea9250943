/// Properties of a query's result, without the result itself.
extension GraphCache {
  /// Returns the first record that matches a query.
  ///
  /// ```swift
  /// let longest = try await cache.first(RecordQuery<Track>().sorted(by: \.seconds, .descending))
  /// ```
  ///
  /// The record is loaded into memory, as with ``find(_:from:within:)``.
  ///
  /// - Parameter query: The query.
  /// - Returns: The record, or `nil` if there is none.
  /// - Throws: The errors of ``find(_:from:within:)``.
  /// - Complexity: Same as ``find(_:from:within:)`` for one record.
  public func first<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> R? {
    try await find(query.forOne).first
  }

  /// Returns whether any record in the backing store, or in memory without a store, matches a
  /// query.
  ///
  /// It loads nothing into memory.
  ///
  /// - Parameter query: The query; its order does not matter.
  /// - Returns: Whether there is a match.
  /// - Throws: The errors of ``count(_:from:)``.
  /// - Complexity: Same as ``count(_:from:)``, up to one.
  public func exists<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Bool {
    try await count(query.forOne.unordered) > 0
  }

  /// Returns refs to the records in the backing store, or in memory without a store, that match a
  /// query.
  ///
  /// ```swift
  /// let refs = try await cache.refs(RecordQuery(live))
  /// ```
  ///
  /// It loads nothing into memory. A store may answer without reading the records; then the result
  /// includes records that cannot be read.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs, in the order of the query.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, `.unexpectedRecord` if
  ///   its answer is invalid, `.filterFailed`, `.unknownType`, and `CancellationError` at once if
  ///   the task is cancelled.
  /// - Complexity: Same as ``BackingStore/refs(_:)``. Without a store, O(*n*) in the records of the
  ///   type, plus sorting.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await refs(query, from: .dataLayer)
  }

  func refs<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource
  ) async throws -> [Ref<R>] {
    let query = try await resolved(query, from: source)
    let refs = try await answer(query, of: \R.id, from: source) {
      try await $0.refs(query)
    } computing: {
      $0.map { Ref<R>($0) }
    }
    try query.check(refs)
    return refs
  }

  /// Counts the matching records in the backing store, or in memory without a store, by the values
  /// of a property.
  ///
  /// ```swift
  /// let tracksByGenre = try await cache.count(RecordQuery<Track>(), groupedBy: \.genre)
  /// ```
  ///
  /// It counts the records that remain after offset and limit, and loads nothing into memory. Two
  /// values are the same if Swift calls them equal. All values that are not equal to themselves,
  /// such as NaN, also count as one.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property; if it is optional, `nil` is also a value.
  /// - Returns: The number of records for each value that occurs.
  /// - Throws: The errors of ``count(_:from:)``.
  /// - Complexity: Same as ``BackingStore/count(_:groupedBy:)``. Without a store, O(*n*) in the
  ///   records of the type. If the property is stored and the filter runs no code of yours, only
  ///   the property of each record is copied.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try await count(query, groupedBy: property, from: .dataLayer)
  }

  func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable,
    from source: QuerySource
  ) async throws -> [Value: Int] {
    let query = try await resolved(query.orderedAsNeeded, from: source)
    return try await answer(query, of: property, from: source) {
      try await $0.count(query, groupedBy: property)
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
  /// - Throws: The errors of ``count(_:from:)``.
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
    let known = try await recallingWhole(query, number, since: oldest(of: R.self)) {
      try values(of: property, query, number)
    }
    if let known { return try computing(known) }
    if touched(R.self).isEmpty {
      let answer = try await ask(store, of: R.self) { try await asking(store) }
      if touched(R.self).isEmpty { return answer }
    }
    // Pending writes count, and the store does not know of them.
    let value = PropertyReader(property)
    return try computing(try await find(query).map { value($0) })
  }

  /// Returns the values of a property of the records in memory that match a query.
  private func values<R: GraphRecord, Value: Sendable>(
    of property: any KeyPath<R, Value> & Sendable, _ query: RecordQuery<R>, _ number: TypeNumber
  ) throws -> [Value] {
    let value = PropertyReader(property)
    let filter = query.filter
    if let found = try recallByIndex(query, number) { return found.map { value($0) } }
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
