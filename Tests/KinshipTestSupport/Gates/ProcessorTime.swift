internal import Foundation

/// The processor time used, which does not depend on other work of the machine.
public enum ProcessorTime {
  /// The processor time of the current thread so far.
  public static var ofThread: Duration { time(CLOCK_THREAD_CPUTIME_ID) }

  /// Returns the ratio of processor times if the input grows fourfold: about 4 if the time grows
  /// with the input, 16 if it grows with its square.
  ///
  /// - Parameters:
  ///   - count: The size of the smaller input.
  ///   - body: Processes an input of a size, on the current thread.
  /// - Returns: The ratio of the shortest of three measurements each.
  /// - Throws: The error of the work.
  public static func growth(from count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    var (small, large) = (Duration.seconds(3_600), Duration.seconds(3_600))
    for _ in 0..<3 {
      small = min(small, try time(of: { try body(count) }))
      large = min(large, try time(of: { try body(4 * count) }))
    }
    return large / small
  }

  private static func time(of body: () throws -> Void) rethrows -> Duration {
    let start = ofThread
    try body()
    return ofThread - start
  }

  private static func time(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
