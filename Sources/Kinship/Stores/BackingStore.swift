/// The way out of memory: a database, an ORM, an API or files, behind one protocol.
///
/// Where a few functions bring the records, a ``ClosureStore`` makes a store of them:
///
/// ```swift
/// let store = ClosureStore()
///   .fetching(Person.self) { ids in try await api.people(ids) }
///   .fetching(Event.self) { ids in try await api.events(ids) }
/// ```
///
/// A type of your own can do all that a store can:
///
/// ```swift
/// struct FamilyStore: BackingStore {
///   let api: FamilyAPI
///
///   func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///     switch type {
///     case is Person.Type: try await records(ids, from: api.people)
///     case is Event.Type: try await records(ids, from: api.events)
///     default: throw KinshipError.unknownType(R.recordName)
///     }
///   }
///
///   /// `T` is `R`: the switch has seen to it, and the casts tell the compiler.
///   private func records<R: GraphRecord, T: GraphRecord>(
///     _ ids: [R.ID], from source: ([T.ID]) async throws -> [T]
///   ) async throws -> [R] {
///     guard let ids = ids as? [T.ID], let records = try await source(ids) as? [R] else {
///       throw KinshipError.unknownType(R.recordName)
///     }
///     return records
///   }
/// }
/// ```
///
/// The cache asks for the records of one type at a time, in batches, each id once, and from several
/// tasks at a time within its ``FetchLimits``.
///
/// - Errors: What `fetch` throws reaches everybody who waits for those ids, as the cause of
///   ``KinshipError/fetchFailed(type:ids:cause:)``. The cache remembers nothing of it: the next
///   read asks again. A store that can tell which records it cannot read throws a
///   ``PartialAnswer``.
/// - Cancellation: When nobody waits for a batch any longer, the task that runs `fetch` is
///   cancelled. A fetch counts as in flight until it returns or exceeds its
///   ``FetchLimits/deadline``, so a store that ignores cancellation delays others. A
///   `CancellationError` though nobody has cancelled is a failure.
/// - Calls of the cache: They work within all methods, unless they would wait for the call that
///   they are made in: then they throw ``KinshipError/waitsForItself(_:within:)``.
/// - Deadlines: After a call that has exceeded its deadline, `apply` may be called while that call
///   goes on.
public protocol BackingStore: Sendable {
  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist, in any order, each once. Ids that are left out do not
  ///   exist, and the cache remembers that until a write or an invalidation says otherwise.
  /// - Throws: A ``PartialAnswer`` if some cannot be read, and whatever keeps the store from
  ///   answering.
  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R]

  /// Fetches records by their ids, and in the same go those that a plan leads to from them.
  ///
  /// A cache asks so when a graph comes to records that are not in memory, once for each graph. It
  /// goes on by ids from there, with whatever the answer leaves out.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: What the graph leads to from them.
  /// - Returns: The records that exist, as ``fetch(_:ids:)`` returns them, and others that the plan
  ///   leads to; `nil` if the store is to be asked by ids, a generation at a time. The default says
  ///   that, and that of a ``ForwardingStore`` too: it may change what it passes on.
  /// - Throws: What ``fetch(_:ids:)`` throws.
  func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>?

  /// Fetches the records that a query asks for.
  ///
  /// - Parameter query: The query; one without a filter, offset and limit, unless
  ///   ``canFilter(by:)`` says that the store knows what to do with its filter.
  /// - Returns: The records, each once, in the order of the query, no more than its limit.
  /// - Throws: A ``PartialAnswer`` if some cannot be read, and whatever keeps the store from
  ///   answering. The default throws `.unsupported`.
  func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R]

  /// Counts the records that a query asks for.
  ///
  /// - Parameter query: The query; its order does not matter.
  /// - Returns: How many there are, after its offset and up to its limit.
  /// - Throws: What ``fetch(_:)`` throws. The default fetches the records.
  func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int

  /// Finds the refs of the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs, each once, in the order of the query, no more than its limit.
  /// - Throws: What ``fetch(_:)`` throws. The default fetches the records.
  func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>]

  /// Counts, of the records that a query asks for, how many have which value of a property.
  ///
  /// - Parameters:
  ///   - query: The query; its order says no more than which records its offset and limit leave.
  ///   - property: The property.
  /// - Returns: By each value that comes up, how many records have it, 1 or more; values that Swift
  ///   calls equal are one, and so are all those that are not equal to themselves.
  /// - Throws: What ``fetch(_:)`` throws. The default fetches the records.
  func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int]

  /// Whether ``fetch(_:)`` finds the records that fulfil a filter.
  ///
  /// If not, a cache asks for all records in the query's order, and finds them itself.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: Whether it does. The default says no of every filter.
  func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool

  /// Makes changes, all or none.
  ///
  /// A record that was updated is given as it was and is to be, with the properties that were set:
  /// ``UpdatedRecord``. One that was not in memory is given as these properties alone. Only what
  /// has changed is to be written, for others may have written the rest:
  /// ``UpdatedRecord/applied(to:)`` does that with what is stored.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
  ///   update or delete that is not there or is not the one that the changes are based on,
  ///   `.identityChanged` for one that would get another id, and whatever keeps the store from
  ///   making them: see ``isRefusal(_:)``. The default throws `.readOnlyStore`.
  func apply(_ changes: ChangeSet) async throws

  /// Chooses ids for records that are to be inserted.
  ///
  /// A transaction asks for them before it inserts such records: by
  /// ``GraphCache/Transaction/newRef(_:)``. They are given to ``apply(_:)`` as all others.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: How many are wanted.
  /// - Returns: One or more ids that no record has, and that are given to nobody else: neither here
  ///   nor, as far as the store can see to it, to other users of what it stores.
  /// - Throws: Whatever keeps the store from choosing. The default throws `.unsupported`: whoever
  ///   inserts a record chooses its id.
  func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID]

  /// Whether an error that ``apply(_:)`` has thrown means, for certain, that nothing was changed.
  ///
  /// A connection that is lost while changes are committed does not say whether they were. After
  /// such an error the cache forgets what was to be changed, and asks for it at the next read.
  ///
  /// - Parameter error: The error.
  /// - Returns: Whether nothing was changed. The default says so of those errors of
  ///   ``KinshipError`` by which a store refuses changes, such as `.conflict`, and of no other.
  func isRefusal(_ error: any Error) -> Bool

  /// Whether an error of any of the store's calls means that the store could not be reached.
  ///
  /// Nothing is said against what was asked: the same may succeed once the network is back. An
  /// ``isRefusal(_:)`` it can be as well, where it is certain that nothing arrived.
  ///
  /// - Parameter error: The error.
  /// - Returns: Whether the store was out of reach. The default says no of every error.
  func isOutage(_ error: any Error) -> Bool

  /// Finds the records that refer to others.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The records that refer to at least one of them, in any order, each once.
  /// - Throws: A ``PartialAnswer`` if some that refer to them, or may, cannot be read, and whatever
  ///   keeps the store from answering. The default throws `.unsupported`.
  func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source]
}

