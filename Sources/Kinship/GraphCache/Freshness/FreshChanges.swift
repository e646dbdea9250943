/// The changes of something observed that is kept fresh, as an asynchronous sequence.
///
/// Create it with `keptFresh(within:)` on another sequence of changes:
///
/// ```swift
/// for try await change in cache.observe(ref).keptFresh(within: .seconds(60)) {
///   show(change.value?.name)
/// }
/// ```
///
/// The cache reloads observed records before they exceed the limit, and the changes follow. A
/// reload that finds equal values delivers no element. If the store fails, the value stays, and the
/// cache retries after a tenth of the limit. Each observer reloads at a random moment in the last
/// fifth of the limit, so that many observers do not ask the store together.
public struct FreshChanges<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = Base.Element
  /// The error of a failed load.
  public typealias Failure = any Error

  let base: Base
  let upkeep: Upkeep

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), upkeep: upkeep)
  }

  /// Observes, and keeps the value fresh, for as long as it is referenced.
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
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of the underlying sequence.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Base.Element? {
      if task == nil { task = UpkeepTask(upkeep) }
      return try await base.next(isolation: actor)
    }
  }
}

/// The task that reloads something so that it stays fresh.
struct Upkeep: Sendable {
  let cache: GraphCache
  let limit: Duration
  /// Reloads it, and returns its age.
  let read: @Sendable (Freshness) async throws -> Duration

  /// Reloads until the task is cancelled.
  func run() async {
    let limit = limit * Double.random(in: 0.8...1)
    while !Task.isCancelled {
      var wait = limit / 10
      do {
        let age = try await read(.within(limit))
        wait = max(limit - age, limit / 20)
      } catch {
        // The value stays; the next try may succeed.
      }
      do { try await cache.clock.sleep(for: max(wait, .milliseconds(100))) } catch { return }
    }
  }
}

/// Stops the upkeep when it is no longer referenced.
private final class UpkeepTask: Sendable {
  private let task: Task<Void, Never>

  init(_ upkeep: Upkeep) {
    task = Task(executorPreference: upkeep.cache.executor) { await upkeep.run() }
  }

  deinit { task.cancel() }
}

extension RecordChanges {
  /// Reloads the record before it becomes too old.
  ///
  /// - Parameter limit: The maximum age.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    FreshChanges(base: self, upkeep: list.upkeep(within: limit))
  }
}

extension ListChanges {
  /// Reloads the records before they become too old.
  ///
  /// - Parameter limit: The maximum age.
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
  /// Reloads the related records, and the record that refers to them, before they become too old.
  ///
  /// - Parameter limit: The maximum age.
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
  /// Reloads the graph's records before they become too old.
  ///
  /// - Parameter limit: The maximum age.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    let upkeep = Upkeep(cache: cache, limit: limit) { [cache, root, plan] freshness in
      try await cache.graph(of: root, plan, freshness).age
    }
    return FreshChanges(base: self, upkeep: upkeep)
  }
}

extension QueryChanges {
  /// Repeats the query before its result becomes too old.
  ///
  /// - Parameter limit: The maximum age.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> FreshChanges<Self> {
    let upkeep = Upkeep(cache: cache, limit: limit) { [cache, query] _ in
      _ = try await cache.refresh(query)
      return .zero
    }
    return FreshChanges(base: self, upkeep: upkeep)
  }
}

/// Returns the age of the oldest record.
private func oldestAge<R>(_ records: [Dated<R>?]) -> Duration {
  records.lazy.compactMap { $0?.age }.max() ?? .zero
}
