public import Kinship

/// A backing store on a database, whose queries run in SQL if SQL means the same.
///
/// A filter becomes part of the statement: comparisons of integers, `Double`, Boolean values,
/// texts, refs and `nil`, ranges, and membership in a list, combined by and, or, not. If SQL means
/// the same by all of a query, `fetch` takes one statement. If the filter compares texts, the store
/// may read more rows, in batches, and compares again; so it does if you pass a query of which it
/// supports only a part. No value becomes part of the statement's text.
///
/// The database compares texts by their bytes, whatever the collation of their column, and sorts
/// and compares properties as stored. If the stored order differs from the order of the values, a
/// cache rejects the answer. An order by a property that no column holds throws
/// `KinshipError.misuse(.unsupported)`, and a type without a table `.invalidSchema(.noTable)`. The
/// other errors are those of the database, and `CancellationError`.
///
/// If SQL can evaluate a query, `count` counts rows without reading records, and `refs` reads only
/// the ids. If a column also holds the property, `count(_:groupedBy:)` takes one statement, and
/// reads the property as stored, regardless of what the record or its translator makes of it. All
/// three include rows that are not records, unless all must be read.
public protocol SQLStore: BackingStore {}

/// The access to tables by which a store answers queries.
package protocol QueryingStore: SQLStore {
  /// Returns the table of a record type.
  ///
  /// - Throws: `KinshipError.invalidSchema(.noTable)`.
  func tablePlan<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> TablePlan<R>

  /// Runs a closure with a connection that reads.
  func reading<Result: Sendable>(
    _ body: @Sendable (any SQLReader) throws -> Result
  ) async throws -> Result
}

extension QueryingStore {
  /// Fetches the records that match a query, in its order.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let plan = try tablePlan(of: R.self)
    return try await plan.fetch(query) { sql, values in
      try await reading { try plan.records(sql, values, from: $0) }
    }.get()
  }

  /// Returns the part of a query that SQL can express; the cache does the rest.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
    // A type without a table is an error of `fetch`.
    (try? tablePlan(of: R.self))?.support(for: query) ?? .complete
  }

  /// Counts the records that match a query.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    let plan = try tablePlan(of: R.self)
    if let count = try await reading({ try plan.count(query, from: $0) }) { return count }
    return try await fetch(query).count
  }

  /// Finds the refs of the records that match a query, in its order.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    let plan = try tablePlan(of: R.self)
    if let refs = try await reading({ try plan.refs(query, from: $0) }) { return refs }
    return try await fetch(query).map(\.ref)
  }

  /// Counts the records that match a query, by the values of a property.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    let plan = try tablePlan(of: R.self)
    let counts = try await reading { try plan.counts(of: property, query, from: $0) }
    if let counts { return counts }
    return ValueCounts(of: property, in: try await fetch(query.orderedAsNeeded)).dictionary
  }
}
