/// What can be asked of the answer to a query, without the answer itself.
extension GraphCache {
  /// Finds the first of the records that a query asks the backing store for.
  ///
  /// ```swift
  /// let longest = try await cache.first(RecordQuery<Track>().sorted(by: \.seconds, .descending))
  /// ```
  ///
  /// The record comes into memory, as by ``find(_:from:within:)``.
  ///
  /// - Parameter query: The query.
  /// - Returns: The record, or `nil` if there is none.
  /// - Throws: What ``find(_:from:within:)`` throws.
  /// - Complexity: That of ``find(_:from:within:)`` for one record.
  public func first<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> R? {
    try await find(query.forOne).first
  }

  /// Whether there is a record that a query asks the backing store for; without a store, in memory.
  ///
  /// Nothing comes into memory by it.
  ///
  /// - Parameter query: The query; its order does not matter.
  /// - Returns: Whether there is.
  /// - Throws: What ``count(_:from:)`` throws.
  /// - Complexity: That of ``count(_:from:)`` up to one.
  public func exists<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Bool {
    try await count(query.forOne.unordered) > 0
  }

  /// The refs of the records that a query asks the backing store for; without a store, of those in
  /// memory.
  ///
  /// ```swift
  /// let refs = try await cache.refs(RecordQuery(live))
  /// ```
  ///
  /// Nothing comes into memory by it. A store may answer without reading the records: then one that
  /// cannot be read is among them.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs, in the order of the query.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, `.unexpectedRecord` if
  ///   its answer is wrong, `.filterFailed`, `.unknownType`, and `CancellationError` at once when
  ///   the task is cancelled.
  /// - Complexity: That of ``BackingStore/refs(_:)``; without a store O(*n*) in the records of the
  ///   type, besides what it takes to sort them.
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

  /// How many of the records that a query asks the backing store for have which value of a
  /// property; without a store, of those in memory.
  ///
  /// ```swift
  /// let tracksByGenre = try await cache.count(RecordQuery<Track>(), groupedBy: \.genre)
  /// ```
  ///
  /// Counted are the records that offset and limit leave. Nothing comes into memory by it. Values
  /// are one if Swift calls them equal; all those that are not equal to themselves, as NaN is not,
  /// are one as well.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property; where it is optional, `nil` is a value too.
  /// - Returns: By each value that comes up, how many records have it.
  /// - Throws: What ``count(_:from:)`` throws.
  /// - Complexity: That of ``BackingStore/count(_:groupedBy:)``; without a store O(*n*) in the
  ///   records of the type, of which no more than the property is copied if it is stored, and the
  ///   filter runs no code of yours.
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

  /// Answers what is asked of a property of the records that a query asks for: here it is decided
  /// whether the store is asked, or the answer computed of records.
  ///
  /// - Parameters:
  ///   - query: The query, without conditions on related records.
  ///   - property: The property.
  ///   - source: Where to look.
  ///   - asking: Asks the store.
  ///   - computing: Computes the answer of the values of the property, in the order of the query.
  /// - Returns: The answer.
  /// - Throws: What ``count(_:from:)`` throws.
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
    // What pending writes show counts: the store does not know of it.
    let value = PropertyReader(property)
    return try computing(try await find(query).map { value($0) })
  }

  /// The values of a property of the records in memory that a query asks for.
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
