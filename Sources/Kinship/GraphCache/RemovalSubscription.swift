import Synchronization

extension GraphCache {
  /// A subscription to removals, which ends when it is cancelled or no longer referenced.
  public final class RemovalSubscription: Sendable {
    private let cache: GraphCache
    private let isCancelled = Atomic(false)

    fileprivate init(_ cache: GraphCache) { self.cache = cache }

    /// Stops the notifications.
    ///
    /// Further calls do nothing.
    public func cancel() {
      if isCancelled.exchange(true, ordering: .relaxed) { return }
      // The closure is released outside the lock, because it may hold anything.
      _ = cache.state.withLock { [id = ObjectIdentifier(self)] state in
        let listener = state.listeners.removeValue(forKey: id)
        state.map.reportsRemovals = !state.listeners.isEmpty
        return listener
      }
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
    let subscription = RemovalSubscription(self)
    state.withLock { [id = ObjectIdentifier(subscription)] state in
      state.map.reportsRemovals = true
      state.listeners[id] = listener
    }
    return subscription
  }
}
