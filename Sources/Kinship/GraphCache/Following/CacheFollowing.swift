extension GraphCache {
  /// A cache that follows a store that others change too.
  ///
  /// It ends when ``end()`` or ``finish()`` is called, and by itself when nobody refers to it any
  /// more.
  public final class Following: Sendable {
    /// What is known of the store.
    public enum Status: Sendable {
      /// The store has not answered yet.
      case connecting
      /// Memory knows all that was committed before a moment, which is not longer ago than the
      /// limits allow.
      case following(asOf: ContinuousClock.Instant)
      /// The store has not failed, but what memory knows is older than the limits allow, by so
      /// much.
      case behind(by: Duration)
      /// The store has failed to say what has changed, since a moment.
      case lost(since: ContinuousClock.Instant, cause: any Error)
      /// It has ended, or the cache follows another store by now.
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
      entry = store.followers.add(Follower(cache: cache, number: number))
      tasks = [
        Task(executorPreference: cache.executor) { await cache.pollRepeatedly(store, number) },
        Task(executorPreference: cache.executor) { await cache.watch(number) },
        Task(executorPreference: cache.executor) { await cache.listen(to: store, number) },
      ]
    }

    /// What is known of the store at this moment.
    public var status: Status {
      // Taken first: nothing is said to be known up to a later moment than it is.
      let instant = ContinuousClock.now
      let now = cache.elapsed()
      func moment(_ time: Duration) -> ContinuousClock.Instant { instant - (now - time) }
      let following = cache.state.withLock { $0.withFollowing(number) { $0 } }
      guard let following else { return .ended }
      if let failure = following.failure {
        return .lost(since: moment(failure.since), cause: failure.cause)
      }
      guard let asOf = following.asOf else { return .connecting }
      let excess = now - asOf - following.limits.maximumStaleness
      return excess > .zero ? .behind(by: excess) : .following(asOf: moment(asOf))
    }

    /// The place in the store's log up to which memory knows all; `nil` before the store has
    /// answered for the first time.
    public var cursor: StoreCursor? {
      cache.state.withLock { $0.withFollowing(number) { $0.cursor } } ?? nil
    }

    /// Makes all that has been committed before known to the cache.
    ///
    /// - Throws: What the store throws when it is asked; `CancellationError` at once when the task
    ///   is cancelled, or when the cache does not follow the store any longer.
    public func catchUp() async throws { try await cache.catchUp(number) }

    /// Ends it: from now on, the cache does not hear of what others change.
    ///
    /// Further calls do nothing.
    public func end() {
      for task in tasks { task.cancel() }
      store.followers.remove(entry)
      cache.endFollowing(number)
    }

    /// Ends it, and waits until the store is not asked for anything any longer: whoever closes the
    /// store can do so then.
    public func finish() async {
      end()
      for task in tasks { await task.value }
    }

    deinit { end() }
  }

  /// A cache that follows, as the store knows it.
  private struct Follower: StoreFollower {
    let cache: GraphCache
    let number: UInt64

    func catchUp() async throws { try await cache.catchUp(number) }
  }

  /// Follows a store that others change too: what they commit is forgotten here, and read anew.
  ///
  /// ```swift
  /// let following = cache.follow(store)
  /// print(following.status)  // .following(asOf:), .behind(by:), .lost(since:cause:)
  /// ```
  ///
  /// The cache asks the store what has changed, whenever the store is told of a change and from
  /// time to time. What the answer names is invalidated, with what is being loaded of it; observers
  /// hear of it as of any invalidation. What the cache has committed itself is not forgotten. So a
  /// read never shows what has been changed for longer than `maximumStaleness`, as long as the
  /// store answers; and when it does not, `outOfContact` says what happens.
  ///
  /// A cache follows one store at a time: to follow another ends what was before.
  ///
  /// - Parameters:
  ///   - store: The store, which is that of the cache or lies behind it.
  ///   - cursor: The place in the store's log up to which memory knows all; `nil` for that of the
  ///     snapshots that were restored before, or else that where the store was opened.
  ///   - limits: How closely to follow.
  /// - Returns: What ends it. Keep it for as long as the cache is to follow.
  public nonisolated func follow(
    _ store: any SharedStore, since cursor: StoreCursor? = nil,
    limits: FollowingLimits = FollowingLimits()
  ) -> Following {
    let now = elapsed()
    let (number, requests) = state.withLock { state -> (UInt64, [Promise<Void>]) in
      let requests = state.following?.takeRequests() ?? []
      state.lastFollowing += 1
      let restored: [StoreCursor?] = state.restoredPlaces
      state.restoredPlaces = []
      state.following = FollowingState(
        number: state.lastFollowing, limits,
        since: cursor == nil && !restored.isEmpty ? restored : [cursor], at: now)
      return (state.lastFollowing, requests)
    }
    for request in requests { request.resolve(.failure(CancellationError())) }
    return Following(self, number, store)
  }
}
