#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Kinship

/// Tells the time of day, which goes on while the program does not run.
struct TierClock: Sendable {
  private let elapsed: @Sendable () -> Duration

  /// - Parameter elapsed: The time since 1970.
  init(_ elapsed: @escaping @Sendable () -> Duration) { self.elapsed = elapsed }

  /// The time of day is read once, and from then on a clock counts that nobody can set.
  init() {
    let start = ContinuousClock.now
    let date = Duration.seconds(Date().timeIntervalSince1970)
    self.init { date + (ContinuousClock.now - start) }
  }

  /// The microseconds since 1970.
  var now: Int { elapsed().microseconds }
}

extension Duration {
  /// How many microseconds it is: as many as there can be of one above 30,000 years.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return seconds.magnitude > 1 << 40
      ? (seconds < 0 ? .min : .max) : Int(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
