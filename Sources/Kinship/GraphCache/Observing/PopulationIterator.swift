/// Follows a population: the iterator behind the changes of a type and of everything.
struct PopulationIterator<Followed: Population> {
  /// What an element shows.
  typealias Change = (value: [Followed.Key: Followed.Value], diff: RecordDiff<Followed.Value>)

  let cache: GraphCache
  let population: Followed
  let comparison: Comparison<Followed.Value>
  private var records = TrackedRecords<Followed.Key, Followed.Value>(nil)
  private var observer: Observer?
  private var isFinished = false

  init(cache: GraphCache, population: Followed, comparison: Comparison<Followed.Value>) {
    self.cache = cache
    self.population = population
    self.comparison = comparison
  }

  mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws -> Change? {
    if isFinished || Task.isCancelled { return finish() }
    do {
      guard let observer else {
        let observer = cache.startObserver(try population.interest(of: cache))
        self.observer = observer
        records.apply(await population.start(observer, in: cache))
        return show(records.difference(comparison).diff)
      }
      while true {
        try await load()
        try await take(observer)
        if !records.unknown.isEmpty { continue }
        if !records.shown.isEmpty {
          let (diff, counts) = records.difference(comparison)
          if counts { return show(diff) }
        }
        guard await cache.waitForChange(observer) else { return finish() }
      }
    } catch is CancellationError {
      return finish()
    }
  }

  private mutating func take(
    _ observer: Observer, isolation actor: isolated (any Actor)? = #isolation
  ) async throws {
    let marks = await population.take(observer, from: cache)
    records.apply(marks)
    if let loss = marks.loss {
      records.apply(await population.survey(Array(records.latest.keys), after: loss, in: cache))
    }
  }

  private mutating func load(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws {
    // In portions: what is being loaded stays in memory until all of it is there.
    while !records.unknown.isEmpty {
      let keys = Array(records.unknown.prefix(256))
      let found = try await population.find(keys, in: cache)
      for (key, record) in zip(keys, found) { records.resolve(key, record) }
    }
  }

  private mutating func show(_ diff: RecordDiff<Followed.Value>) -> Change {
    records.settle()
    return (records.latest, diff)
  }

  /// Leaves nothing behind.
  private mutating func finish() -> Change? {
    isFinished = true
    observer = nil
    return nil
  }
}
