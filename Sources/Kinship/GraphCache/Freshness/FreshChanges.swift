/// The changes of something that is kept fresh for as long as it is observed, as an asynchronous
/// sequence.
///
/// It is made by `keptFresh(within:)` of the other sequences of changes:
///
/// ```swift
/// for try await change in cache.observe(ref).keptFresh(within: .seconds(60)) {
///   show(change.value?.name)
/// }
/// ```
///
/// What is observed is loaded again before it is older than that, and the changes follow. What is
/// equal to what it was makes no element. If the store fails, what is shown stays, and it is asked
/// again after a tenth of the time. Each observer has a moment of its own in the last fifth of it,
/// by chance, so that many do not ask together.
public struct FreshChanges<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = Base.Element
  /// A load may fail.
  public typealias Failure = any Error

  let base: Base
  let upkeep: Upkeep

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), upkeep: upkeep)
  }

  /// Observes, and keeps fresh, for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let upkeep: Upkeep
    private var task: UpkeepTask?

    init(base: Base.AsyncIterator, upkeep: Upkeep) {
      self.base = base
      self.upkeep = upkeep
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What the sequence throws that is kept fresh.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Base.Element? {
      if task == nil { task = UpkeepTask(upkeep) }
      return try await base.next(isolation: actor)
    }
  }
}

/// What is read again and again so that it stays fresh.
struct Upkeep: Sendable {
  let cache: GraphCache
  let limit: Duration
  /// Reads it, and returns how old it is.
  let read: @Sendable (Freshness) async throws -> Duration

  /// Reads until the task is cancelled.
  func run() async {
    let limit = limit * Double.random(in: 0.8...1)
    while !Task.isCancelled {
      var wait = limit / 10
      do {
        let age = try await read(.within(limit))
        wait = max(limit - age, limit / 20)
      } catch {
        // What is shown stays; the next try may succeed.
      }
      do { try await cache.clock.sleep(for: max(wait, .milliseconds(100))) } catch { return }
    }
  }
}

/// Ends what keeps something fresh when nobody refers to it any longer.
private final class UpkeepTask: Sendable {
  private let task: Task<Void, Never>

  init(_ upkeep: Upkeep) {
    task = Task(executorPreference: upkeep.cache.executor) { await upkeep.run() }
  }

  deinit { task.cancel() }
}

extension RecordChanges {
  /// The changes of the record, which is loaded again before it is too old.
  ///
  /// - Parameter limit: How old it may become.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    FreshChanges(base: self, upkeep: list.upkeep(within: limit))
  }
}

extension ListChanges {
  /// The changes of the records, which are loaded again before they are too old.
  ///
  /// - Parameter limit: How old they may become.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    FreshChanges(base: self, upkeep: upkeep(within: limit))
  }

  fileprivate func upkeep(within limit: Duration) -> Upkeep {
    Upkeep(cache: cache, limit: limit) { [cache, ids] freshness in
      oldestAge(try await cache.findDated(ids.map { Ref<R>($0) }, freshness))
    }
  }
}

extension RelatedChanges {
  /// The changes of the related records: these, and the record that refers to them, are loaded
  /// again before they are too old.
  ///
  /// - Parameter limit: How old they may become.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    let upkeep = Upkeep(cache: cache, limit: limit) { [cache, source, refs] freshness in
      let sources = try await cache.findDated([Ref<Source>(source)], freshness)
      guard let record = sources[0] else { return .zero }
      let related = try await cache.findDated(refs(record.value), freshness)
      return Swift.max(record.age, oldestAge(related))
    }
    return FreshChanges(base: self, upkeep: upkeep)
  }
}

extension GraphChanges {
  /// The changes of the graph, whose records are loaded again before they are too old.
  ///
  /// - Parameter limit: How old they may become.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    let upkeep = Upkeep(cache: cache, limit: limit) { [cache, root, plan] freshness in
      try await cache.graph(of: root, plan, freshness).age
    }
    return FreshChanges(base: self, upkeep: upkeep)
  }
}

extension QueryChanges {
  /// The changes of the answer: the store is asked again before it is too old.
  ///
  /// - Parameter limit: How old it may become.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    let upkeep = Upkeep(cache: cache, limit: limit) { [cache, query] _ in
      _ = try await cache.refresh(query)
      return .zero
    }
    return FreshChanges(base: self, upkeep: upkeep)
  }
}

/// How old the oldest of some records is.
private func oldestAge<R>(_ records: [Dated<R>?]) -> Duration {
  records.lazy.compactMap { $0?.age }.max() ?? .zero
}
