public import Kinship
public import KinshipSync

/// A memory store with a log of its changes, which several caches follow, and which a test changes
/// without their knowledge.
public final class LoggedStore: ForwardingStore, SharedStore {
  private struct State {
    var log: [StoreChange] = []
    /// The number of changes removed from the log.
    var pruned = 0
    /// The number of the log: another one begins when it is lost.
    var epoch = 0
    var opened = 0
    var failure: (any Error)?
    var signals: [Wait] = []
    var polls = 0
  }

  /// The records.
  public let memory: MemoryStore
  /// The store that answers and commits: the records, or a store in front of them.
  public let base: any BackingStore
  /// The caches that follow.
  public let followers = StoreFollowers()
  private let state = Lock(State())
  private let isTold: Bool

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - memory: The records.
  ///   - base: A store in front of the records, if any.
  ///   - isTold: Whether the caches are notified of each change, instead of polling.
  public init(_ memory: MemoryStore, behind base: (any BackingStore)? = nil, isTold: Bool = false) {
    self.memory = memory
    self.base = base ?? memory
    self.isTold = isTold
  }

  /// The number of requests for changes.
  public var polls: Int { state.withLock(\.polls) }

  /// The error of requests for changes; `nil` for none.
  public var failure: (any Error)? {
    get { state.withLock(\.failure) }
    set { state.withLock { $0.failure = newValue } }
  }

  /// Notes a change in the log.
  ///
  /// - Parameters:
  ///   - extent: The changed records.
  ///   - commit: The commit of the change, if it is known.
  public func note(_ extent: StoreChange.Extent, by commit: CommitID? = nil) {
    let signals = state.withLock { state in
      state.log.append(StoreChange(extent, by: commit))
      defer { state.signals = [] }
      return state.signals
    }
    for signal in signals { signal.end() }
  }

  /// Puts a record as another program would.
  ///
  /// - Parameter record: The record.
  public func put<R: GraphRecord>(_ record: R) {
    memory.insert([record])
    note(.records([AnyRef(record.ref)]))
  }

  /// Deletes a record as another program would.
  ///
  /// - Parameter ref: The ref that names it.
  public func delete<R: GraphRecord>(_ ref: Ref<R>) {
    memory.remove(ref)
    note(.records([AnyRef(ref)]))
  }

  /// Lets the base store follow a plan, if it does.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids asked for.
  ///   - plan: The plan to follow from them.
  /// - Returns: The answer of that store.
  /// - Throws: Any error of that store.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    try await base.fetch(type, ids: ids, following: plan)
  }

  /// Removes the log up to now: a cache that has not polled since must drop everything.
  public func prune() {
    state.withLock { state in
      state.pruned += state.log.count
      state.log = []
    }
  }

  /// Starts another log, as a restored database does.
  public func replaceLog() {
    state.withLock { state in
      state.epoch += 1
      state.log = []
      state.pruned = 0
    }
  }

  /// Commits changes, and notes them in the log.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: Any error of the base store.
  public func apply(_ changes: ChangeSet) async throws {
    let commit = CommitID.current
    try await base.apply(changes)
    note(.records(changes.refs), by: commit)
  }

  /// The changes since a place in the log.
  ///
  /// - Parameter cursor: The place.
  /// - Returns: The changes.
  /// - Throws: ``failure``.
  public func changes(since cursor: StoreCursor?) async throws -> StoreChanges {
    let answer = try answer(since: cursor)
    // The answer takes a while.
    await Task.yield()
    return answer
  }

  private func answer(since cursor: StoreCursor?) throws -> StoreChanges {
    try state.withLock { state in
      state.polls += 1
      if let failure = state.failure { throw failure }
      let end = state.pruned + state.log.count
      let now = StoreCursor("\(state.epoch) \(end)")
      let parts = (cursor?.text ?? "0 0").split(separator: " ").compactMap { Int($0) }
      guard parts.count == 2, parts[0] == state.epoch, parts[1] >= state.pruned else {
        return StoreChanges([StoreChange(.everything)], upTo: now)
      }
      return StoreChanges(Array(state.log.dropFirst(parts[1] - state.pruned)), upTo: now)
    }
  }

  /// Waits for the next change, possibly for ever.
  ///
  /// - Throws: `CancellationError`.
  public func waitForChange() async throws {
    let wait = Wait()
    if isTold { state.withLock { $0.signals.append(wait) } }
    if await wait.untilEndOrCancellation() == .cancellation { throw CancellationError() }
  }
}
