/// The records of a population, as an observer follows them.
struct PopulationSubject<Followed: Population>: Subject {
  typealias Value = [Followed.Key: Followed.Value]
  typealias Diff = RecordDiff<Followed.Value>

  let population: Followed
  private var records = TrackedRecords<Followed.Key, Followed.Value>(nil)

  init(_ population: Followed) { self.population = population }

  var title: String { type == nil ? "all that is in memory" : "all in memory" }
  var type: String? { population.type }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, Diff>) {
    let observer = cache.startObserver(try population.interest(of: cache))
    let all = await population.start(observer, in: cache)
    population.begin(with: all, &records)
    return (observer, show(RecordDiff(inserted: all)))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Followed.Value>
  ) async throws -> ObservedChange<Value, Diff>? {
    repeat {
      try await loadUnknown(from: observer.cache)
      let marks = await population.take(observer, from: observer.cache)
      if let diff = population.takeIn(marks, comparison, &records) {
        return diff.isEmpty ? nil : show(diff)
      }
      records.apply(marks)
      if let loss = marks.loss {
        let known = Array(records.latest.keys)
        records.apply(await population.survey(known, after: loss, in: observer.cache))
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
      let found = try await population.find(keys, in: cache)
      for (key, record) in zip(keys, found) { records.resolve(key, record) }
    }
  }

  private mutating func show(_ diff: Diff) -> ObservedChange<Value, Diff> {
    records.noteShown()
    return ObservedChange(value: records.latest, diff: diff)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await population.reload(in: cache, freshness)
  }
}
