/// The part of a query that a store can answer.
///
/// ``BackingStore/support(for:)`` returns it. The cache does the rest:
///
/// ```swift
/// func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
///   query.support(filters: { text($0) != nil }, skips: false)
/// }
/// ```
public enum QuerySupport<R: GraphRecord>: Sendable {
  /// The store answers the query.
  case complete
  /// The store answers another query, which finds the wanted records and perhaps others.
  ///
  /// If that query has the order of the first one, the cache requests as many records as it needs,
  /// in batches that grow, and otherwise all that it finds. The cache sets its offset and limit.
  /// Its ``RecordQuery/start`` may be missing.
  case part(RecordQuery<R>)
  /// The store finds records only by their ids.
  case onlyByIDs

  /// Whether the store answers the query.
  package var isWhole: Bool { if case .complete = self { true } else { false } }
}

extension RecordQuery {
  /// Returns the part of the query that a store can answer.
  ///
  /// - Parameters:
  ///   - filters: Returns whether the store can evaluate a condition. It is called only for
  ///     conditions that are ``FilterCondition/isReadable``: first for the whole filter, then for
  ///     parts of it.
  ///   - sorts: Returns whether the store can sort by a term.
  ///   - starts: Whether the store can begin after the values of a ``SortPosition``.
  ///   - skips: Whether the store can leave out records at the front, by an offset.
  /// - Returns: ``QuerySupport/complete`` if the store can do all of it, and otherwise a part with
  ///   what it can do of the filter and, if it can do all of it, the order.
  public func support(
    filters: (FilterCondition) -> Bool, sorts: (SortTerm<R>) -> Bool = { _ in true },
    starts: Bool = true, skips: Bool = true
  ) -> QuerySupport<R> {
    let isSorted = order.allSatisfy(sorts)
    let isFiltered = filter.isAll || filter.condition.isReadable && filters(filter.condition)
    if isFiltered, isSorted, starts || start == nil, skips || offset == 0 { return .complete }
    let part = filter.part(understoodBy: filters)
    let query = asking(for: part).batch(after: starts ? start : nil, upTo: nil)
    return .part(isSorted ? query : query.batch(after: nil, upTo: nil).unordered)
  }

  /// Whether it has the same order as another query.
  fileprivate func hasOrder(of other: RecordQuery) -> Bool {
    order.count == other.order.count
      && zip(order, other.order).allSatisfy { term, other in
        term.property as AnyKeyPath == other.property && term.direction == other.direction
          && term.nils == other.nils
      }
  }

  /// Finds the records of the query from what a store supports of it.
  ///
  /// - Parameters:
  ///   - support: The part that the store supports.
  ///   - isWhole: Returns whether the store supports all of a query.
  ///   - fetch: Fetches the records of a supported query.
  /// - Returns: The records; `nil` if the store finds records only by their ids.
  /// - Throws: The errors of `fetch`, and those of ``check(_:ids:)`` for its answers.
  package func records(
    by support: QuerySupport<R>, isWhole: (RecordQuery) -> Bool,
    fetching fetch: (RecordQuery) async throws -> PartialAnswer<R>
  ) async throws -> PartialAnswer<R>? {
    switch support {
    case .complete: return try await fetch(self)
    case .part(let part):
      if let end, !order.isEmpty, part.hasOrder(of: self) {
        return try await records(from: part, upTo: end, isWhole, fetch)
      }
      let all = try await fetch(part.batch(after: part.start, upTo: nil))
      return PartialAnswer(try answer(from: all.records), failures: all.failures)
    case .onlyByIDs: return nil
    }
  }

  /// Finds the records of the query among those of another one in the same order, in batches that
  /// grow.
  private func records(
    from part: RecordQuery, upTo end: Int, _ isWhole: (RecordQuery) -> Bool,
    _ fetch: (RecordQuery) async throws -> PartialAnswer<R>
  ) async throws -> PartialAnswer<R> {
    var size = max(end, 16)
    var next = part.batch(after: part.start, upTo: size)
    var (found, failures, ids) = ([R](), [PartialAnswer<R>.Failure](), Set<R.ID>())
    while found.count < end {
      let batch = try await fetch(next)
      try next.check(batch.records)
      // A record may have moved from one batch to a later one.
      found += try selection.matching(in: batch.records).filter { ids.insert($0.id).inserted }
      // The next batch begins after the last record, and so may repeat a failure.
      failures += batch.failures.filter { $0.ref.map { ids.insert($0.id).inserted } ?? true }
      if found.count >= end || batch.records.count + batch.failures.count < size { break }
      let last = batch.records.last.map { SortPosition(of: $0, in: part.order) }
      let following = part.batch(after: last, upTo: size > .max / 2 ? .max : size * 2)
      if last != nil, isWhole(following) {
        next = following
      } else {
        // The store can only begin at the front.
        next = part.batch(after: part.start, upTo: size > .max / 4 ? .max : size * 4)
        (found, failures, ids) = ([], [], [])
      }
      size = next.limit ?? .max
    }
    return PartialAnswer(arranged(found), failures: failures)
  }
}

extension BackingStore {
  /// Fetches the records that a query finds, and those that a plan leads to if the store follows
  /// it.
  func records<R: GraphRecord>(
    for query: RecordQuery<R>, following plan: FetchPlan?
  ) async throws -> (PartialAnswer<R>, related: [any FetchedRecords]) {
    do {
      if let plan, case .complete = support(for: query),
        let graph = try await fetch(query, following: plan)
      {
        return (PartialAnswer(graph.records), graph.related)
      }
    } catch let partial as PartialAnswer<R> {
      return (partial, [])
    }
    return (try await records(for: query), [])
  }

  /// Fetches the records that a query finds, whatever part of it the store supports.
  package func records<R: GraphRecord>(
    for query: RecordQuery<R>
  ) async throws -> PartialAnswer<R> {
    let support = support(for: query)
    var calls = 0
    let answer = try await query.records(
      by: support, isWhole: { self.support(for: $0).isWhole },
      fetching: { part in
        calls += 1
        return try await partialAnswer(to: part)
      })
    guard let answer else {
      throw KinshipError.misuse(
        .unsupported(
          store: String(describing: Self.self), operation: "a query for \(R.recordName)"))
    }
    if case .part(let part) = support {
      QueryTrace.record {
        $0.isFilteredByStore = false
        $0.storeFilter = part.filter.isAll ? nil : "\(part.filter.condition)"
        $0.storeCalls += max(0, calls - 1)
      }
    }
    return answer
  }

  /// Returns whether the store can count the records of a query; nobody counts from a position on.
  private func canCount<R: GraphRecord>(_ query: RecordQuery<R>) -> Bool {
    query.start == nil && support(for: query).isWhole
  }

  /// Counts the records that a query finds, whatever part of it the store supports.
  func count<R: GraphRecord>(for query: RecordQuery<R>) async throws -> Int {
    canCount(query) ? try await count(query) : try await records(for: query).get().count
  }

  /// Finds the refs that a query finds, whatever part of it the store supports.
  func refs<R: GraphRecord>(for query: RecordQuery<R>) async throws -> [Ref<R>] {
    support(for: query).isWhole
      ? try await refs(query) : try await records(for: query).get().map { $0.ref }
  }

  /// Counts the values that a query finds, whatever part of it the store supports.
  func count<R: GraphRecord, Value: Hashable & Sendable>(
    for query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    if canCount(query) { return try await count(query, groupedBy: property) }
    return ValueCounts(of: property, in: try await records(for: query).get()).dictionary
  }
}
