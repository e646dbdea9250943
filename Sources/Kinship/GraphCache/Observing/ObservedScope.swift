/// The records of a type, or of all types, as followed by an observer that names no records.
protocol ObservedScope: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype Value: Sendable

  /// The name of the record type, if there is exactly one.
  var type: String? { get }

  func interest(of cache: GraphCache) throws(KinshipError) -> ObserverRegistry.Interest

  /// Returns all records in memory.
  func all(in cache: isolated GraphCache) -> [Value]

  /// Adds the records that an observer starts with.
  func addFirst(_ all: [Value], _ records: inout TrackedRecords<Key, Value>)

  /// Removes and returns an observer's marks.
  func drainMarks(_ observer: Observer, from cache: isolated GraphCache) -> Marks<Key, Value>

  /// Applies marks, and returns the change if nothing else is left to show.
  func applyAtOnce(
    _ marks: Marks<Key, Value>, _ comparison: RecordComparison<Value>,
    _ records: inout TrackedRecords<Key, Value>
  ) -> RecordDiff<Value>?

  /// Returns marks for all records in memory as if they had just been written, and for other known
  /// ones.
  ///
  /// - Parameters:
  ///   - known: The records that the observer has shown.
  ///   - isReset: Whether everything may have changed.
  ///   - cache: The cache.
  /// - Returns: The marks to continue with.
  func marksOfAll(
    _ known: [Key], isReset: Bool, in cache: isolated GraphCache
  ) -> Marks<Key, Value>

  /// Reloads records.
  func find(_ keys: [Key], in cache: GraphCache) async throws -> [Value?]

  /// Reloads the records in memory that are too old, and returns the age of the oldest one.
  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration
}

extension ObservedScope {
  /// Returns the records that an observer starts with, at one moment.
  func start(_ observer: Observer, in cache: isolated GraphCache) -> [Value] {
    _ = drainMarks(observer, from: cache)
    return all(in: cache)
  }
}

/// The records of one type.
struct TypeScope<R: GraphRecord>: ObservedScope {
  let observation: TypeObservation<R>

  var type: String? { R.recordName }

  func interest(of cache: GraphCache) throws(KinshipError) -> ObserverRegistry.Interest {
    .type(try cache.schema.requiredNumber(of: R.self), observation)
  }

  func all(in cache: isolated GraphCache) -> [R] {
    var all: [R] = []
    cache.forEachChunk(of: R.self) { all += $0 }
    return all
  }

  func addFirst(_ all: [R], _ records: inout TrackedRecords<R.ID, R>) {
    observation.addFirst(all, &records)
  }

  func applyAtOnce(
    _ marks: Marks<R.ID, R>, _ comparison: RecordComparison<R>,
    _ records: inout TrackedRecords<R.ID, R>
  ) -> RecordDiff<R>? {
    observation.applyAtOnce(marks, comparison, &records)
  }

  func drainMarks(_ observer: Observer, from cache: isolated GraphCache) -> Marks<R.ID, R> {
    cache.drainMarksOnActor(observer, of: R.self)
  }

  func marksOfAll(
    _ known: [R.ID], isReset: Bool, in cache: isolated GraphCache
  ) -> Marks<R.ID, R> {
    var marks = Marks<R.ID, R>()
    cache.forEachChunk(of: R.self) {
      for record in $0 { marks.byKey[record.id] = .written(record) }
    }
    for id in known where marks.byKey[id] == nil {
      marks.byKey[id] = cache.markOfAbsent(id, of: R.self, isReset: isReset)
    }
    return marks
  }

  func find(_ keys: [R.ID], in cache: GraphCache) async throws -> [R?] {
    try await cache.findUnrecorded(keys.map { Ref<R>($0) })
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await cache.reload(allOf: R.self, freshness)
  }
}

/// The records of all types.
struct AllTypesScope: ObservedScope {
  var type: String? { nil }

  func interest(of cache: GraphCache) -> ObserverRegistry.Interest { .everything }

  func all(in cache: isolated GraphCache) -> [any GraphRecord] {
    var all: [any GraphRecord] = []
    func add<R: GraphRecord>(_ type: R.Type) {
      cache.forEachChunk(of: type) { for record in $0 { all.append(record) } }
    }
    for type in cache.schema.types { add(type) }
    return all
  }

  func addFirst(
    _ all: [any GraphRecord], _ records: inout TrackedRecords<AnyRef, any GraphRecord>
  ) {
    records.latest.reserveCapacity(all.count)
    for record in all { records.latest[AnyRef(to: record)] = record }
  }

  func applyAtOnce(
    _ marks: Marks<AnyRef, any GraphRecord>, _ comparison: RecordComparison<any GraphRecord>,
    _ records: inout TrackedRecords<AnyRef, any GraphRecord>
  ) -> RecordDiff<any GraphRecord>? {
    records.applyAtOnce(marks, comparison)
  }

  func drainMarks(_ observer: Observer, from cache: isolated GraphCache) -> Marks<
    AnyRef, any GraphRecord
  > {
    cache.drainMarksOnActor(observer)
  }

  func marksOfAll(
    _ known: [AnyRef], isReset: Bool, in cache: isolated GraphCache
  ) -> Marks<AnyRef, any GraphRecord> {
    var marks = Marks<AnyRef, any GraphRecord>()
    let known = cache.schema.lists(of: known)
    func add<R: GraphRecord>(_ type: R.Type) {
      let scope = TypeScope<R>(observation: TypeObservation(of: type))
      let number = cache.schema.number(of: type)
      let ids = known.first { $0.type == number }?.of(type) ?? []
      let own = scope.marksOfAll(ids, isReset: isReset, in: cache)
      marks.byKey.merge(own.erased.byKey) { _, new in new }
    }
    for type in cache.schema.types { add(type) }
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
    try await cache.findUnrecorded(refs.compactMap { $0.as(type) }).compactMap { $0 }
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var oldest = Duration.zero
    for type in cache.schema.types {
      oldest = max(oldest, try await cache.reload(allOf: type, freshness))
    }
    return oldest
  }
}

extension GraphCache {
  /// Calls a closure for each record of a type in memory, without changing the recency order.
  ///
  /// It runs on the actor, so nothing is written meanwhile.
  func forEachChunk<R: GraphRecord>(of type: R.Type, _ body: ([R]) -> Void) {
    guard let number = schema.number(of: type) else { return }
    for pages in Chunk.ranges(state.withLock { $0.map.pages.headers.count }, of: Chunk.pages) {
      body(state.withLock { $0.map.records(of: type, number: number, inPages: pages) })
    }
  }

  /// Reloads the records of a type in memory that are too old, and returns the age of the oldest.
  func reload<R: GraphRecord>(
    allOf type: R.Type, _ freshness: Freshness
  ) async throws -> Duration {
    var ids: [R.ID] = []
    forEachChunk(of: type) { ids += $0.map(\.id) }
    return try await reload(ids, of: type, freshness)
  }

  /// Returns the state of a record that an observer has shown and that is not in memory.
  func markOfAbsent<R: GraphRecord>(_ id: R.ID, of type: R.Type, isReset: Bool) -> Mark<R>? {
    if state.withLock({ $0.map.isMissing(id, as: type) }) { return .removed }
    // Without a store, an evicted record cannot be loaded again: it keeps its last value.
    return store != nil || isReset ? .unknown : nil
  }
}
