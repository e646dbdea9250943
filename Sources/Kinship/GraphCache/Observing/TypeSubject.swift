/// The records of a type, as an observer follows them.
struct TypeSubject<R: GraphRecord>: Subject {
  private let observation: TypeObservation<R>
  private var records = TrackedRecords<R.ID, R>(nil)

  init(_ observation: TypeObservation<R>) { self.observation = observation }

  var title: String { "all in memory" }
  var type: String? { R.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[R.ID: R], RecordDiff<R>>) {
    let number = try cache.schema.requiredNumber(of: R.self)
    let observer = cache.startObserver(.type(number, observation))
    return (observer, await first(observer))
  }

  /// Returns the records in memory, as the first change of an observer of the type.
  nonisolated(nonsending) mutating func first(
    _ observer: Observer
  ) async -> ObservedChange<[R.ID: R], RecordDiff<R>> {
    let all = await observer.cache.startRecords(of: R.self, for: observer)
    records = TrackedRecords(nil)
    observation.addFirst(all, &records)
    return show(RecordDiff(inserted: all))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<R>
  ) async throws -> ObservedChange<[R.ID: R], RecordDiff<R>>? {
    let cache = observer.cache
    repeat {
      // In chunks: records being loaded stay in memory until all of them have arrived.
      while !records.unknown.isEmpty {
        try await cache.loadUnknown(&records, atMost: Chunk.medium)
      }
      let marks = await cache.drainMarks(of: observer, R.self)
      if let diff = observation.applyAtOnce(marks, comparison, &records) {
        return diff.isEmpty ? nil : show(diff)
      }
      records.apply(marks)
      if let loss = marks.loss {
        let known = Array(records.latest.keys)
        records.apply(await cache.marksOfAll(known, of: R.self, isReset: loss == .reset))
      }
    } while !records.unknown.isEmpty
    if records.shown.isEmpty { return nil }
    let (diff, counts) = records.difference(comparison)
    return counts ? show(diff) : nil
  }

  private mutating func show(_ diff: RecordDiff<R>) -> ObservedChange<[R.ID: R], RecordDiff<R>> {
    records.markShown()
    return ObservedChange(value: records.latest, diff: diff)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await cache.reload(cache.ids(of: R.self), of: R.self, freshness)
  }
}

/// The records of all types, as one observer follows them.
struct AllTypesSubject: Subject {
  private var parts: [any TypePart]
  private var records = TrackedRecords<AnyRef, any GraphRecord>(nil)

  init(_ schema: GraphSchema) {
    func part<R: GraphRecord>(_ type: R.Type) -> any TypePart {
      TypeSubject(TypeObservation(of: type))
    }
    parts = schema.types.map { part($0) }
  }

  var title: String { "all that is in memory" }
  var type: String? { nil }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[AnyRef: any GraphRecord], GraphDiff>) {
    let observer = cache.startObserver(.everything)
    records = TrackedRecords(nil)
    for index in parts.indices { apply(await parts[index].firstOfAll(observer)) }
    if await cache.hasMarks([observer]) { try await settle(observer) }
    return (observer, show(records.difference(RecordComparison()).diff))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<any GraphRecord>
  ) async throws -> ObservedChange<[AnyRef: any GraphRecord], GraphDiff>? {
    try await settle(observer)
    let (diff, counts) = records.difference(comparison)
    return counts ? show(diff) : nil
  }

  /// Applies what is new until nothing is, so that the records of all types are of one version.
  private nonisolated(nonsending) mutating func settle(_ observer: Observer) async throws {
    // Continuous writes could repeat this forever.
    for _ in 0..<64 {
      for index in parts.indices {
        if let diff = try await parts[index].nextOfAll(observer) { apply(diff) }
      }
      guard await observer.cache.hasMarks([observer]) else { return }
    }
  }

  private mutating func apply(_ diff: GraphDiff) {
    for record in diff.removed { records.set(AnyRef(to: record), nil, wasWritten: true) }
    for record in diff.inserted + diff.updated.map(\.new) {
      records.set(AnyRef(to: record), record, wasWritten: true)
    }
  }

  private mutating func show(
    _ diff: GraphDiff
  ) -> ObservedChange<[AnyRef: any GraphRecord], GraphDiff> {
    records.markShown()
    return ObservedChange(value: records.latest, diff: diff)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var oldest = Duration.zero
    for part in parts { oldest = max(oldest, try await part.reload(in: cache, freshness)) }
    return oldest
  }
}

/// The records of one of all types, which have an observer together.
private protocol TypePart: Subject {
  nonisolated(nonsending) mutating func firstOfAll(_ observer: Observer) async -> GraphDiff
  nonisolated(nonsending) mutating func nextOfAll(_ observer: Observer) async throws -> GraphDiff?
}

extension TypeSubject: TypePart {
  fileprivate nonisolated(nonsending) mutating func firstOfAll(
    _ observer: Observer
  ) async -> GraphDiff {
    await first(observer).diff.erased
  }

  fileprivate nonisolated(nonsending) mutating func nextOfAll(
    _ observer: Observer
  ) async throws -> GraphDiff? {
    try await next(observer, RecordComparison())?.diff.erased
  }
}

extension RecordDiff where Element: GraphRecord {
  fileprivate var erased: GraphDiff {
    GraphDiff(
      inserted: inserted, updated: updated.map { GraphDiff.Update(old: $0.old, new: $0.new) },
      removed: removed)
  }
}

extension GraphCache {
  /// Returns the records with which an observer of their type starts.
  fileprivate func startRecords<R: GraphRecord>(of type: R.Type, for observer: Observer) -> [R] {
    _ = drainMarksOnActor(observer, of: type)
    var all: [R] = []
    forEachChunk(of: type) { all += $0 }
    return all
  }

  /// Returns marks for all records of a type in memory as if they had just been written, and for
  /// other known ones.
  ///
  /// - Parameters:
  ///   - known: The records that the observer has shown.
  ///   - type: The record type.
  ///   - isReset: Whether everything may have changed.
  /// - Returns: The marks to continue with.
  fileprivate func marksOfAll<R: GraphRecord>(
    _ known: [R.ID], of type: R.Type, isReset: Bool
  ) -> Marks<R.ID, R> {
    var marks = Marks<R.ID, R>()
    forEachChunk(of: type) { for record in $0 { marks.byKey[record.id] = .written(record) } }
    for id in known where marks.byKey[id] == nil {
      if state.withLock({ $0.map.isMissing(id, as: type) }) {
        marks.byKey[id] = .removed
      } else if store != nil || isReset {
        // Without a store, an evicted record cannot be loaded again: it keeps its last value.
        marks.byKey[id] = .unknown
      }
    }
    return marks
  }

  /// Returns the ids of the records of a type in memory.
  fileprivate func ids<R: GraphRecord>(of type: R.Type) -> [R.ID] {
    var ids: [R.ID] = []
    forEachChunk(of: type) { ids += $0.map(\.id) }
    return ids
  }

  /// Calls a closure for each record of a type in memory, without changing the recency order.
  ///
  /// It runs on the actor, so nothing is written meanwhile.
  private func forEachChunk<R: GraphRecord>(of type: R.Type, _ body: ([R]) -> Void) {
    guard let number = schema.number(of: type) else { return }
    for pages in Chunk.ranges(state.withLock { $0.map.pages.headers.count }, of: Chunk.pages) {
      body(state.withLock { $0.map.records(of: type, number: number, inPages: pages) })
    }
  }
}
