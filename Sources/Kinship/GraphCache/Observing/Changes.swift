/// The changes of something observed, as an asynchronous sequence.
///
/// Create it with one of the `observe` methods of ``GraphCache``. Each iterator observes
/// independently, from its first element to its last: two loops over one sequence both see every
/// change.
///
/// `put`, `update` and `remove` are changes. For `Equatable` records, a write that changes nothing
/// is no change. Other records count as changed whenever they are written, or loaded again after an
/// invalidation. Beyond that:
///
/// - Evicting a record or loading it again is no change. In a cache without a store, an observed
///   graph keeps its records in memory, because they could not be loaded again.
/// - After ``GraphCache/invalidate(_:)`` or ``GraphCache/removeAll()``, observers load again what
///   they show, and are notified if it differs. Without a store, invalidated records no longer
///   exist. A record that is invalidated repeatedly while it is read is shown as it was read, then
///   as it has become.
/// - You can observe a record that does not exist yet: putting it is an insertion.
/// - If a ref in one of a graph's records changes, the graph is loaded again with its plan. If
///   other properties change, the next graph shares everything else with the previous one. Records
///   beyond the plan are not observed.
/// - A query's result includes pending writes. The query runs again only if everything may have
///   changed, or if a condition on related records, which are observed too, leads to others. A
///   record that moves up into a limited result is fetched by its key.
/// - A type's records are those that are or have been in memory and were not removed. A first load
///   is an insertion.
///
/// Changes are not queued. A buffer holds at most one entry for each record observed, or a fixed
/// number for a type or everything; beyond that, the cache compares what is in memory again.
public struct Changes<Value: Sendable, Diff: ObservedDifference>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = ObservedChange<Value, Diff>
  /// The error of a failed load.
  public typealias Failure = any Error

  let cache: GraphCache
  /// The subject before it is observed.
  let subject: any Subject<Value, Diff>
  var comparison = RecordComparison<Diff.Record>()
  /// The age before which observed records are reloaded.
  var limit: Duration?

  init(_ subject: any Subject<Value, Diff>, in cache: GraphCache) {
    (self.subject, self.cache) = (subject, cache)
  }

  /// Limits the elements to changes of the given properties.
  ///
  /// Each element has the current values of all properties. An insertion, a removal or a move
  /// always counts as a change. For a list in sections, include the sectioning property.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The filtered changes.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<Diff.Record, each Property> & Sendable
  ) -> Changes where Diff.Record: GraphRecord {
    var changes = self
    changes.comparison = .filter(by: repeat each paths)
    return changes
  }

  /// Reloads what is observed before it becomes too old.
  ///
  /// ```swift
  /// for try await change in cache.observe(ref).keptFresh(within: .seconds(60)) {
  ///   show(change.value?.name)
  /// }
  /// ```
  ///
  /// The changes follow each reload; one that finds equal values delivers no element. If the store
  /// fails, the value stays, and the cache retries after a tenth of the limit. Each observer
  /// reloads at a random moment in the last fifth of the limit, so that many observers do not ask
  /// the store together.
  ///
  /// - Parameter limit: The maximum age.
  /// - Returns: The changes.
  public func keptFresh(within limit: Duration) -> Changes {
    var changes = self
    changes.limit = limit
    return changes
  }

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Observes for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    private let changes: Changes
    private var subject: any Subject<Value, Diff>
    private var observer: Observer?
    private var refresher: Refresher?
    private var isFinished = false
    /// Whether there may be something to show without a wakeup.
    private var mustLook = true

    init(_ changes: Changes) { (self.changes, subject) = (changes, changes.subject) }

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled; from then on, nothing is
    ///   observed.
    /// - Throws: The errors of loading what is observed, except that a missing record is no error.
    ///   The sequence does not end: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Changes.Element? {
      try await advance()
    }

    private nonisolated(nonsending) mutating func advance() async throws -> Changes.Element? {
      let cache = changes.cache
      if refresher == nil, !isFinished, let limit = changes.limit {
        refresher = Refresher(within: limit, in: cache, changes.subject)
      }
      do {
        while !isFinished, !Task.isCancelled {
          guard let observer else {
            let (observer, change) = try await subject.start(in: cache)
            self.observer = observer
            cache.recorder?.beginObserver(observer.id, subject.title)
            return change
          }
          if mustLook {
            let change = try await cache.traced(
              CacheWork(.observe, of: subject.type), for: observer.id
            ) {
              try await subject.next(observer, changes.comparison)
            }
            mustLook = subject.isBehind
            if let change { return change }
            if mustLook { continue }
          }
          await cache.waitForChange(subject.related + [observer])
          mustLook = true
        }
      } catch is CancellationError {}
      isFinished = true
      (observer, refresher) = (nil, nil)
      return nil
    }
  }
}

/// Keeps an observed subject fresh for as long as it is referenced.
private final class Refresher: Sendable {
  private let task: Task<Void, Never>

  init(within limit: Duration, in cache: GraphCache, _ subject: any Subject) {
    task = Task(executorPreference: cache.executor) {
      let limit = limit * Double.random(in: 0.8...1)
      while !Task.isCancelled {
        var wait = limit / 10
        do {
          let age = try await subject.reload(in: cache, .within(limit))
          wait = max(limit - age, limit / 20)
        } catch {
          // The value stays; the next try may succeed.
        }
        do { try await cache.clock.sleep(for: max(wait, .milliseconds(100))) } catch { return }
      }
    }
  }

  deinit { task.cancel() }
}
