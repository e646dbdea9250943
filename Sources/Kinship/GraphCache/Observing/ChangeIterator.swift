/// What an observer follows: what there is by now, and what it was shown of that.
protocol Subject {
  associatedtype Change

  /// Those whose news are news to the observer.
  var related: [Observer] { get }

  /// Whether what was shown is known to be out of date.
  var isBehind: Bool { get }

  /// What it follows, in a few words.
  var title: String { get }
  /// The name of the record type that it follows, if it is one.
  var type: String? { get }

  /// Registers an observer, and shows at once what is in memory.
  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, Change)

  /// Takes in what the observer has not heard of, and loads what is out of date.
  ///
  /// - Returns: What there is to show, or `nil` if nothing of it is news.
  nonisolated(nonsending) mutating func next(_ observer: Observer) async throws -> Change?
}

extension Subject {
  var related: [Observer] { [] }
  var isBehind: Bool { false }
}

/// Waits for what concerns an observer: the iterator behind every sequence of changes.
struct ChangeIterator<Followed: Subject> {
  let cache: GraphCache
  private var subject: Followed
  private var observer: Observer?
  private var isFinished = false
  /// Whether something may be to be shown that nobody was woken for.
  private var mustLook = true

  init(_ subject: Followed, in cache: GraphCache) {
    self.subject = subject
    self.cache = cache
  }

  /// Waits for the next change.
  ///
  /// - Returns: The change, or `nil` once the task is cancelled; from then on, nobody observes.
  nonisolated(nonsending) mutating func next() async throws -> Followed.Change? {
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
            try await subject.next(observer)
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
    observer = nil
    return nil
  }
}

extension GraphCache {
  /// Loads what must be read before anything can be shown.
  nonisolated(nonsending) func loadUnknown<R: GraphRecord>(
    _ records: inout TrackedRecords<R.ID, R>
  ) async throws {
    if records.unknown.isEmpty { return }
    let ids = Array(records.unknown)
    let found = try await findUnwatched(ids.map { Ref<R>($0) })
    for (id, record) in zip(ids, found) { records.resolve(id, record) }
  }
}
