extension GraphCache {
  /// Returns the smallest value of a property in the records that match a query.
  ///
  /// ```swift
  /// let shortest = try await cache.minimum(of: \.seconds, in: .long(rock))
  /// ```
  ///
  /// This is the first value in the sort order of queries: NaN sorts before every other number, and
  /// texts are compared by their bytes. If the store supports that order (see
  /// ``SortTerm/isStoredOrder``) and the query has no offset and no limit, the cache asks the store
  /// for the first record. Otherwise it asks for all distinct values.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The value; `nil` if there are no records.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as a query for the first record in an order, or ``count(_:groupedBy:)``.
  public func minimum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    let sorted = RecordQuery(query.filter).sorted(by: property)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// Returns the smallest value of an optional property in the records that match a query, ignoring
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The value; `nil` if there are no values.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as a query for the first record in an order, or ``count(_:groupedBy:)``.
  public func minimum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    let sorted = RecordQuery(query.filter && .having(property)).sorted(by: property)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// Returns the largest value of a property in the records that match a query.
  ///
  /// This is the last value in the sort order of queries. The cache finds it as it finds the
  /// smallest.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The value; `nil` if there are no records.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as a query for the first record in an order, or ``count(_:groupedBy:)``.
  public func maximum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    let sorted = RecordQuery(query.filter).sorted(by: property, .descending)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// Returns the largest value of an optional property in the records that match a query, ignoring
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The value; `nil` if there are no values.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as a query for the first record in an order, or ``count(_:groupedBy:)``.
  public func maximum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    // Records without a value come last.
    let sorted = RecordQuery(query.filter).sorted(by: property, .descending)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// Returns the first value of a property in an order.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query.
  ///   - sorted: A query for its records in the order of the property.
  ///   - value: Converts a stored value, if it is one.
  /// - Returns: The value; `nil` if there is none.
  /// - Throws: The errors of ``count(_:from:)``.
  private func first<R: GraphRecord, Stored: Hashable & Sendable, Value: Comparable & Sendable>(
    of property: any KeyPath<R, Stored> & Sendable, _ query: RecordQuery<R>,
    _ sorted: RecordQuery<R>, _ value: @escaping @Sendable (Stored) -> Value?
  ) async throws -> Value? {
    let isAscending = sorted.order.first?.direction == .ascending
    let isStored = sorted.order.first?.isStoredOrder == true
    if query.isWhole, let found = try await recallByIndex(sorted.forOne) {
      return found.first.flatMap { value($0[keyPath: property]) }
    }
    return try await answer(query.orderedAsNeeded, of: property) { store in
      if isStored, query.isWhole, let records = try await store.inOrder(sorted.forOne) {
        return records.first.flatMap { value($0[keyPath: property]) }
      }
      if Value.self == String.self {
        // Of equal texts with different bytes, only one would be counted.
        let records = try await store.records(for: query.orderedAsNeeded).get()
        return records.compactMap { value($0[keyPath: property]) }.first(isAscending)
      }
      let counts = try await store.count(query.orderedAsNeeded, groupedBy: property)
      return counts.keys.compactMap(value).first(isAscending)
    } computing: {
      $0.compactMap(value).first(isAscending)
    }
  }

  /// Returns the records that match a query, if memory may answer and an index leads to them.
  private func recallByIndex<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R]? {
    let number = try schema.requiredNumber(of: R.self)
    if store != nil {
      return try await recallingWhole(query, number, since: oldest(of: R.self)) {
        try recallByIndex(query, number)
      } ?? nil
    }
    await prepareIndexes(for: query, number)
    return try recallByIndex(query, number)
  }
}

extension Array where Element: Comparable {
  /// Returns the first or the last value in the sort order of queries.
  fileprivate func first(_ isAscending: Bool) -> Element? {
    func precedes(_ left: Element, _ right: Element) -> Bool {
      Precedence(of: left, to: right) == .before
    }
    return isAscending ? self.min(by: precedes) : self.max(by: precedes)
  }
}

extension BackingStore {
  /// Returns the records that match a query; `nil` if the store does not support its order.
  fileprivate func inOrder<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R]? {
    do {
      let records = try await records(for: query).get()
      try query.check(records)
      return records
    } catch KinshipError.unsupported {
      return nil
    }
  }
}
