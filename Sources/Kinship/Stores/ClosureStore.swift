/// A backing store of closures, for data that a few functions load.
///
/// ```swift
/// let store = ClosureStore()
///   .fetching(Person.self) { ids in try await api.people(ids) }
///   .fetching(Event.self) { ids in try await api.events(ids) }
/// ```
///
/// Each method returns a store that can do more. If you call a method twice for the same, the last
/// closure counts.
///
/// - ``fetching(_:_:)`` is enough for refs and graphs.
/// - ``fetchingAll(_:_:)`` adds queries, and finds the referrers of a record, for delete rules and
///   inverses. The store applies filters, orders, offsets and limits itself.
/// - ``applying(isRefusal:_:)`` applies the changes of transactions. Without it, the store is
///   read-only.
/// - ``offline(when:)`` distinguishes outages from other errors, for apps that work offline.
///
/// An operation without a closure throws ``KinshipError/Misuse/unsupported(store:operation:)``,
/// which names it. The cache calls the closures like the methods of any ``BackingStore``: several
/// at a time, and in tasks that are cancelled when nobody waits any longer.
public struct ClosureStore: BackingStore {
  /// The closures that load the records of a type.
  private struct Source<R: GraphRecord>: Sendable {
    var some: (@Sendable ([R.ID]) async throws -> [R])?
    var all: (@Sendable () async throws -> [R])?
  }

  /// By type: its `Source`.
  private var sources = ErasedValues<ObjectIdentifier>()
  private var change: (@Sendable (ChangeSet) async throws -> Void)?
  private var isKnownRefusal: @Sendable (any Error) -> Bool = { _ in false }
  private var isKnownOutage: @Sendable (any Error) -> Bool = { _ in false }

  /// Creates a store without closures.
  public init() {}

  /// Returns a store that fetches records of a type by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - body: Fetches records by their ids, as ``BackingStore/fetch(_:ids:)`` does: it returns
  ///     those that exist, in any order.
  /// - Returns: The store.
  public func fetching<R: GraphRecord>(
    _ type: R.Type, _ body: @escaping @Sendable (_ ids: [R.ID]) async throws -> [R]
  ) -> ClosureStore {
    with(type) { $0.some = body }
  }

  /// Returns a store that fetches all records of a type.
  ///
  /// The store answers any query for the type from them, and finds the referrers of a record. If
  /// there is no other closure for the type, it also finds records by their ids among them: for a
  /// list that is always read completely, this is all you need.
  ///
  /// ```swift
  /// let store = ClosureStore()
  ///   .fetchingAll(Place.self) { try await api.places() }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - body: Fetches all records that exist, in any order.
  /// - Returns: The store.
  public func fetchingAll<R: GraphRecord>(
    _ type: R.Type, _ body: @escaping @Sendable () async throws -> [R]
  ) -> ClosureStore {
    with(type) { $0.all = body }
  }

  /// Returns a store that applies changes.
  ///
  /// - Parameters:
  ///   - isRefusal: Returns whether an error of the closure means, for certain, that nothing was
  ///     changed. It is not called for errors of ``KinshipError``, which have a fixed meaning. By
  ///     default it returns `false`: the cache then loads the records of the changes again.
  ///   - body: Applies changes, all or none, as ``BackingStore/apply(_:)`` does: if a record exists
  ///     already or no longer, it throws `KinshipError.exists` or `.conflict`.
  /// - Returns: The store.
  public func applying(
    isRefusal: @escaping @Sendable (any Error) -> Bool = { _ in false },
    _ body: @escaping @Sendable (_ changes: ChangeSet) async throws -> Void
  ) -> ClosureStore {
    var store = self
    store.change = body
    store.isKnownRefusal = isRefusal
    return store
  }

  /// Returns a store that recognises the errors of an outage.
  ///
  /// ```swift
  /// let reachable = store.offline(when: { $0 is ConnectionLost })
  /// ```
  ///
  /// - Parameter isOutage: Returns whether an error of a closure means that the network, or the
  ///   service behind it, is unreachable.
  /// - Returns: The store.
  public func offline(
    when isOutage: @escaping @Sendable (_ error: any Error) -> Bool
  ) -> ClosureStore {
    var store = self
    store.isKnownOutage = isOutage
    return store
  }

