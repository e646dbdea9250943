/// A backing store that stands before another one and passes on all that it does not do itself.
///
/// ```swift
/// /// Asks another store once more when the connection was lost.
/// struct RetryingStore: ForwardingStore {
///   let base: any BackingStore
///
///   func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///     do {
///       return try await base.fetch(type, ids: ids)
///     } catch is ConnectionLost {
///       return try await base.fetch(type, ids: ids)
///     }
///   }
/// }
/// ```
///
/// Queries, changes and the search for referrers reach the other store too: a store that conforms
/// to ``BackingStore`` alone, and passes on nothing but `fetch` by ids, can only be read.
public protocol ForwardingStore: BackingStore {
  /// The store that does what this one does not.
  var base: any BackingStore { get }
}

extension ForwardingStore {
  /// Has the other store fetch records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await base.fetch(type, ids: ids)
  }

  /// Has the other store fetch the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try await base.fetch(query)
  }

  /// Has the other store count the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await base.count(query)
  }

  /// Has the other store find the refs of the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await base.refs(query)
  }

  /// Has the other store count how many records have which value of a property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try await base.count(query, groupedBy: property)
  }

  /// Whether the other store finds the records that fulfil a filter.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: What the other store says.
  public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool {
    base.canFilter(by: filter)
  }

  /// Has the other store make changes.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: What the other store throws.
  public func apply(_ changes: ChangeSet) async throws {
    try await base.apply(changes)
  }

  /// Has the other store choose ids for records that are to be inserted.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: How many ids are wanted.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    try await base.reserveIDs(type, count: count)
  }

  /// Whether an error means, for certain, that the other store has changed nothing.
  ///
  /// - Parameter error: An error that ``BackingStore/apply(_:)`` has thrown.
  /// - Returns: What the other store says.
  public func isRefusal(_ error: any Error) -> Bool { base.isRefusal(error) }

  /// Whether an error means that the other store could not be reached.
  ///
  /// - Parameter error: An error of a call.
  /// - Returns: What the other store says.
  public func isOutage(_ error: any Error) -> Bool { base.isOutage(error) }

  /// Has the other store find the records that refer to others.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: What the other store answers.
  /// - Throws: What it throws.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await base.referrers(to: targets, by: relationship)
  }
}
