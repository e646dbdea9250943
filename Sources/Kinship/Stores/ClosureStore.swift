/// A backing store of closures, for data that a few functions bring.
///
/// ```swift
/// let store = ClosureStore()
///   .fetching(Person.self) { ids in try await api.people(ids) }
///   .fetching(Event.self) { ids in try await api.events(ids) }
/// ```
///
/// Each method returns a store that can do more; what is said twice counts as it was said last.
///
/// - ``fetching(_:_:)`` is enough for refs and graphs.
/// - ``fetchingAll(_:_:)`` is for queries as well, and finds who refers to a record, for delete
///   rules and inverses. Filters, orders, offsets and limits are seen to here.
/// - ``applying(isRefusal:_:)`` makes what transactions change. Without it the store can only be
///   read.
/// - ``offline(when:)`` tells errors of the network from others, for who goes on without it.
///
/// What no closure was given for is refused with ``KinshipError/unsupported(store:operation:)``,
/// which names it. The closures are called as the methods of any ``BackingStore`` are: several at a
/// time, and in tasks that are cancelled when nobody waits any longer.
public struct ClosureStore: BackingStore {
  /// What brings the records of a type.
  private struct Source<R: GraphRecord>: Sendable {
    var some: (@Sendable ([R.ID]) async throws -> [R])?
    var all: (@Sendable () async throws -> [R])?
  }

  /// By type: its `Source`.
  private var sources = ErasedValues<ObjectIdentifier>()
  private var change: (@Sendable (ChangeSet) async throws -> Void)?
  private var isKnownRefusal: @Sendable (any Error) -> Bool = { _ in false }
  private var isKnownOutage: @Sendable (any Error) -> Bool = { _ in false }

  /// Creates a store that can do nothing yet.
  public init() {}

  /// A store that fetches records of a type by their ids.
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

  /// A store that fetches all records of a type.
  ///
  /// They answer any query for the type, and find who refers to a record. Where nothing else does,
  /// they are also what records are found in by their ids: for a list that is read whole, this is
  /// all that is needed.
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

  /// A store that makes changes.
  ///
  /// - Parameters:
  ///   - isRefusal: Whether an error of the closure means, for certain, that nothing was changed.
  ///     It is not asked about those of ``KinshipError``, which mean what they say. By default no
  ///     other does: then the cache asks again for what was to be changed.
  ///   - body: Makes changes, all or none, as ``BackingStore/apply(_:)`` does: of a record that
  ///     exists or is gone it throws `KinshipError.exists` or `.conflict`.
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

  /// A store that knows by which errors it cannot be reached.
  ///
  /// ```swift
  /// let reachable = store.offline(when: { $0 is ConnectionLost })
  /// ```
  ///
  /// - Parameter isOutage: Whether an error of a closure means that the network, or what is behind
  ///   it, is out of reach.
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

  /// All records of a type, as far as they can be read.
  private func all<R: GraphRecord>(
    for operation: @autoclosure () -> String
  ) async throws -> PartialAnswer<R> {
    guard let all = source(of: R.self).all else {
      throw KinshipError.unsupported(store: "ClosureStore", operation: operation())
    }
    do {
      return PartialAnswer(try await all())
    } catch let partial as PartialAnswer<R> {
      return partial
    }
  }
}

extension ClosureStore {
  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  /// - Returns: What the closure for the type returns, or those of all its records that have the
  ///   ids.
  /// - Throws: What the closure throws; `KinshipError.unsupported` if there is none.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    if let some = source(of: type).some { return try await some(ids) }
    let all: PartialAnswer<R> = try await all(for: "fetching \(R.recordName)")
    let wanted = Set(ids)
    // A failure that names no record may be that of any.
    return try PartialAnswer(
      all.records.filter { wanted.contains($0.id) },
      failures: all.failures.filter { $0.ref.map { wanted.contains($0.id) } ?? true }
    ).get(of: ids.count)
  }

  /// Fetches the records that a query asks for: all of the type, of which it answers the query.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: What the closure for all records throws, `KinshipError.filterFailed`, and
  ///   `.unsupported` if there is none.
  /// - Complexity: O(*n* log *n*) in the records that fulfil the filter, if there is an order, and
  ///   O(*n*) in all, besides what the closure takes.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let all: PartialAnswer<R> = try await all(for: "a query for \(R.recordName)")
    QueryTrace.note { $0.recordsLookedAt += all.records.count }
    return try PartialAnswer(query.answer(from: all.records), failures: all.failures).get()
  }

  /// Any filter is known here.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: `true`.
  public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool { true }

  /// Makes changes by the closure.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: What the closure throws; `KinshipError.readOnlyStore` if there is none.
  public func apply(_ changes: ChangeSet) async throws {
    guard let change else { throw KinshipError.readOnlyStore("ClosureStore") }
    try await change(changes)
  }

  /// Whether an error means, for certain, that nothing was changed.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: Of an error of ``KinshipError``, whether it says so; of another, what was said in
  ///   ``applying(isRefusal:_:)``.
  public func isRefusal(_ error: any Error) -> Bool {
    (error as? KinshipError)?.isRefusal ?? isKnownRefusal(error)
  }

  /// Whether an error means that what is behind the closures could not be reached.
  ///
  /// - Parameter error: An error of a call.
  /// - Returns: What was said in ``offline(when:)``.
  public func isOutage(_ error: any Error) -> Bool { isKnownOutage(error) }

  /// Finds the records that refer to others among all of their type.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The records that refer to at least one of them.
  /// - Throws: What the closure for all records throws, and `KinshipError.unsupported` if there is
  ///   none.
  /// - Complexity: O(*n*) in the records of the type, besides what the closure takes.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    let all: PartialAnswer<Source> = try await all(
      for: "a search for who refers by \(Source.recordName).\(relationship.name)")
    let wanted = Set(targets.map { $0.id })
    let ids = relationship.ids(of: Target.self)
    let found = all.records.filter { record in ids(record).contains { wanted.contains($0) } }
    // To whom the others refer is not known.
    return try PartialAnswer(found, failures: all.failures).get()
  }
}
