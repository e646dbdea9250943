internal import Kinship

/// A clock whose time passes only when a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// async let late: Void = clock.sleep(for: .seconds(30))
/// try await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(30))
/// try await late
/// ```
public final class ManualClock: Clock {
  /// A moment of a manual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Creates a moment.
    ///
    /// - Parameter offset: The time since the clock was made.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The moment after some time.
    ///
    /// - Parameter duration: How much later, or earlier if it is negative.
    /// - Returns: That moment.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from this moment to another.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The time, negative if the other moment is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether one moment comes before another.
    ///
    /// - Parameters:
    ///   - left: One moment.
    ///   - right: The other.
    /// - Returns: `true` if `left` is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct State {
    var now = Instant(offset: .zero)
    /// The earliest deadline first.
    var sleepers: [(deadline: Instant, wait: Wait)] = []
    var headcount = Headcount()
  }

  private let state = Lock(State())

  /// Creates a clock at offset zero.
  public init() {}

  /// The current time.
  public var now: Instant { state.withLock(\.now) }

  /// No time at all: a manual clock is exact.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep at this moment.
  public var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// The deadline of the next sleeper, or `nil` if none sleeps.
  public var nextDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

  /// Advances the time, and wakes the sleepers whose deadlines have passed, the earliest first.
  ///
  /// - Parameter duration: The time to advance.
  /// - Precondition: `duration` is not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time does not go backwards")
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let end = state.sleepers.firstIndexWhereSorted { $0.deadline > state.now }
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
  /// - Throws: `CancellationError` at once where the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let (wait, observers): (Wait?, [Wait]) = state.withLock { state in
      guard deadline > state.now else { return (nil, []) }
      let wait = Wait()
      let index = state.sleepers.firstIndexWhereSorted { $0.deadline > deadline }
      state.sleepers.insert((deadline, wait), at: index)
      return (wait, state.headcount.reached(by: state.sleepers.count))
    }
    for observer in observers { observer.end() }
    guard let wait else { return try Task.checkCancellation() }
    if await wait.untilEndOrCancellation() == .cancellation {
      state.withLock { state in state.sleepers.removeAll { $0.wait === wait } }
      throw CancellationError()
    }
  }

  /// Waits until at least so many tasks sleep.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - fileID: The file of the test that waits.
  ///   - line: The line of the test that waits.
  /// - Throws: ``NeverHeld`` if it takes more than a minute; `CancellationError` at once if the
  ///   task is cancelled.
  nonisolated(nonsending) public func waitForSleepers(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let wait = state.withLock { $0.headcount.observer(of: count, current: $0.sleepers.count) }
    guard let wait else { return }
    do {
      try await wait.untilAwaited(at: "\(fileID):\(line)") {
        "\(sleeperCount) of \(count) tasks sleep"
      }
    } catch {
      state.withLock { $0.headcount.remove(wait) }
      throw error
    }
  }
}
