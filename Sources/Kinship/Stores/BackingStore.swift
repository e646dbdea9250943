/// The source of a cache's records: a database, an ORM, an API or files, behind one protocol.
///
/// If a few functions load your records, create the store with ``ClosureStore``:
///
/// ```swift
/// let store = ClosureStore()
///   .fetching(Person.self) { ids in try await api.people(ids) }
///   .fetching(Event.self) { ids in try await api.events(ids) }
/// ```
///
/// A type of your own can implement every requirement:
///
/// ```swift
/// struct FamilyStore: BackingStore {
///   let api: FamilyAPI
///
///   func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///     switch type {
///     case is Person.Type: try await records(ids, from: api.people)
///     case is Event.Type: try await records(ids, from: api.events)
///     default: throw KinshipError.invalidSchema(.unknownType(R.recordName))
///     }
///   }
///
///   /// `T` is `R`: the switch ensures it, and the casts show it to the compiler.
///   private func records<R: GraphRecord, T: GraphRecord>(
///     _ ids: [R.ID], from source: ([T.ID]) async throws -> [T]
///   ) async throws -> [R] {
///     guard let ids = ids as? [T.ID], let records = try await source(ids) as? [R] else {
///       throw KinshipError.invalidSchema(.unknownType(R.recordName))
///     }
///     return records
///   }
/// }
/// ```
///
/// The cache requests the records of one type at a time, in batches, each id once, and from several
/// tasks at a time within its ``FetchLimits``.
///
/// - Errors: An error of `fetch` reaches every caller that waits for those ids, as the cause of
///   ``KinshipError/fetchFailed(type:ids:cause:)``. The cache does not remember it: the next read
///   calls the store again. A store that knows which records it cannot read throws a
///   ``PartialAnswer``.
/// - Cancellation: When nobody waits for a batch any longer, the cache cancels the task that runs
///   `fetch`. A fetch counts as in flight until it returns or exceeds its ``FetchLimits/deadline``,
///   so a store that ignores cancellation delays others. A `CancellationError` without a
///   cancellation is a failure.
/// - Calls of the cache: All methods may call the cache, unless the call would wait for the call
///   within which it is made: then it throws ``KinshipError/Misuse/waitsForItself(_:within:)``.
/// - Deadlines: After a call has exceeded its deadline, the cache may call `apply` while that call
///   is still running.
public protocol BackingStore: Sendable {
  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist, in any order, each once. Ids that are left out do not
  ///   exist, and the cache remembers that until a write or an invalidation of them.
  /// - Throws: A ``PartialAnswer`` if some cannot be read, and any error that keeps the store from
  ///   answering.
  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R]

  /// Fetches records by their ids, and in the same call the records that a plan leads to from them.
  ///
  /// A cache calls it when a graph reaches records that are not in memory, once for each graph.
  /// From there, it fetches by ids whatever the answer leaves out. If three quarters of an answer
  /// were in memory already, it loads the next graphs by ids for a while.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: The plan that the graph follows from them.
  /// - Returns: The records that exist, as ``fetch(_:ids:)`` returns them, and others that the plan
  ///   leads to; `nil` to have the cache fetch by ids, one generation at a time. The default
  ///   returns `nil`, also in a ``ForwardingStore``, because it may change what it forwards.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>?

  /// Fetches the records that a query finds.
  ///
  /// - Parameter query: The query: one that ``support(for:)`` calls ``QuerySupport/complete``, or a
  ///   part that it has returned.
  /// - Returns: The records, each once, in the order of the query, no more than its limit.
  /// - Throws: A ``PartialAnswer`` if some cannot be read, and any error that keeps the store from
  ///   answering. The default throws `.misuse(.unsupported)`.
  func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R]

  /// Fetches the records that a query finds, and in the same call those that a plan leads to.
  ///
  /// A cache calls it instead of ``fetch(_:)`` for the graphs or the views of a
  /// query's records, on the same terms as ``fetch(_:ids:following:)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - plan: The plan that the graphs follow from its records.
  /// - Returns: The records, as ``fetch(_:)`` returns them, and others that the
  ///   plan leads to; `nil`, as by default, for a call without the plan.
  /// - Throws: The errors of ``fetch(_:)``.
  func fetch<R: GraphRecord>(
    _ query: RecordQuery<R>, following plan: FetchPlan
  ) async throws -> FetchedGraph<R>?

  /// Counts the records that a query finds.
  ///
  /// - Parameter query: The query, without a ``RecordQuery/start``; its order does not matter.
  /// - Returns: The number of records, after its offset and up to its limit.
  /// - Throws: The errors of ``fetch(_:)``. The default fetches the records.
  func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int

  /// Finds the refs of the records that a query finds.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs, each once, in the order of the query, no more than its limit.
  /// - Throws: The errors of ``fetch(_:)``. The default fetches the records.
  func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>]

  /// Counts the records that a query finds by the value of a property.
  ///
  /// - Parameters:
  ///   - query: The query, without a ``RecordQuery/start``; its order matters only for its offset
  ///     and limit.
  ///   - property: The property.
  /// - Returns: The number of records with each value that occurs, 1 or more. Values that are equal
  ///   in Swift count as one, and so do all values that are not equal to themselves.
  /// - Throws: The errors of ``fetch(_:)``. The default fetches the records.
  func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int]

  /// Returns the part of a query that the store can answer; the cache does the rest.
  ///
  /// ``fetch(_:)``, ``count(_:)``, ``refs(_:)`` and ``count(_:groupedBy:)`` are called only for
  /// queries that the store can answer.
  ///
  /// - Parameter query: The query.
  /// - Returns: The part: see ``RecordQuery/support(filters:sorts:starts:skips:)``. By default, the
  ///   store can sort and limit, and cannot filter or begin after a position.
  func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R>

  /// Applies changes, all or none.
  ///
  /// For an updated record, ``UpdatedRecord`` has the old and the new value, with the properties
  /// that were set; for a record that was not in memory, these properties alone. Write only what
  /// has changed, because others may have written the rest: ``UpdatedRecord/applied(to:)`` applies
  /// the change to the stored record.
  ///
  /// While it runs, the cache loads nothing that it changes, so no read sees half of a transaction.
  ///
  /// - Parameter changes: The inserts, updates and deletions.
  /// - Throws: `KinshipError.exists` if a record to insert exists, `.conflict` if one to update or
  ///   delete does not exist or is not the one that the changes are based on,
  ///   `.misuse(.identityChanged)` if one would get another id, and any error that keeps the store
  ///   from applying them: see ``isRefusal(_:)``. The default throws `.misuse(.readOnlyStore)`.
  func apply(_ changes: ChangeSet) async throws

  /// Reserves ids for new records.
  ///
  /// A transaction calls it before it inserts such records: with
  /// ``GraphCache/Transaction/newRef(_:)``. The records then reach ``apply(_:)`` like all others.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: The number of ids wanted.
  /// - Returns: One or more ids that no record has. No other caller gets them and, if the store can
  ///   ensure it, no other user of its data.
  /// - Throws: Any error that keeps the store from choosing. The default throws
  ///   `.misuse(.unsupported)`: the caller chooses the id of each new record.
  func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID]

  /// Returns whether an error that ``apply(_:)`` has thrown means, for certain, that nothing was
  /// changed.
  ///
  /// If a connection is lost during a commit, it is unknown whether the changes were committed.
  /// After such an error, the cache drops the records of these changes, and loads them at the next
  /// read.
  ///
  /// - Parameter error: The error.
  /// - Returns: Whether nothing was changed. The default returns `true` for those errors of
  ///   ``KinshipError`` by which a store refuses changes, such as `.conflict`, and for no other.
  func isRefusal(_ error: any Error) -> Bool

  /// Returns whether an error of any of the store's calls means that the store is unreachable.
  ///
  /// The request itself is not at fault: it may succeed once the network is back. An error can be
  /// an outage and an ``isRefusal(_:)``, if it is certain that nothing arrived.
  ///
  /// - Parameter error: The error.
  /// - Returns: Whether the store was unreachable. The default returns `false` for every error.
  func isOutage(_ error: any Error) -> Bool

  /// Finds the records that refer to others.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The records that refer to at least one of them, in any order, each once.
  /// - Throws: A ``PartialAnswer`` if some that refer to them, or may, cannot be read, and any
  ///   error that keeps the store from answering. The default throws `.misuse(.unsupported)`.
  func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source]
}

