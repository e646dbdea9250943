/// A list of records, as an observer follows it.
struct ListSubject<R: GraphRecord>: Subject {
  let observation: ListObservation<R>
  private(set) var list: ObservedList<R>

  init(_ ids: [R.ID], _ observation: ListObservation<R>) {
    (self.observation, list) = (observation, ObservedList(ids))
  }

  var title: String { list.ids.count == 1 ? "a record" : "\(list.ids.count) records" }
  var type: String? { R.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[R], ListDiff<R>>) {
    let (observer, marks) = try await cache.startObserver(of: list.ids, R.self)
    list.apply(marks)
    return (observer, list.first())
  }

  var isBehind: Bool { !list.records.unknown.isEmpty }

  /// Returns the next change.
  ///
  /// Records that change or are dropped faster than they are loaded are shown as they were loaded;
  /// otherwise they would never be shown.
  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<R>
  ) async throws -> ObservedChange<[R], ListDiff<R>>? {
    var rounds = 0
    repeat {
      rounds += 1
      try await observer.cache.loadUnknown(&list.records)
      observation.apply(await observer.cache.drainMarks(of: observer, R.self), &list)
    } while isBehind && rounds < 4
    return observation.next(comparison, &list)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await cache.reload(list.ids, of: R.self, freshness)
  }
}

extension GraphCache {
  /// Registers an observer of records, and returns their current state.
  func startObserver<R: GraphRecord>(
    of ids: [R.ID], _ type: R.Type
  ) throws(KinshipError) -> (Observer, Marks<R.ID, R>) {
    let number = try schema.requiredNumber(of: type)
    try R.requireStable(ids: ids)
    let observer = startObserver(.records([IDs(ids, of: number)]))
    return (observer, currentMarks(ids, of: type))
  }
}
