#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Kinship

/// A wall clock, so that ages stay right across launches.
struct TierClock: Sendable {
  private let elapsed: @Sendable () -> Duration

  /// - Parameter elapsed: Returns the time since 1970.
  init(_ elapsed: @escaping @Sendable () -> Duration) { self.elapsed = elapsed }

  /// Reads the wall clock once; a monotonic clock counts from then on, because it cannot be set.
  init() {
    let start = ContinuousClock.now
    let date = Duration.seconds(Date().timeIntervalSince1970)
    self.init { date + (ContinuousClock.now - start) }
  }

  /// The current time in microseconds since 1970.
  var now: Int { elapsed().microseconds }
}

extension Duration {
  /// The duration in microseconds; the largest integer if it exceeds 30,000 years.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return seconds.magnitude > 1 << 40
      ? (seconds < 0 ? .min : .max) : Int(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
