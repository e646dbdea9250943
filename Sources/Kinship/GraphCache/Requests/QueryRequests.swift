extension RecordQuery: Request {
  /// Finds the records that match the query.
  ///
  /// The store decides which records match and in which order; the cache returns its own version of
  /// each. Writes made while the store answers count as well: each record of the result matches the
  /// filter and is in its place. The records are loaded into memory and become the most recently
  /// used, in order, unless the read is ``ReadOptions/passing``. Without a store, the query
  /// searches the records in memory. It also does so if memory is known to hold all records of the
  /// type: after a query for all of them, until one is evicted, invalidated, or put or restored
  /// without the store.
  ///
  /// Pending writes count as if the store had committed them. A record that one of them has
  /// inserted, changed or deleted is placed by its current value, or left out.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - options: The options for reading. An older record in memory is replaced by the store's
  ///     version.
  /// - Returns: The records, in the order of the query, without those that memory knows to be
  ///   deleted.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, and with the ids of
  ///   the records that it cannot read; `.unexpectedRecord` or `.outOfOrder` if its answer is
  ///   invalid; `.invalidSchema(.unknownType)` if the type is not in the schema; and
  ///   `CancellationError` at once if the task is cancelled. If it throws, nothing of the answer is
  ///   in memory.
  /// - Complexity: O(*n*) in the records, plus the store's cost. If anything is written meanwhile,
  ///   absent records are fetched once more, by ids, and a query with a limit is repeated for as
  ///   many more records as have changed. While writes are pending, the store is asked for as many
  ///   more records as these have touched.
  public nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [R] {
    try await cache.records(for: self, options)
  }

  /// Returns those of the matching records that are in memory.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The records: complete if memory holds every record of the type, as it does without
  ///   a store, or if an answer is followed and so is the store's log. A former answer, followed or
  ///   from a snapshot, comes before a search in memory.
  /// - Complexity: O(*n*) in the records of the type in memory, unless an index serves the query.
  public func peek(in cache: GraphCache) -> Known<ResultList<R>> {
    switch known(in: cache) {
    case .complete(let records): .complete(ResultList(records))
    case .partial(let records): .partial(ResultList(records))
    case .unknown: .unknown
    }
  }

  /// The records of `peek`, before they are made a list.
  func known(in cache: GraphCache) -> Known<[R]> {
    let answer = cache.schema.number(of: R.self).flatMap { cache.knownAnswer(to: self, $0) }
    if let answer, answer.isComplete || !cache.isComplete(R.self, since: cache.oldest(of: R.self)) {
      return answer
    }
    return cache.known(self) { try cache.queryMemory(self, $0) }
  }

  /// Returns the changes of the result.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The changes.
  public func changes(in cache: GraphCache) -> Changes<ResultList<R>, ListDiff<R>> {
    Changes(QuerySubject(self), in: cache)
  }
}

/// A value that is computed from the records that match a query: a number, a set, refs.
///
/// It loads nothing into memory. A store that can computes it itself.
struct QueryValue<R: GraphRecord, Value: Equatable & Sendable>: Request {
  let query: RecordQuery<R>
  let title: String
  /// The term of an index that serves it, if it is the first value in some order.
  var term: SortTerm<R>?
  /// Asks the store.
  let ask: @Sendable (GraphCache, RecordQuery<R>, any BackingStore) async throws -> Value
  /// Computes it from the records in memory.
  let queryMemory: @Sendable (GraphCache, RecordQuery<R>, TypeNumber) throws -> Value

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> Value {
    try await cache.value(of: self, from: options.source)
  }

  func peek(in cache: GraphCache) -> Known<Value> {
    guard case .complete(let value) = cache.known(query, { try queryMemory(cache, query, $0) })
    else {
      return .unknown
    }
    return .complete(value)
  }

  func changes(in cache: GraphCache) -> Changes<Value, ValueDiff<Value>> {
    Changes(ComputedSubject(self), in: cache)
  }
}

/// The first record that matches a query; `nil` if there is none.
struct FirstRecord<R: GraphRecord>: Request {
  let query: RecordQuery<R>

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> R? {
    try await query.find(in: cache, options).first
  }

  func peek(in cache: GraphCache) -> Known<R?> {
    switch query.peek(in: cache) {
    case .complete(let records): .complete(records.first)
    case .partial(let records): records.first.map { .partial($0) } ?? .unknown
    case .unknown: .unknown
    }
  }

  func changes(in cache: GraphCache) -> Changes<R?, ListDiff<R>> {
    Changes(MappedSubject(firstOf: QuerySubject(query)), in: cache)
  }
}

/// The records that match a query, in sections by a property.
struct QuerySections<R: GraphRecord, Key: Sendable>: Request {
  private let query: RecordQuery<R>
  private let sectioning: Sectioning<Key, R>

  init(
    _ query: RecordQuery<R>, _ term: SortTerm<R>, _ property: any KeyPath<R, Key> & Sendable
  ) {
    let value = PropertyReader(property)
    self.query = query.sorted(firstBy: term)
    sectioning = Sectioning(term: self.query.order.first ?? term) { value($0) }
  }

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> SectionedList<Key, R> {
    sections(ResultList(try await query.find(in: cache, options)))
  }

