/// A backing store that wraps another one and forwards all calls that it does not implement itself.
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
/// Queries, changes and the search for referrers reach the other store too. A store that conforms
/// only to ``BackingStore``, and forwards only `fetch` by ids, is read-only.
public protocol ForwardingStore: BackingStore {
  /// The store that handles the calls that this one does not.
  var base: any BackingStore { get }
}

extension ForwardingStore {
  /// Fetches records by their ids from the other store.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await base.fetch(type, ids: ids)
  }

  /// Fetches the records that a query finds from the other store.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try await base.fetch(query)
  }

  /// Counts the records that a query finds in the other store.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await base.count(query)
  }

  /// Finds the refs of the records that a query finds in the other store.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await base.refs(query)
  }

  /// Counts the records that a query finds in the other store by the value of a property.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try await base.count(query, groupedBy: property)
  }

  /// Returns the part of a query that the other store can answer.
  ///
  /// - Parameter query: The query.
  /// - Returns: The other store's answer.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
    base.support(for: query)
  }

  /// Applies changes in the other store.
  public func apply(_ changes: ChangeSet) async throws {
    try await base.apply(changes)
  }

  /// Reserves ids for new records in the other store.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    try await base.reserveIDs(type, count: count)
  }

  /// Returns whether an error means, for certain, that the other store has changed nothing.
  public func isRefusal(_ error: any Error) -> Bool { base.isRefusal(error) }

  /// Returns whether an error means that the other store is unreachable.
  public func isOutage(_ error: any Error) -> Bool { base.isOutage(error) }

  /// Finds the records that refer to others in the other store.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await base.referrers(to: targets, by: relationship)
  }
}
