internal import Kinship

/// A clock that a test sets by hand, for the ages of records and the deadlines of calls.
///
/// ```swift
/// let clock = ManualClock()
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store, clock: clock)
/// _ = try await cache.resolve(Ref<Person>(42))
/// clock.advance(by: .seconds(61))
/// _ = try await cache.find(Ref<Person>(42), .within(.seconds(60)))
/// #expect(store.requests(for: Ref<Person>(42)) == 2)
/// ```
public final class ManualClock: Clock {
  /// A moment of a manual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public let offset: Duration

    /// Creates a moment.
    ///
    /// - Parameter offset: The time since the clock was created.
    public init(offset: Duration) { self.offset = offset }

    /// Returns the moment after a duration.
    ///
    /// - Parameter duration: The duration; if it is negative, the moment is earlier.
    /// - Returns: That moment.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this moment to another.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The duration; it is negative if the other moment is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether one moment is earlier than another.
    ///
    /// - Parameters:
    ///   - left: One moment.
    ///   - right: The other.
    /// - Returns: `true` if `left` is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State: CountedState {
    var now = Instant(offset: .zero)
    /// The earliest deadline first.
    var sleepers: [(deadline: Instant, wait: Wait)] = []
    var observers: [(count: Int, wait: Wait)] = []

    var count: Int { sleepers.count }
  }

  private let state = Lock(State())

  /// Creates a clock at offset zero.
  public init() {}

  /// The current moment.
  public var now: Instant { state.withLock(\.now) }

  /// Zero, because a manual clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep.
  public var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// The moment at which the next sleeper wakes; `nil` if no task sleeps.
  public var nextDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

  /// Advances the clock and wakes the sleepers that are due, the earliest deadline first.
  ///
  /// - Parameter duration: The duration to advance by.
  /// - Precondition: `duration` is not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time does not go backwards")
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let end =
        state.sleepers.firstIndex { $0.deadline > state.now } ?? state.sleepers.endIndex
      defer { state.sleepers.removeSubrange(..<end) }
      return state.sleepers[..<end].map(\.wait)
    }
    for wait in due { wait.end() }
  }

  /// Sleeps until a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Ignored, because waking is exact.
  /// - Throws: `CancellationError` if the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let wait: Wait? = state.change { state in
      guard deadline > state.now else { return nil }
      let wait = Wait()
      let index =
        state.sleepers.firstIndex { $0.deadline > deadline } ?? state.sleepers.endIndex
      state.sleepers.insert((deadline, wait), at: index)
      return wait
    }
    guard let wait else { return try Task.checkCancellation() }
    if await wait.untilEndOrCancellation() == .cancellation {
      state.withLock { state in state.sleepers.removeAll { $0.wait === wait } }
      throw CancellationError()
    }
  }

  /// Waits until a number of tasks sleep.
  ///
  /// - Parameters:
  ///   - count: The number of tasks.
  ///   - fileID: The file of the test that waits.
  ///   - line: The line of the test that waits.
  /// - Throws: ``NeverHeld`` after a minute; `CancellationError` if the task is cancelled.
  nonisolated(nonsending) public func waitForSleepers(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await state.wait(for: count, at: "\(fileID):\(line)") { "\($0) of \(count) tasks sleep" }
  }
}