  func peek(in cache: GraphCache) -> Known<SectionedList<Key, R>> {
    switch query.peek(in: cache) {
    case .complete(let records): .complete(sections(records))
    case .partial(let records): .partial(sections(records))
    case .unknown: .unknown
    }
  }

  private func sections(_ records: ResultList<R>) -> SectionedList<Key, R> {
    let inserted = records.enumerated().map {
      ListDiff<R>.Place(position: $0.offset, element: $0.element)
    }
    let change = ObservedChange(value: records, diff: ListDiff<R>(inserted: inserted))
    return sectioning.next(change, after: nil).value
  }

  func changes(
    in cache: GraphCache
  ) -> Changes<SectionedList<Key, R>, SectionDiff<Key, R>> {
    Changes(MappedSubject(QuerySubject(query), sectioning.next), in: cache)
  }
}

extension RecordQuery {
  /// The first record; its answer is loaded as a query for one record.
  ///
  /// ```swift
  /// let byLength = RecordQuery<Track>().sorted(by: \.seconds, .descending)
  /// let longest = try await cache.find(byLength.first)
  /// ```
  public var first: some Request<R?, R?, ListDiff<R>> { FirstRecord(query: forOne) }

  /// The records in sections by a property, by which they are sorted first.
  ///
  /// ```swift
  /// let families = try await cache.find(RecordQuery<Person>().sections(by: \.family))
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property; it may be computed.
  ///   - direction: The direction of the order, if the query does not specify it.
  /// - Returns: The request.
  public func sections<Key: Comparable & Sendable>(
    by property: any KeyPath<R, Key> & Sendable, _ direction: SortTerm<R>.Direction = .ascending
  ) -> some Request<SectionedList<Key, R>, SectionedList<Key, R>, SectionDiff<Key, R>> {
    QuerySections(self, SortTerm(property, direction), property)
  }

  /// The records in sections by an optional property, by which they are sorted first.
  ///
  /// - Parameters:
  ///   - property: The property; it may be computed.
  ///   - direction: The direction of the order, if the query does not specify it.
  ///   - nils: The position of the section without a value, if the query does not specify it.
  /// - Returns: The request.
  public func sections<Key: Comparable & Sendable>(
    by property: any KeyPath<R, Key?> & Sendable, _ direction: SortTerm<R>.Direction = .ascending,
    nils: SortTerm<R>.Nils? = nil
  ) -> some Request<SectionedList<Key?, R>, SectionedList<Key?, R>, SectionDiff<Key?, R>> {
    QuerySections(self, SortTerm(property, direction, nils), property)
  }

  /// The numbers of the types whose records decide which records match.
  func types(in schema: GraphSchema) throws(KinshipError) -> [TypeNumber] {
    var types = [try schema.requiredNumber(of: R.self)]
    func add(_ condition: some RelatedCondition<R>) throws(KinshipError) {
      types += try condition.query.types(in: schema)
    }
    for condition in filter.related { try add(condition) }
    return types
  }
}

extension GraphCache {
  /// Returns what memory knows of the answer to a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - answer: Answers it from the records in memory.
  /// - Returns: The answer: complete if memory holds every record.
  nonisolated func known<R: GraphRecord, Answer>(
    _ query: RecordQuery<R>, _ answer: (TypeNumber) throws -> Answer
  ) -> Known<Answer> {
    // Conditions on related records are queries of their own.
    guard query.filter.related.isEmpty, let number = schema.number(of: R.self) else {
      return .unknown
    }
    let oldest = oldest(of: R.self)
    func mayAnswer() -> (isComplete: Bool, version: UInt64)? {
      let isComplete = store == nil || self.isComplete(R.self, since: oldest)
      return state.withLock { state in
        state.isExclusive || state.isTooStale || state.applying != nil
          ? nil : (isComplete, state.map.version)
      }
    }
    for _ in 0..<3 {
      guard let before = mayAnswer(), let answer = try? answer(number) else { return .unknown }
      // Many records are read in parts.
      guard let after = mayAnswer(), before == after else { continue }
      return before.isComplete ? .complete(answer) : .partial(answer)
    }
    return .unknown
  }
}

/// Queries by their short names: `cache.find(.long(rock))`.
extension GraphCache {
  /// Finds the records that match a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - options: The options for reading.
  /// - Returns: The records, in the order of the query.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``.
  public nonisolated(nonsending) func find<R: GraphRecord>(
    _ query: RecordQuery<R>, _ options: ReadOptions = ReadOptions()
  ) async throws -> [R] {
    if options.deadline != nil { return try await findInTime(query, options) }
    return try await query.find(in: self, options)
  }

  /// Observes the result of a query.
  ///
  /// - Parameter query: The query.
  /// - Returns: The changes of its result.
  public nonisolated func observe<R: GraphRecord>(
    _ query: RecordQuery<R>
  ) -> Changes<ResultList<R>, ListDiff<R>> {
    query.changes(in: self)
  }
}
