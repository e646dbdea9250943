/// The records that refer to one, as an observer follows them.
struct ReferrerSubject<Target: GraphRecord, Source: GraphRecord>: Subject {
  private let ref: Ref<Target>
  private let inverse: Inverse<Target, Source>
  private var sources = ObservedList<Source>([])

  init(_ ref: Ref<Target>, _ inverse: Inverse<Target, Source>) {
    (self.ref, self.inverse) = (ref, inverse)
  }

  var title: String { "what refers to \(ref)" }
  var type: String? { Source.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[Source], ListDiff<Source>>) {
    let number = try cache.schema.requiredNumber(of: Source.self)
    let observer = cache.startObserver(.records([], types: [number]))
    try await readReferrers(observer)
    return (observer, sources.first(isLoading: false))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Source>
  ) async throws -> ObservedChange<[Source], ListDiff<Source>>? {
    try await readReferrers(observer)
    return sources.next(comparison)
  }

  /// Reads which records refer to the record now.
  private nonisolated(nonsending) mutating func readReferrers(_ observer: Observer) async throws {
    let cache = observer.cache
    let marks = await cache.drainMarks(of: observer, Source.self)
    let found = try await cache.referrers(to: ref, inverse)
    var news = Marks<Source.ID, Source>()
    for record in found {
      if case .written = marks.byKey[record.id] {
        news.byKey[record.id] = .written(record)
      } else {
        news.byKey[record.id] = .loaded(record)
      }
    }
    sources.follow(found.map { $0.id })
    sources.apply(news)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    let found = try await cache.referrers(to: ref, inverse)
    return try await cache.reload(found.map { $0.id }, of: Source.self, freshness)
  }
}
