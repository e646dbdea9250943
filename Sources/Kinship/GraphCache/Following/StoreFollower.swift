/// The state of following a store that others also change, as a cache uses it under its lock.
///
/// All times are since the cache was created, by its clock.
package protocol StoreFollower: Sendable {
  /// The log positions from which a snapshot of memory must be brought up to date.
  var cursors: [StoreCursor] { get }
  /// Whether memory is complete up to one log position, by an answer of the log.
  var isUpToDate: Bool { get }
  /// The time until which memory may be served; `nil` if there is no limit.
  ///
  /// Timers drop it before that, unless they are late.
  var servingDeadline: Duration? { get }

  /// Whether the next poll asks for what has changed since a position.
  func mustPoll(from place: StoreCursor) -> Bool

  /// Returns how long memory may be kept; `nil` if the caller must drop it now.
  mutating func watch(at now: Duration) -> Duration?

  /// Prepares for the restoration of data that is known up to a log position.
  mutating func prepareForRestoration(since place: StoreCursor, at now: Duration)

  /// Starts the next poll at once, or when the current one has ended; without a waiting caller,
  /// after a break.
  ///
  /// - Parameter request: The waiting caller's promise.
  /// - Returns: The promise that the pause waits for: resolve it outside the lock.
  mutating func wake(for request: Promise<Void>?) -> Promise<Void>?

  /// Begins a store write that the log may name.
  mutating func beginCommit() -> CommitID

  /// Ends a commit.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - refs: The records that the store has changed; `nil` if it has rejected the commit, or the
  ///     outcome is unknown.
  /// - Returns: The changes that memory must drop.
  mutating func endCommit(
    _ commit: CommitID, changing refs: Set<AnyRef>?
  ) -> [StoreChange.Extent]
}
