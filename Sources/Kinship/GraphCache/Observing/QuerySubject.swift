/// The result of a query, as an observer follows it.
struct QuerySubject<R: GraphRecord>: Subject {
  private let query: RecordQuery<R>
  private var observed: ObservedQuery<R>
  /// The query's conditions on related records.
  private var conditions: [any FollowedCondition<R>] = []
  /// Whether a condition has changed since the query was run.
  private var isOutdated = false
  /// The phase that the cache knows; after marks were taken, perhaps a wider one.
  private var phase = QueryPhase.asking

  init(_ query: RecordQuery<R>) {
    self.query = query
    observed = ObservedQuery(query)
  }

  var title: String { "a query, \(query.outline)" }
  var type: String? { R.recordName }
  var related: [Observer] { conditions.flatMap { $0.observers } }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<ResultList<R>, ListDiff<R>>) {
    (observed, phase) = (ObservedQuery(query), .asking)
    conditions = query.filter.related.map { Self.following($0) }
    let number = try cache.schema.requiredNumber(of: R.self)
    if let (observer, answer) = try await cache.claimAnswer(to: query, number) {
      let found = try await cache.findUnrecorded(answer.ids.map { Ref<R>($0) })
      try observed.apply(restored: found.compactMap { $0 }, of: answer)
      if let change = try await next(observer, RecordComparison()) { return (observer, change) }
    }
    // The conditions are not evaluated yet: this is the part of the filter without them.
    let observer = cache.startObserver(
      .query(number, query.filter.scan, key: query.total.answerKey))
    while true {
      if let change = try await next(observer, RecordComparison()) { return (observer, change) }
    }
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<R>
  ) async throws -> ObservedChange<ResultList<R>, ListDiff<R>>? {
    let cache = observer.cache
    var isBehind = false
    repeat {
      try await followConditions(observer)
      let hasAsked = try await ask(observer)
      // Until it is known which records match, the observer listens to all.
      if hasAsked || phase != .following { enter(.asking, observer) }
      try await applyMarks(observer)
      // Records that must still be read may match too.
      enter(observed.isWanting ? .asking : .following, observer)
      // The answer may be of another moment than the earlier news, and this news of another than
      // the conditions.
      isBehind = hasAsked || observed.isWanting
      if !isBehind, !conditions.isEmpty { isBehind = await cache.hasMarks(related) }
    } while isBehind
    // Q3: the answer and all changes are of one moment now.
    return observed.next(comparison)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    _ = try await cache.refresh(query)
    return .zero
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
    guard isOutdated, !conditions.isEmpty else { return }
    let filters = conditions.compactMap { $0.filter }
    observed.ask(query.asking(for: query.filter.resolved(filters)))
    isOutdated = false
    // Earlier news were selected by the old conditions; the answer includes them.
    enter(.answering, observer)
    try await applyMarks(observer)
  }

  /// Takes and applies the marks of an observer.
  private nonisolated(nonsending) mutating func applyMarks(_ observer: Observer) async throws {
    let marks = await observer.cache.drainMarks(of: observer, R.self)
    // The observer listens to what `InterestIndex.drainMarks` decides.
    if !marks.isEmpty, phase == .following { phase = .applying }
    try observed.apply(marks)
  }

  /// Reports a phase to the cache, and the records that were found or lost since the last one.
  private mutating func enter(_ new: QueryPhase, _ observer: Observer) {
    let members = observed.takeMembers()
    if new == phase, members.isEmpty { return }
    phase = new
    let cache = observer.cache
    guard let number = cache.schema.number(of: R.self) else { return }
    cache.state.withLock {
      $0.observers.changeMembers(of: observer.id, R.self, number: number, members, new)
    }
  }

  /// Fetches the missing records.
  private nonisolated(nonsending) mutating func ask(_ observer: Observer) async throws -> Bool {
    let cache = observer.cache
    var hasAsked = false
    while true {
      switch observed.need {
      case .nothing: return hasAsked
      case .answer(let query):
        enter(.answering, observer)
        try observed.apply(answer: try await cache.records(for: query), to: query)
      case .more(let query):
        enter(.asking, observer)
        try observed.apply(answer: try await cache.records(for: query), to: query)
      case .records(let ids):
        enter(.asking, observer)
        let found = try await cache.findUnrecorded(ids.map { Ref<R>($0) })
        try observed.apply(zip(ids, found).map { ($0, $1) })
      }
      hasAsked = true
    }
  }
}
