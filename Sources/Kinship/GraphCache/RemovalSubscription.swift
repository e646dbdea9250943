import Synchronization

extension GraphCache {
  /// A subscription to removals, which ends when it is cancelled or no longer referenced.
  public final class RemovalSubscription: Sendable {
    private let cache: GraphCache
    private let listener: UInt64
    private let isCancelled = Atomic(false)

    init(cache: GraphCache, listener: UInt64) {
      self.cache = cache
      self.listener = listener
    }

    /// Stops the notifications.
    ///
    /// Further calls do nothing.
    public func cancel() {
      if isCancelled.exchange(true, ordering: .relaxed) { return }
      cache.removeListener(listener)
    }

    deinit { cancel() }
  }
}

extension GraphCache {
  /// Calls a closure for each record that leaves the cache, with the reason.
  ///
  /// The closure runs on the thread that caused the removal, after the change and without a lock,
  /// so it may read the cache with ``peek(_:)->R?``. The order of removals that different threads
  /// cause at the same moment is undefined.
  ///
  /// - Parameter listener: The closure.
  /// - Returns: The subscription. Keep it for as long as you want to be notified.
  public nonisolated func onRemoval(
    _ listener: @escaping @Sendable (Removal) -> Void
  ) -> RemovalSubscription {
    let id = state.withLock { state in
      state.map.reportsRemovals = true
      return state.listeners.add(listener)
    }
    return RemovalSubscription(cache: self, listener: id)
  }

  nonisolated func removeListener(_ id: UInt64) {
    // The closure is released outside the lock, because it may hold anything.
    _ = state.withLock { state in
      let listener = state.listeners.byNumber.removeValue(forKey: id)
      state.map.reportsRemovals = !state.listeners.byNumber.isEmpty
      return listener
    }
  }
}

/// The listeners to removals.
struct RemovalListeners: Sendable {
  var byNumber: [UInt64: @Sendable (GraphCache.Removal) -> Void] = [:]
  private var last: UInt64 = 0

  mutating func add(_ listener: @escaping @Sendable (GraphCache.Removal) -> Void) -> UInt64 {
    last += 1
    byNumber[last] = listener
    return last
  }
}