extension BackingStore {
  /// Says that the store is to be asked by ids, a generation at a time.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  ///   - plan: What the graph leads to from them.
  /// - Returns: `nil`.
  /// - Throws: Nothing.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? { nil }

  /// Fetches the records and counts them.
  ///
  /// - Parameter query: The query.
  /// - Returns: How many there are.
  /// - Throws: What ``fetch(_:)`` throws.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await records(for: query.unordered).get().count
  }

  /// Fetches the records and takes their refs.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs.
  /// - Throws: What ``fetch(_:)`` throws.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await records(for: query).get().map { $0.ref }
  }

  /// Fetches the records and counts the values.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: By each value, how many records have it.
  /// - Throws: What ``fetch(_:)`` throws.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    let records = try await records(for: query.orderedAsNeeded).get()
    return ValueCounts(of: property, in: records).dictionary
  }

  /// Says that the store knows nothing of filters.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: `false`.
  public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool { false }

  /// Refuses: the store knows records by their ids only.
  ///
  /// - Parameter query: The query.
  /// - Returns: Nothing.
  /// - Throws: `KinshipError.unsupported`.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    throw KinshipError.unsupported(
      store: String(describing: Self.self), operation: "a query for \(R.recordName)")
  }

  /// Fetches all records in a query's order and finds those that it asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: The answer to it.
  /// - Throws: What ``fetch(_:)`` throws, and `KinshipError.filterFailed`.
  /// - Complexity: O(*n*) in all records of the type, besides what it takes the store.
  func fetchAll<R: GraphRecord>(for query: RecordQuery<R>) async throws -> PartialAnswer<R> {
    let all = try await partialAnswer(to: query.unfiltered)
    QueryTrace.note { $0.isFilteredByStore = false }
    return PartialAnswer(try query.answer(from: all.records), failures: all.failures)
  }

  /// Fetches the records that a query asks for, whatever the store knows of its filter.
  func records<R: GraphRecord>(for query: RecordQuery<R>) async throws -> PartialAnswer<R> {
    query.filter.isAll || canFilter(by: query.filter)
      ? try await partialAnswer(to: query) : try await fetchAll(for: query)
  }

  /// Fetches the records that a query asks for, as far as they can be read.
  package func partialAnswer<R: GraphRecord>(to query: RecordQuery<R>) async throws
    -> PartialAnswer<R>
  {
    let answer: PartialAnswer<R>
    do {
      answer = PartialAnswer(try await fetch(query))
    } catch let partial as PartialAnswer<R> {
      answer = partial
    }
    QueryTrace.note {
      $0.isFilteredByStore = true
      $0.recordsFetched += answer.records.count
    }
    return answer
  }

  /// Refuses: the store can only be read.
  ///
  /// - Parameter changes: What was to be changed.
  /// - Throws: `KinshipError.readOnlyStore`.
  public func apply(_ changes: ChangeSet) async throws {
    throw KinshipError.readOnlyStore(String(describing: Self.self))
  }

  /// Says that the store does not choose ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: How many ids are wanted.
  /// - Returns: Nothing.
  /// - Throws: `KinshipError.unsupported`.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    throw KinshipError.unsupported(
      store: String(describing: Self.self), operation: "new ids of \(R.recordName)")
  }

  /// Whether an error is one by which stores refuse changes before they make any.
  ///
  /// - Parameter error: The error.
  /// - Returns: Whether it is.
  public func isRefusal(_ error: any Error) -> Bool { (error as? KinshipError)?.isRefusal ?? false }

  /// Whether an error means that the store could not be reached.
  ///
  /// - Parameter error: The error.
  /// - Returns: `false`.
  public func isOutage(_ error: any Error) -> Bool { false }

  /// Refuses: the store does not find the records that refer to others.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the targets.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: Nothing.
  /// - Throws: `KinshipError.unsupported`.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    throw KinshipError.unsupported(
      store: String(describing: Self.self),
      operation: "a search for who refers by \(Source.recordName).\(relationship.name): "
        + "implement its method referrers(to:by:)")
  }
}
