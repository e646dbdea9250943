public import Kinship

extension GraphCache {
  /// Keeps a cache up to date with a store that others also change.
  ///
  /// It ends when you call ``end()`` or ``finish()``, or when it is no longer referenced.
  public final class Following: Sendable {
    /// The state of following.
    public enum Status: Sendable {
      /// The store has not answered yet.
      case connecting
      /// Memory has every commit made before a moment, which is at most as long ago as the limits
      /// allow.
      case following(asOf: ContinuousClock.Instant)
      /// The store has not failed, but memory is behind by this much, which is more than the limits
      /// allow.
      case behind(by: Duration)
      /// The store has failed to report changes since this moment.
      case lost(since: ContinuousClock.Instant, cause: any Error)
      /// Following has ended, or the cache now follows another store.
      case ended
    }

    private let cache: GraphCache
    private let number: UInt64
    private let store: any SharedStore
    private let entry: UInt64
    private let tasks: [Task<Void, Never>]

    init(_ cache: GraphCache, _ number: UInt64, _ store: any SharedStore) {
      self.cache = cache
      self.number = number
      self.store = store
      entry = store.followers.add { try await cache.catchUp(number) }
      tasks = [
        Task(executorPreference: cache.executor) { await cache.pollRepeatedly(store, number) },
        Task(executorPreference: cache.executor) { await cache.watch(number) },
        Task(executorPreference: cache.executor) { await cache.listen(to: store, number) },
      ]
    }

    /// The current state of following.
    public var status: Status {
      // Read first, so that the result never claims more than is known.
      let instant = ContinuousClock.now
      let now = cache.elapsed()
      func moment(_ time: Duration) -> ContinuousClock.Instant { instant - (now - time) }
      guard let following = cache.withFollowing(number, { $0 }) else { return .ended }
      if let failure = following.failure {
        return .lost(since: moment(failure.since), cause: failure.cause)
      }
      guard let asOf = following.asOf else { return .connecting }
      let excess = now - asOf - following.limits.maximumStaleness
      return excess > .zero ? .behind(by: excess) : .following(asOf: moment(asOf))
    }

    /// The position in the store's log up to which memory is complete; `nil` before the store's
    /// first answer.
    ///
    /// A process that saves it with what it has read by other means passes it to
    /// ``GraphCache/follow(_:since:limits:)``.
    public var cursor: StoreCursor? { cache.withFollowing(number) { $0.cursor } ?? nil }

    /// Brings the cache up to date with everything that is already committed.
    ///
    /// - Throws: Any error of the store; `CancellationError` at once if the task is cancelled, or
    ///   if the cache no longer follows the store.
    public func catchUp() async throws { try await cache.catchUp(number) }

    /// Stops following: from now on, the cache does not learn of changes by others.
    ///
    /// Further calls do nothing.
    public func end() {
      for task in tasks { task.cancel() }
      store.followers.remove(entry)
      cache.endFollowing(number)
    }

    /// Stops following, and waits until no call to the store is in progress, so that you can close
    /// the store.
    public func finish() async {
      end()
      for task in tasks { await task.value }
    }

    deinit { end() }
  }

  /// Follows a store that others also change: the cache invalidates what they commit, and later
  /// reads reload it.
  ///
  /// ```swift
  /// let following = cache.follow(store)
  /// print(following.status)  // .following(asOf:), .behind(by:), .lost(since:cause:)
  /// ```
  ///
  /// The cache asks the store for changes when the store signals one, and at regular intervals. It
  /// invalidates the changed records, including loads of them that are in flight, and observers see
  /// this like any invalidation. The cache does not invalidate its own commits. As long as the
  /// store answers, a read never shows a value more than `maximumStaleness` after it was changed.
  /// If the store does not answer, `duringOutage` decides what happens.
  ///
  /// A cache follows one store at a time: following another store ends the previous following.
  ///
  /// A snapshot includes the last position that the cache knew, before the log's entries of commits
  /// in flight at that time. A cache that already follows the store when you restore a snapshot
  /// returns to that position, with the status ``GraphCache/Following/Status/connecting`` until the
  /// store has answered.
  ///
  /// - Parameters:
  ///   - store: The store: the cache's own, or one behind it.
  ///   - cursor: The position in the store's log up to which memory is complete. `nil` means that
  ///     of the snapshots restored before, or, without one, the position at which the store was
  ///     opened.
  ///   - limits: The limits within which to follow.
  /// - Returns: The following. Keep it for as long as the cache should follow the store.
  public nonisolated func follow(
    _ store: any SharedStore, since cursor: StoreCursor? = nil,
    limits: FollowingLimits = FollowingLimits()
  ) -> Following {
    let now = elapsed()
    let (ended, number) = withFollower { follower, restored in
      let ended = follower as? FollowingState
      let places: [StoreCursor?] = cursor == nil && !restored.isEmpty ? restored : [cursor]
      let state = FollowingState(limits, since: places, at: now)
      follower = state
      return (ended, state.number)
    }
    ended?.refuseRequests()
    return Following(self, number, store)
  }
}
