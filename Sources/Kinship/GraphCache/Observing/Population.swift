/// The records of a type, or of all types: what an observer follows that names no records.
protocol Population: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype Value: Sendable

  func interest(of cache: GraphCache) throws(KinshipError) -> ObserverRegistry.Interest

  /// Takes what an observer has not heard of.
  func take(_ observer: Observer, from cache: isolated GraphCache) -> Marks<Key, Value>

  /// All records in memory, as if they had been written just now, and what is known of others.
  ///
  /// - Parameters:
  ///   - known: The records that the observer has shown.
  ///   - loss: Why it must compare them.
  ///   - cache: The cache.
  /// - Returns: The marks to go on with.
  func survey(
    _ known: [Key], after loss: Marks<Key, Value>.Loss, in cache: isolated GraphCache
  ) -> Marks<Key, Value>

  /// Reads records again.
  func find(_ keys: [Key], in cache: GraphCache) async throws -> [Value?]
}

extension Population {
  /// What an observer starts with, at one moment.
  func start(_ observer: Observer, in cache: isolated GraphCache) -> Marks<Key, Value> {
    _ = take(observer, from: cache)
    return survey([], after: .overflow, in: cache)
  }
}

/// The records of one type.
struct TypePopulation<R: GraphRecord>: Population {
  func interest(of cache: GraphCache) throws(KinshipError) -> ObserverRegistry.Interest {
    .type(try cache.schema.requiredNumber(of: R.self))
  }

  func take(_ observer: Observer, from cache: isolated GraphCache) -> Marks<R.ID, R> {
    cache.takeMarks(observer, of: R.self)
  }

  func survey(
    _ known: [R.ID], after loss: Marks<R.ID, R>.Loss, in cache: isolated GraphCache
  ) -> Marks<R.ID, R> {
    var marks = Marks<R.ID, R>()
    cache.forEachRecord(of: R.self) { marks.byKey[$0.id] = .written($0) }
    for id in known where marks.byKey[id] == nil {
      marks.byKey[id] = cache.markOfAbsent(id, of: R.self, isReset: loss == .reset)
    }
    return marks
  }

  func find(_ keys: [R.ID], in cache: GraphCache) async throws -> [R?] {
    try await cache.find(keys.map { Ref<R>($0) })
  }
}

/// The records of all types.
struct WholePopulation: Population {
  func interest(of cache: GraphCache) -> ObserverRegistry.Interest { .everything }

  func take(_ observer: Observer, from cache: isolated GraphCache) -> Marks<AnyRef, any GraphRecord>
  {
    cache.takeMarks(observer)
  }

  func survey(
    _ known: [AnyRef], after loss: Marks<AnyRef, any GraphRecord>.Loss,
    in cache: isolated GraphCache
  ) -> Marks<AnyRef, any GraphRecord> {
    var marks = Marks<AnyRef, any GraphRecord>()
    func survey<R: GraphRecord>(_ type: R.Type) {
      cache.forEachRecord(of: type) { marks.byKey[AnyRef($0.ref)] = .written($0) }
    }
    func absent<R: GraphRecord>(_ type: R.Type, _ ref: AnyRef) {
      guard let id = ref.as(type)?.id else { return }
      let mark: Mark<R>? = cache.markOfAbsent(id, of: type, isReset: loss == .reset)
      if case .removed = mark { marks.byKey[ref] = .removed }
      if case .unknown = mark { marks.byKey[ref] = .unknown }
    }
    for type in cache.schema.types { survey(type) }
    for ref in known where marks.byKey[ref] == nil { absent(ref.type, ref) }
    return marks
  }

  func find(_ keys: [AnyRef], in cache: GraphCache) async throws -> [(any GraphRecord)?] {
    var found: [AnyRef: any GraphRecord] = [:]
    for (_, refs) in Dictionary(grouping: keys, by: { ObjectIdentifier($0.type) }) {
      guard let type = refs.first?.type else { continue }
      for record in try await find(type, refs, in: cache) {
        found[AnyRef(to: record)] = record
      }
    }
    return keys.map { found[$0] }
  }

  private func find<R: GraphRecord>(
    _ type: R.Type, _ refs: [AnyRef], in cache: GraphCache
  ) async throws -> [any GraphRecord] {
    try await cache.find(refs.compactMap { $0.as(type) }).compactMap { $0 }
  }
}

extension GraphCache {
  /// Calls a closure for each record of a type in memory, without a trace.
  ///
  /// Nothing is written meanwhile, for it runs on the actor.
  func forEachRecord<R: GraphRecord>(of type: R.Type, _ body: (R) -> Void) {
    guard let number = schema.number(of: type) else { return }
    var page = 0
    while true {
      // In portions, so that `peek` never waits for long.
      let records = state.withLock { state -> [R]? in
        guard page < state.map.pages.headers.count else { return nil }
        let end = min(page + 16, state.map.pages.headers.count)
        defer { page = end }
        return state.map.records(of: type, number: number, inPages: page..<end)
      }
      guard let records else { return }
      for record in records { body(record) }
    }
  }

  /// What is known of a record that an observer has shown and that is not in memory.
  func markOfAbsent<R: GraphRecord>(_ id: R.ID, of type: R.Type, isReset: Bool) -> Mark<R>? {
    if state.withLock({ $0.map.isMissing(id, as: type) }) { return .removed }
    // Without a store, what was evicted cannot be read again: it stays what it was.
    return store != nil || isReset ? .unknown : nil
  }
}
