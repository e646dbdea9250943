/// The changes of a query's result, as an asynchronous sequence.
///
/// Create it with ``GraphCache/observe(_:)-(RecordQuery<R>)``. Each iterator observes
/// independently, from its first element to its last.
public struct QueryChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the result.
  public typealias Element = QueryChange<R>
  /// The error of a failed query.
  public typealias Failure = any Error

  let cache: GraphCache
  let query: RecordQuery<R>
  var comparison = RecordComparison<R>()

  /// Limits the elements to changes of the given properties.
  ///
  /// Each element has the current values of all properties. An insertion into the result, a removal
  /// from it or a move always counts as a change.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The filtered changes.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> QueryChanges {
    QueryChanges(cache: cache, query: query, comparison: .filter(by: repeat each paths))
  }

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: ChangeIterator(QuerySubject(query, comparison), in: cache))
  }

  /// Observes the result for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: ChangeIterator<QuerySubject<R>>

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/find(_:from:within:)``. The sequence does not end: the
    ///   next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> QueryChange<R>? {
      try await base.next()
    }
  }
}

/// The result of a query, as an observer follows it.
struct QuerySubject<R: GraphRecord>: Subject {
  private let query: RecordQuery<R>
  private let comparison: RecordComparison<R>
  private var observed: ObservedQuery<R>
  /// The query's conditions on related records.
  private var conditions: [any FollowedCondition<R>] = []
  /// Whether a condition has changed since the query was run.
  private var isOutdated = false

  init(_ query: RecordQuery<R>, _ comparison: RecordComparison<R>) {
    self.query = query
    self.comparison = comparison
    observed = ObservedQuery(query)
  }

  var title: String { "a query, \(query.outline)" }
  var type: String? { R.recordName }
  var related: [Observer] { conditions.flatMap { $0.observers } }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, QueryChange<R>) {
    observed = ObservedQuery(query)
    conditions = query.filter.related?.conditions.map { Self.following($0) } ?? []
    let number = try cache.schema.requiredNumber(of: R.self)
    // The conditions are not evaluated yet: this is the part of the filter without them.
    let observer = cache.startObserver(.query(number, query.filter.scan))
    while true {
      if let change = try await next(observer) { return (observer, change) }
    }
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer
  ) async throws -> QueryChange<R>? {
    let cache = observer.cache
    var isBehind = false
    repeat {
      try await followConditions(observer)
      let hasAsked = try await ask(observer)
      // Until it is known which records match, the observer listens to all.
      cache.changeMembers(of: observer, R.self, observed.takeMembers(), .asking)
      try observed.apply(await cache.takeNews(of: observer, R.self))
      cache.changeMembers(of: observer, R.self, observed.takeMembers(), .following)
      // The answer may be of another moment than the earlier news, and this news of another than
      // the conditions.
      isBehind = hasAsked || observed.isWanting
      if !isBehind, !conditions.isEmpty { isBehind = await cache.hasMarks(related) }
    } while isBehind
    return observed.next(comparison)
  }

  private static func following(
    _ condition: some RelatedCondition<R>
  ) -> any FollowedCondition<R> {
    ConditionSubject(condition)
  }

  /// Follows the conditions on related records, and repeats the query if one has changed.
  private nonisolated(nonsending) mutating func followConditions(
    _ observer: Observer
  ) async throws {
    let cache = observer.cache
    for index in conditions.indices {
      if try await conditions[index].follow(in: cache) { isOutdated = true }
    }
    guard isOutdated, let related = query.filter.related else { return }
    let filters = conditions.compactMap { $0.filter }
    observed.ask(query.asking(for: related.resolved(filters)))
    isOutdated = false
    // Earlier news were selected by the old conditions; the answer includes them.
    cache.changeMembers(of: observer, R.self, observed.takeMembers(), .answering)
    try observed.apply(await cache.takeNews(of: observer, R.self))
  }

  /// Fetches the missing records.
  private nonisolated(nonsending) mutating func ask(_ observer: Observer) async throws -> Bool {
    let cache = observer.cache
    var hasAsked = false
    while true {
      switch observed.need {
      case .nothing: return hasAsked
      case .answer(let query):
        cache.changeMembers(of: observer, R.self, observed.takeMembers(), .answering)
        try observed.take(answer: try await cache.find(query), to: query)
      case .more(let query):
        cache.changeMembers(of: observer, R.self, observed.takeMembers(), .asking)
        try observed.take(answer: try await cache.find(query), to: query)
      case .records(let ids):
        cache.changeMembers(of: observer, R.self, observed.takeMembers(), .asking)
        let found = try await cache.findUnwatched(ids.map { Ref<R>($0) })
        try observed.take(zip(ids, found).map { ($0, $1) })
      }
      hasAsked = true
    }
  }
}

extension GraphCache {
  /// Sets the records that a query's observer has found, and its phase.
  nonisolated func changeMembers<R: GraphRecord>(
    of observer: Observer, _ type: R.Type, _ change: QueryMembers<R.ID>, _ phase: QueryPhase
  ) {
    guard let number = schema.number(of: R.self) else { return }
    state.withLock {
      $0.observers.changeMembers(of: observer.id, R.self, number: number, change, phase)
    }
  }
}
