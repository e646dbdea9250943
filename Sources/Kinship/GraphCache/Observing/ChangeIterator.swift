/// The current and the last shown state of what an observer follows.
protocol Subject {
  associatedtype Change

  /// The other observers whose news also concern this one.
  var related: [Observer] { get }

  /// Whether the shown value is known to be out of date.
  var isBehind: Bool { get }

  /// A short description of what it follows.
  var title: String { get }
  /// The name of the record type that it follows, if there is exactly one.
  var type: String? { get }

  /// Registers an observer, and returns what is in memory at once.
  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, Change)

  /// Takes in the observer's news, and loads what is out of date.
  ///
  /// - Returns: The change to show, or `nil` if nothing is new.
  nonisolated(nonsending) mutating func next(_ observer: Observer) async throws -> Change?
}

extension Subject {
  var related: [Observer] { [] }
  var isBehind: Bool { false }
}

/// The iterator behind every sequence of changes: waits for an observer's news.
struct ChangeIterator<Followed: Subject> {
  let cache: GraphCache
  private var subject: Followed
  private var observer: Observer?
  private var isFinished = false
  /// Whether there may be something to show without a wakeup.
  private var mustLook = true

  init(_ subject: Followed, in cache: GraphCache) {
    self.subject = subject
    self.cache = cache
  }

  /// Waits for the next change.
  ///
  /// - Returns: The change, or `nil` once the task is cancelled; from then on, the observer is
  ///   removed.
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
  /// Loads the records that are needed before anything can be shown.
  nonisolated(nonsending) func loadUnknown<R: GraphRecord>(
    _ records: inout TrackedRecords<R.ID, R>
  ) async throws {
    if records.unknown.isEmpty { return }
    let ids = Array(records.unknown)
    let found = try await findUnwatched(ids.map { Ref<R>($0) })
    for (id, record) in zip(ids, found) { records.resolve(id, record) }
  }
}
