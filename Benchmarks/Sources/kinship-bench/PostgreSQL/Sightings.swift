import Foundation

/// The times until which a reader has shown each version of a record.
struct Sightings {
  private var seen: [(version: Int, until: Int)] = []
  /// The version that was shown last.
  var last = 0
  /// The number of times that the store was asked for the record.
  var fetches = 0

  /// The moment by a clock that all processes share, in nanoseconds.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// Notes that a version is not shown any longer.
  mutating func end(_ version: Int) { seen.append((version, Self.now)) }

  /// Notes that another version is shown.
  mutating func show(_ version: Int) {
    if version != last { end(last) }
    last = version
  }

  /// Returns the time for which an older version was shown after each commit, in nanoseconds.
  ///
  /// - Parameter commits: The versions and when they were acknowledged, in order.
  /// - Returns: A figure for each commit.
  func staleness(of commits: [(version: Int, moment: Int)]) -> [Double] {
    var (next, until) = (0, 0)
    return commits.map { commit in
      while next < seen.count, seen[next].version < commit.version {
        until = max(until, seen[next].until)
        next += 1
      }
      return Double(max(0, until - commit.moment))
    }
  }
}

extension Sightings {
  /// The text form for another process.
  var text: String {
    "\(fetches) \(last)\n" + seen.map { "\($0.version) \($0.until)\n" }.joined()
  }

  init?(text: String) {
    let pairs = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    guard let first = pairs.first, pairs.allSatisfy({ $0.count == 2 }) else { return nil }
    (fetches, last) = (first[0], first[1])
    seen = pairs.dropFirst().map { ($0[0], $0[1]) }
  }
}
