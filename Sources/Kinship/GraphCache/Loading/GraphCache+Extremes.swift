extension GraphCache {
  /// The smallest value that a property has in the records that a query asks for.
  ///
  /// ```swift
  /// let shortest = try await cache.minimum(of: \.seconds, in: .long(rock))
  /// ```
  ///
  /// It is the first in the order by which queries sort: a number that is none counts as smaller
  /// than any other, and texts are compared by their bytes. A store is asked for the first record
  /// in that order if it can have it, see ``SortTerm/isStoredOrder``, and the query has no offset
  /// and no limit; else for all different values.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The value; `nil` of no records.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of a query for the first record in an order, or of ``count(_:groupedBy:)``.
  public func minimum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    let sorted = RecordQuery(query.filter).sorted(by: property)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// The smallest value that a property has in the records that a query asks for, as far as they
  /// have one.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The value; `nil` of no values.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of a query for the first record in an order, or of ``count(_:groupedBy:)``.
  public func minimum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    let sorted = RecordQuery(query.filter && .having(property)).sorted(by: property)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// The largest value that a property has in the records that a query asks for.
  ///
  /// It is the last in the order by which queries sort, and found as the smallest is.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The value; `nil` of no records.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of a query for the first record in an order, or of ``count(_:groupedBy:)``.
  public func maximum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    let sorted = RecordQuery(query.filter).sorted(by: property, .descending)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// The largest value that a property has in the records that a query asks for, as far as they
  /// have one.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The value; `nil` of no values.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of a query for the first record in an order, or of ``count(_:groupedBy:)``.
  public func maximum<R: GraphRecord, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    let query = try await resolved(query)
    // What has no value comes last.
    let sorted = RecordQuery(query.filter).sorted(by: property, .descending)
    return try await first(of: property, query, sorted) { $0 }
  }

  /// The first value of a property in an order.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query.
  ///   - sorted: A query for its records in the order of the property.
  ///   - value: Makes of what is stored the value, if it is one.
  /// - Returns: The value; `nil` if there is none.
  /// - Throws: What ``count(_:from:)`` throws.
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
        // Of equal texts with other bytes, only one would be counted.
        let records = try await store.records(for: query.orderedAsNeeded).get()
        return records.compactMap { value($0[keyPath: property]) }.first(isAscending)
      }
      let counts = try await store.count(query.orderedAsNeeded, groupedBy: property)
      return counts.keys.compactMap(value).first(isAscending)
    } computing: {
      $0.compactMap(value).first(isAscending)
    }
  }

  /// The records that a query asks for, if memory may answer and an index leads to them.
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
  /// The first or the last where queries sort by the values.
  fileprivate func first(_ isAscending: Bool) -> Element? {
    func precedes(_ left: Element, _ right: Element) -> Bool {
      Precedence(of: left, to: right) == .before
    }
    return isAscending ? self.min(by: precedes) : self.max(by: precedes)
  }
}

extension BackingStore {
  /// The records that a query asks for; `nil` if the store does not know its order.
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
