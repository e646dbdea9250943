/// The records that a record refers to, as an observer follows them.
struct RelationshipSubject<Source: GraphRecord, Target: GraphRecord>: Subject {
  private let id: Source.ID
  private let refs: @Sendable (Source) -> [Ref<Target>]
  private var source: TrackedRecords<Source.ID, Source>
  private var targets = ObservedList<Target>([])

  init(_ source: Source.ID, _ refs: @escaping @Sendable (Source) -> [Ref<Target>]) {
    id = source
    self.refs = refs
    self.source = TrackedRecords([source])
  }

  var title: String { "what \(Ref<Source>(id)) refers to" }
  var type: String? { Target.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[Target], ListDiff<Target>>) {
    let observer = cache.startObserver(.records([]))
    apply(try await takeMarks(observer, isFirst: true, in: cache))
    return (observer, targets.first(isLoading: !source.unknown.isEmpty))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Target>
  ) async throws -> ObservedChange<[Target], ListDiff<Target>>? {
    repeat {
      try await observer.cache.loadUnknown(&source)
      try await observer.cache.loadUnknown(&targets.records)
      apply(try await takeMarks(observer, isFirst: false, in: observer.cache))
    } while !source.unknown.isEmpty || !targets.records.unknown.isEmpty
    return targets.next(comparison)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    let sources = try await cache.findDatedUnrecorded([Ref<Source>(id)], freshness)
    guard let record = sources[0] else { return .zero }
    let age = try await cache.reload(refs(record.value).map { $0.id }, of: Target.self, freshness)
    return max(record.age, age)
  }

  /// The ids that the record refers to, and the marks on it and on their records.
  private typealias News = (
    source: Marks<Source.ID, Source>, ids: [Target.ID], targets: Marks<Target.ID, Target>
  )

  private mutating func apply(_ news: News) {
    source.apply(news.source)
    targets.follow(news.ids)
    targets.apply(news.targets)
  }

  /// Takes an observer's marks, and makes it follow the records that the relationship refers to
  /// now; at first, the record is marked as if it had just been written.
  private func takeMarks(
    _ observer: Observer, isFirst: Bool, in cache: isolated GraphCache
  ) throws(KinshipError) -> News {
    let source =
      isFirst
      ? cache.currentMarks(CollectionOfOne(id), of: Source.self)
      : cache.drainMarksOnActor(observer, of: Source.self)
    // If both sides have one type, taking marks for one side takes those for the other.
    var targets =
      source as? Marks<Target.ID, Target> ?? cache.drainMarksOnActor(observer, of: Target.self)
    let current: Source? =
      switch source.byKey[id] {
      case .written(let record), .loaded(let record): record
      case .removed: nil
      case .unknown, nil: self.source.latest[id]
      }
    let ids = current.map { refs($0).map { $0.id } } ?? []
    if isFirst || ids != self.targets.ids {
      let lists = [
        IDs([id], of: try cache.schema.requiredNumber(of: Source.self)),
        IDs(ids, of: try cache.schema.requiredNumber(of: Target.self)),
      ]
      let interest = ObserverRegistry.Interest.records(
        Source.self == Target.self ? [Source.distinct(lists, of: lists[0].type)] : lists)
      cache.state.withLock { $0.observers.setInterest(of: observer.id, to: interest) }
      // A newly referenced record starts with its current state.
      let new = Set(ids).subtracting(self.targets.ids)
      targets.byKey.merge(cache.currentMarks(new, of: Target.self).byKey) { _, new in new }
    }
    return (source, ids, targets)
  }
}
