/// The changes of the answer to a query, as an asynchronous sequence.
///
/// It is made by ``GraphCache/observe(_:)-(RecordQuery<R>)``. Each iteration is an observer of its
/// own, from its first element to its last.
public struct QueryChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the answer.
  public typealias Element = QueryChange<R>
  /// A query may fail.
  public typealias Failure = any Error

  let cache: GraphCache
  let query: RecordQuery<R>
  var comparison = RecordComparison<R>()

  /// Only changes of chosen properties make an element.
  ///
  /// An element brings everything up to date, the other properties too. That a record is in the
  /// answer, is there no longer, or has moved always counts.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The changes of these properties.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> QueryChanges {
    QueryChanges(cache: cache, query: query, comparison: .filter(by: repeat each paths))
  }

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: ChangeIterator(QuerySubject(query, comparison), in: cache))
  }

  /// Observes the answer for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: ChangeIterator<QuerySubject<R>>

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:from:within:)`` throws. The sequence does not end by it:
    ///   the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> QueryChange<R>? {
      try await base.next()
    }
  }
}

/// The answer to a query, as an observer follows it.
struct QuerySubject<R: GraphRecord>: Subject {
  private let query: RecordQuery<R>
  private let comparison: RecordComparison<R>
  private var observed: ObservedQuery<R>
  /// The conditions on related records that the query has.
  private var conditions: [any FollowedCondition<R>] = []
  /// Whether one of them has become another since the query was asked.
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
    // What the conditions are is not known yet: this is what they leave whatever they become.
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
      // Until it is known which records are its own by now, everything is heard.
      cache.changeMembers(of: observer, R.self, observed.takeMembers(), .asking)
      try observed.apply(await cache.takeNews(of: observer, R.self))
      cache.changeMembers(of: observer, R.self, observed.takeMembers(), .following)
      // What was asked for may be of another moment than what was heard before, and what was heard
      // here of another than what the conditions are.
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

  /// Takes in what has become of the conditions on related records: if one is another, the query is
  /// asked anew.
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
    // What was heard so far was chosen by conditions that were others: the answer has it.
    cache.changeMembers(of: observer, R.self, observed.takeMembers(), .answering)
    try observed.apply(await cache.takeNews(of: observer, R.self))
  }

  /// Asks for what is wanting.
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
  /// Says which records an observer of a query has found, and what it does.
  nonisolated func changeMembers<R: GraphRecord>(
    of observer: Observer, _ type: R.Type, _ change: QueryMembers<R.ID>, _ phase: QueryPhase
  ) {
    guard let number = schema.number(of: R.self) else { return }
    state.withLock {
      $0.observers.changeMembers(of: observer.id, R.self, number: number, change, phase)
    }
  }
}
