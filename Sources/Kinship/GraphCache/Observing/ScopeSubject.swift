/// The records of a scope, as an observer follows them.
struct ScopeSubject<Followed: ObservedScope>: Subject {
  typealias Value = [Followed.Key: Followed.Value]
  typealias Diff = RecordDiff<Followed.Value>

  let scope: Followed
  private var records = TrackedRecords<Followed.Key, Followed.Value>(nil)

  init(_ scope: Followed) { self.scope = scope }

  var title: String { type == nil ? "all that is in memory" : "all in memory" }
  var type: String? { scope.type }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, Diff>) {
    let observer = cache.startObserver(try scope.interest(of: cache))
    let all = await scope.start(observer, in: cache)
    scope.addFirst(all, &records)
    return (observer, show(RecordDiff(inserted: all)))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Followed.Value>
  ) async throws -> ObservedChange<Value, Diff>? {
    repeat {
      try await loadUnknown(from: observer.cache)
      let marks = await scope.drainMarks(observer, from: observer.cache)
      if let diff = scope.applyAtOnce(marks, comparison, &records) {
        return diff.isEmpty ? nil : show(diff)
      }
      records.apply(marks)
      if let loss = marks.loss {
        let known = Array(records.latest.keys)
        records.apply(await scope.marksOfAll(known, isReset: loss == .reset, in: observer.cache))
      }
    } while !records.unknown.isEmpty
    if records.shown.isEmpty { return nil }
    let (diff, counts) = records.difference(comparison)
    return counts ? show(diff) : nil
  }

  private nonisolated(nonsending) mutating func loadUnknown(from cache: GraphCache) async throws {
    // In chunks: records being loaded stay in memory until all of them have arrived.
    while !records.unknown.isEmpty {
      let keys = Array(records.unknown.prefix(Chunk.medium))
      let found = try await scope.find(keys, in: cache)
      for (key, record) in zip(keys, found) { records.resolve(key, record) }
    }
  }

  private mutating func show(_ diff: Diff) -> ObservedChange<Value, Diff> {
    records.markShown()
    return ObservedChange(value: records.latest, diff: diff)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await scope.reload(in: cache, freshness)
  }
}