  private func with<R: GraphRecord>(
    _ type: R.Type, _ set: (inout Source<R>) -> Void
  ) -> ClosureStore {
    var store = self
    store.sources.change(ObjectIdentifier(type), from: Source<R>(), set)
    return store
  }

  private func source<R: GraphRecord>(of type: R.Type) -> Source<R> {
    sources.value(ObjectIdentifier(type), as: Source<R>.self) ?? Source()
  }

  /// Returns all records of a type that can be read.
  private func all<R: GraphRecord>(
    for operation: @autoclosure () -> String
  ) async throws -> PartialAnswer<R> {
    guard let all = source(of: R.self).all else {
      throw KinshipError.misuse(.unsupported(store: "ClosureStore", operation: operation()))
    }
    return try await PartialAnswer(catching: all)
  }
}

extension ClosureStore {
  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  /// - Returns: The records of the closure for the type, or those of all its records that have the
  ///   ids.
  /// - Throws: The errors of the closure; `KinshipError.misuse(.unsupported)` if there is none.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    if let some = source(of: type).some { return try await some(ids) }
    let all: PartialAnswer<R> = try await all(for: "fetching \(R.recordName)")
    let wanted = Set(ids)
    // A failure that names no record may belong to any.
    return try PartialAnswer(
      all.records.filter { wanted.contains($0.id) },
      failures: all.failures.filter { $0.ref.map { wanted.contains($0.id) } ?? true }
    ).get(of: ids.count)
  }

  /// Fetches all records of a type, and answers a query from them.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: The errors of the closure for all records, `KinshipError.filterFailed`, and
  ///   `.misuse(.unsupported)` if there is none.
  /// - Complexity: O(*n* log *n*) in the records that fulfil the filter, if there is an order, and
  ///   O(*n*) in all, in addition to the closure's work.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let all: PartialAnswer<R> = try await all(for: "a query for \(R.recordName)")
    QueryTrace.record { $0.recordsLookedAt += all.records.count }
    return try PartialAnswer(query.answer(from: all.records), failures: all.failures).get()
  }

  /// Returns that the store answers every query.
  ///
  /// - Parameter query: The query.
  /// - Returns: ``QuerySupport/complete``.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .complete }

  /// Applies changes with the closure.
  ///
  /// - Parameter changes: The inserts, updates and deletions.
  /// - Throws: The errors of the closure; `KinshipError.misuse(.readOnlyStore)` if there is none.
  public func apply(_ changes: ChangeSet) async throws {
    guard let change else { throw KinshipError.misuse(.readOnlyStore("ClosureStore")) }
    try await change(changes)
  }

  /// Returns whether an error means, for certain, that nothing was changed.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: For an error of ``KinshipError``, whether it means that; for another, the result of
  ///   the closure given to ``applying(isRefusal:_:)``.
  public func isRefusal(_ error: any Error) -> Bool {
    (error as? KinshipError)?.isRefusal ?? isKnownRefusal(error)
  }

  /// Returns whether an error means that the service behind the closures is unreachable.
  ///
  /// - Parameter error: An error of a call.
  /// - Returns: The result of the closure given to ``offline(when:)``.
  public func isOutage(_ error: any Error) -> Bool { isKnownOutage(error) }

  /// Finds the records that refer to others among all of their type.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The records that refer to at least one of them.
  /// - Throws: The errors of the closure for all records, and `KinshipError.misuse(.unsupported)`
  ///   if there is none.
  /// - Complexity: O(*n*) in the records of the type, in addition to the closure's work.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    let all: PartialAnswer<Source> = try await all(
      for: "a search for records that refer by \(Source.recordName).\(relationship.name)")
    let wanted = Set(targets.map { $0.id })
    let ids = relationship.ids(of: Target.self)
    let found = all.records.filter { record in ids(record).contains { wanted.contains($0) } }
    // The targets of the records that could not be read are not known.
    return try PartialAnswer(found, failures: all.failures).get()
  }
}
