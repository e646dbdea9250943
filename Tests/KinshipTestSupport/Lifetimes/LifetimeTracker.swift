internal import Kinship

/// Counts the live values, to show that none is kept too long.
///
/// ```swift
/// try LifetimeTracker.verifyNoLeaks { tracker in
///   var table = Table<Tracked<Int>>()
///   for number in 0..<100 { table.insert(tracker.track(number)) }
///   table.removeAll()
///   try verifyEqual(tracker.liveCount, 0, "what an empty table holds")
/// }
/// ```
public final class LifetimeTracker: Sendable {
  private struct Counts {
    var tracked = 0
    var live = 0
  }

  private let counts = Lock(Counts())

  /// Creates a tracker.
  public init() {}

  /// The number of live values.
  ///
  /// Copies of a value count as one.
  public var liveCount: Int { counts.withLock(\.live) }

  /// The number of values tracked so far.
  public var trackedCount: Int { counts.withLock(\.tracked) }

  /// Tracks a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: The value, counted as alive while a copy of this exists.
  public func track<Value>(_ value: Value) -> Tracked<Value> {
    Tracked(value, lifetime: Lifetime(tracker: self))
  }

  /// Runs a body, and verifies that none of its tracked values has outlived it.
  ///
  /// - Parameter body: The code to run.
  /// - Returns: The body's result.
  /// - Throws: Any error of the body, or a ``Mismatch`` if a tracked value is still alive.
  public static func verifyNoLeaks<Result>(
    _ body: (LifetimeTracker) throws -> Result
  ) throws -> Result {
    let tracker = LifetimeTracker()
    let result = try body(tracker)
    try verifyEqual(tracker.liveCount, 0, "the count of leaked values")
    return result
  }

  /// The state that all copies of one tracked value share.
  final class Lifetime: Sendable {
    private let tracker: LifetimeTracker

    init(tracker: LifetimeTracker) {
      self.tracker = tracker
      tracker.counts.withLock {
        $0.tracked += 1
        $0.live += 1
      }
    }

    deinit {
      tracker.counts.withLock { $0.live -= 1 }
    }
  }
}
