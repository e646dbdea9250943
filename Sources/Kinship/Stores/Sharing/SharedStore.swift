/// A backing store that others change too, and that can say what they have changed.
///
/// A cache that follows it, by ``GraphCache/follow(_:since:limits:)``, asks it from time to time,
/// and forgets what has changed: so it never shows for long what is no longer so.
///
/// ```swift
/// let following = cache.follow(store)
/// // Another process commits.
/// try await store.catchUp()
/// let person = try await cache.resolve(ref)  // as the other process has made it
/// ```
///
/// A store of one's own keeps a log of changes in the order in which they are committed, and
/// answers from it. It must be told by the database, for instance by triggers: what only the
/// store's own process notices is not enough.
public protocol SharedStore: BackingStore {
  /// The caches that follow the store.
  var followers: StoreFollowers { get }

  /// What has been committed since a place in the log, by whomever.
  ///
  /// Every commit that has ended before the call began is part of the answer to this call or to an
  /// earlier one, from whose cursor on this one asks. To say more than has changed does no harm.
  ///
  /// - Parameter cursor: The place up to which all is known: that of an earlier answer, perhaps one
  ///   that an earlier process has got. `nil` for what has changed since the store was opened.
  /// - Returns: The changes, and the place up to which all is known now. Where the log does not
  ///   reach back so far, or is not the one that the cursor is a place of: that everything may have
  ///   changed.
  /// - Throws: Why it cannot be known. It is asked again soon.
  func changes(since cursor: StoreCursor?) async throws -> StoreChanges

  /// Waits until it is worthwhile to ask for changes, however long that takes.
  ///
  /// It need not notice every change: the cache asks from time to time anyway.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled. After any other error it is
  ///   called again when the store has been asked for changes once more.
  func waitForChange() async throws
}

extension SharedStore {
  /// Waits for ever: nothing but time tells when to ask.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func waitForChange() async throws {
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }

  /// Makes all that has been committed before known to the caches that follow the store.
  ///
  /// - Throws: What ``changes(since:)`` throws, and `CancellationError` at once when the task is
  ///   cancelled.
  public func catchUp() async throws {
    for follower in followers.all { try await follower.catchUp() }
  }
}

/// The caches that follow a store; a ``SharedStore`` has one of these for all its life.
public final class StoreFollowers: Sendable {
  private struct State {
    var byNumber: [UInt64: any StoreFollower] = [:]
    var last: UInt64 = 0
  }

  private let state = Lock(State())

  /// Creates a list of nobody.
  public init() {}

  /// How many caches follow the store.
  public var count: Int { state.withLock { $0.byNumber.count } }

  /// In the order in which they came.
  var all: [any StoreFollower] {
    state.withLock { state in state.byNumber.sorted { $0.key < $1.key }.map(\.value) }
  }

  func add(_ follower: any StoreFollower) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.byNumber[state.last] = follower
      return state.last
    }
  }

  func remove(_ number: UInt64) {
    // What ends with it may use the store.
    let follower = state.withLock { $0.byNumber.removeValue(forKey: number) }
    withExtendedLifetime(follower) {}
  }
}

/// One that follows a store.
protocol StoreFollower: Sendable {
  /// Learns what has been committed until now.
  func catchUp() async throws
}
