public import Kinship

/// A backing store that others change too, and that can report their changes.
///
/// A cache that follows it with ``Kinship/GraphCache/follow(_:since:limits:)`` asks it from time to
/// time, and drops the records that have changed, so that stale records do not stay for long.
///
/// ```swift
/// let following = cache.follow(store)
/// // Another process commits.
/// try await store.catchUp()
/// let person = try await cache.resolve(ref)  // as the other process has made it
/// ```
///
/// Your own store needs a log of changes in the order of their commits, from which it answers. The
/// database must fill the log, for example by triggers: changes that only the store's own process
/// notices are not enough.
public protocol SharedStore: BackingStore {
  /// The caches that follow the store.
  var followers: StoreFollowers { get }

  /// Returns the changes that anyone has committed since a place in the log.
  ///
  /// Every commit that has ended before the call began must be in the answer to this call or to an
  /// earlier one, from whose cursor this one continues. Reporting more than has changed does no
  /// harm.
  ///
  /// - Parameter cursor: The place up to which all is known: the cursor of an earlier answer,
  ///   perhaps one that an earlier process has received. `nil` for the changes since the store was
  ///   opened.
  /// - Returns: The changes, and the place up to which all changes are known now. If the log does
  ///   not go back that far, or the cursor is from another log: that everything may have changed.
  /// - Throws: Any error that prevents an answer. The cache asks again soon.
  func changes(since cursor: StoreCursor?) async throws -> StoreChanges

  /// Waits until it is worthwhile to ask for changes, however long that takes.
  ///
  /// It need not notice every change: the cache asks from time to time anyway.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled. After any other error, the
  ///   cache calls it again once it has asked the store for changes again.
  func waitForChange() async throws
}

extension SharedStore {
  /// Waits for ever: the cache asks only at its intervals.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func waitForChange() async throws {
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }

  /// Notifies the caches that follow the store of everything committed so far.
  ///
  /// - Throws: The errors of ``changes(since:)``, and `CancellationError` at once when the task is
  ///   cancelled.
  public func catchUp() async throws {
    for catchUp in followers.all { try await catchUp() }
  }
}

/// A change in a store that others change too.
public struct StoreChanges: Sendable {
  /// The changes, in any order.
  public var changes: [StoreChange]
  /// The place in the store's log up to which all is known.
  public var cursor: StoreCursor

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - cursor: The place up to which all is known.
  public init(_ changes: [StoreChange], upTo cursor: StoreCursor) {
    self.changes = changes
    self.cursor = cursor
  }
}

/// The caches that follow a store; a ``SharedStore`` has one of these for all its life.
public final class StoreFollowers: Sendable {
  /// Reads everything committed so far into a cache.
  typealias CatchUp = @Sendable () async throws -> Void

  private struct State {
    var byNumber: [UInt64: CatchUp] = [:]
    var last: UInt64 = 0
  }

  private let state = Lock(State())

  /// Creates an empty list.
  public init() {}

  /// The number of caches that follow the store.
  public var count: Int { state.withLock { $0.byNumber.count } }

  /// In the order in which they were added.
  var all: [CatchUp] {
    state.withLock { state in state.byNumber.sorted { $0.key < $1.key }.map(\.value) }
  }

  func add(_ catchUp: @escaping CatchUp) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.byNumber[state.last] = catchUp
      return state.last
    }
  }

  func remove(_ number: UInt64) {
    // Values that are released with it may use the store.
    let follower = state.withLock { $0.byNumber.removeValue(forKey: number) }
    withExtendedLifetime(follower) {}
  }
}
