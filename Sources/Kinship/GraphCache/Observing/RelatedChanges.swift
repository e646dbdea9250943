/// The changes of the records that a record refers to, as an asynchronous sequence.
///
/// It is made by `observe(_:_:)` with a ref and one of its type's relationships. Each iteration is an
/// observer of its own, from its first element to its last.
public struct RelatedChanges<Source: GraphRecord, Target: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the related records.
  public typealias Element = ListChange<Target>
  /// A load may fail.
  public typealias Failure = any Error

  let cache: GraphCache
  let source: Source.ID
  let refs: @Sendable (Source) -> [Ref<Target>]
  var comparison = Comparison<Target>()

  init(
    cache: GraphCache, source: Source.ID, refs: @escaping @Sendable (Source) -> [Ref<Target>]
  ) {
    self.cache = cache
    self.source = source
    self.refs = refs
  }

  /// Only changes of chosen properties of the related records make an element.
  ///
  /// An element brings everything up to date, the other properties too. That a record is there, is
  /// there no longer, or has moved always counts.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The changes of these properties.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<Target, each Property> & Sendable
  ) -> RelatedChanges {
    var changes = self
    changes.comparison = .filter(by: repeat each paths)
    return changes
  }

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(cache: cache, refs: refs, comparison: comparison, source: source)
  }

  /// Observes the relationship for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    let cache: GraphCache
    let refs: @Sendable (Source) -> [Ref<Target>]
    let comparison: Comparison<Target>
    private let id: Source.ID
    private var source: TrackedRecords<Source.ID, Source>
    private var targets = ObservedList<Target>([])
    private var observer: Observer?
    private var isFinished = false

    init(
      cache: GraphCache, refs: @escaping @Sendable (Source) -> [Ref<Target>],
      comparison: Comparison<Target>, source: Source.ID
    ) {
      self.cache = cache
      self.refs = refs
      self.comparison = comparison
      id = source
      self.source = TrackedRecords([source])
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:)-([Ref<R>])`` throws. The sequence does not end by it: the
    ///   next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> ListChange<Target>? {
      if isFinished || Task.isCancelled { return finish() }
      do {
        guard let observer else { return try await first() }
        while true {
          try await load()
          try await take(observer)
          if !source.unknown.isEmpty || !targets.records.unknown.isEmpty { continue }
          if let change = targets.next(comparison) { return change }
          guard await cache.waitForChange(observer) else { return finish() }
        }
      } catch is CancellationError {
        return finish()
      }
    }

    private mutating func first(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> ListChange<Target> {
      let (observer, known) = try await cache.startObserver(of: id, refs)
      self.observer = observer
      apply(known)
      return targets.first(isLoading: !source.unknown.isEmpty)
    }

    private mutating func take(
      _ observer: Observer, isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
      apply(
        try await cache.takeMarks(
          observer, of: id, source.latest[id], targets.ids, refs))
    }

    private mutating func apply(_ known: RelatedMarks<Source, Target>) {
      source.apply(known.source)
      targets.follow(known.targetIDs)
      targets.apply(known.targets)
    }

    private mutating func load(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
      if !source.unknown.isEmpty {
        source.resolve(id, try await cache.find(Ref<Source>(id)))
      }
      let ids = Array(targets.records.unknown)
      if ids.isEmpty { return }
      let found = try await cache.find(ids.map { Ref<Target>($0) })
      for (id, record) in zip(ids, found) { targets.records.resolve(id, record) }
    }

    /// Leaves nothing behind.
    private mutating func finish() -> ListChange<Target>? {
      isFinished = true
      observer = nil
      return nil
    }
  }
}

/// What an observer of a relationship has not heard of: of the record and of those it refers to.
struct RelatedMarks<Source: GraphRecord, Target: GraphRecord>: Sendable {
  var source: Marks<Source.ID, Source>
  var targetIDs: [Target.ID]
  var targets: Marks<Target.ID, Target>
}

extension GraphCache {
  /// Registers an observer of a relationship and tells what is known at this moment.
  func startObserver<Source: GraphRecord, Target: GraphRecord>(
    of id: Source.ID, _ refs: @Sendable (Source) -> [Ref<Target>]
  ) throws(KinshipError) -> (Observer, RelatedMarks<Source, Target>) {
    let number = try schema.requiredNumber(of: Source.self)
    let observer = startObserver(.records([IDs([id], of: number)]))
    // As if the record had been written just now.
    let source = glance(CollectionOfOne(id), of: Source.self)
    return (observer, try related(observer, source, of: id, known: nil, targetIDs: [], refs))
  }

  /// Takes what an observer of a relationship has not heard of, and lets it go on with the records
  /// that the relationship leads to by now.
  func takeMarks<Source: GraphRecord, Target: GraphRecord>(
    _ observer: Observer, of id: Source.ID, _ known: Source?, _ targetIDs: [Target.ID],
    _ refs: @Sendable (Source) -> [Ref<Target>]
  ) throws(KinshipError) -> RelatedMarks<Source, Target> {
    try related(
      observer, takeMarks(observer, of: Source.self), of: id, known: known, targetIDs: targetIDs,
      refs)
  }

  private func related<Source: GraphRecord, Target: GraphRecord>(
    _ observer: Observer, _ source: Marks<Source.ID, Source>, of id: Source.ID, known: Source?,
    targetIDs: [Target.ID], _ refs: @Sendable (Source) -> [Ref<Target>]
  ) throws(KinshipError) -> RelatedMarks<Source, Target> {
    // One type on both sides: what is taken for one side is there for the other.
    var targets =
      source as? Marks<Target.ID, Target> ?? takeMarks(observer, of: Target.self)
    let current: Source? =
      switch source.byKey[id] {
      case .written(let record), .loaded(let record): record
      case .removed: nil
      case .unknown, nil: known
      }
    let ids = current.map { refs($0).map { $0.id } } ?? []
    if ids != targetIDs {
      let lists = [
        IDs([id], of: try schema.requiredNumber(of: Source.self)),
        IDs(ids, of: try schema.requiredNumber(of: Target.self)),
      ]
      let interest = ObserverRegistry.Interest.records(
        Source.self == Target.self ? [Source.distinct(lists, of: lists[0].type)] : lists)
      state.withLock { $0.observers.change(observer.id, to: interest) }
      // What has just come into view shows what is known of it.
      let new = Set(ids).subtracting(targetIDs)
      targets.byKey.merge(glance(new, of: Target.self).byKey) { _, new in new }
    }
    return RelatedMarks(source: source, targetIDs: ids, targets: targets)
  }
}