extension BackingStore {
  /// Returns `nil`: the cache fetches by ids, one generation at a time.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? { nil }

  /// Returns `nil`: the cache fetches the records that the query finds, and then others by ids.
  public func fetch<R: GraphRecord>(
    _ query: RecordQuery<R>, following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? { nil }

  /// Fetches the records and counts them.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await records(for: query.unordered).get().count
  }

  /// Fetches the records and returns their refs.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await records(for: query).get().map { $0.ref }
  }

  /// Fetches the records and counts the values.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    let records = try await records(for: query.orderedAsNeeded).get()
    return ValueCounts(of: property, in: records).dictionary
  }

  /// Returns that the store can sort and limit, and cannot filter or begin after a position.
  ///
  /// - Parameter query: The query.
  /// - Returns: The query, or the part without its filter and start.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
    query.support(filters: { _ in false }, starts: false)
  }

  /// Throws `KinshipError.misuse(.unsupported)`, because the store finds records only by their ids.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    throw KinshipError.misuse(
      .unsupported(
        store: String(describing: Self.self), operation: "a query for \(R.recordName)"))
  }

  /// Fetches the records that a query finds and that can be read.
  package func partialAnswer<R: GraphRecord>(to query: RecordQuery<R>) async throws
    -> PartialAnswer<R>
  {
    let answer = try await PartialAnswer { try await fetch(query) }
    QueryTrace.record {
      $0.isFilteredByStore = true
      $0.recordsFetched += answer.records.count
    }
    return answer
  }

  /// Throws `KinshipError.misuse(.readOnlyStore)`.
  public func apply(_ changes: ChangeSet) async throws {
    throw KinshipError.misuse(.readOnlyStore(String(describing: Self.self)))
  }

  /// Throws `KinshipError.misuse(.unsupported)`, because the store does not choose ids.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    throw KinshipError.misuse(
      .unsupported(
        store: String(describing: Self.self), operation: "new ids of \(R.recordName)"))
  }

  /// Returns whether an error is one by which stores refuse changes before they apply any.
  public func isRefusal(_ error: any Error) -> Bool { (error as? KinshipError)?.isRefusal ?? false }

  /// Returns `false`: no error means that the store is unreachable.
  public func isOutage(_ error: any Error) -> Bool { false }

  /// Throws `KinshipError.misuse(.unsupported)`, because the store does not find referrers.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    throw KinshipError.misuse(
      .unsupported(
        store: String(describing: Self.self),
        operation: "a search for records that refer by \(Source.recordName).\(relationship.name): "
          + "it has no `referrers(to:by:)`"))
  }
}
