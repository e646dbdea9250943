internal import Kinship

/// Derives pressure levels from the memory files of Linux.
package struct MemoryGauge: Sendable {
  /// The parts of the limit at which a warning and a critical level begin.
  static let marks = (warning: 0.8, critical: 0.9)
  /// The part of the time from which waiting for memory is a warning if some processes wait, and
  /// critical if all do.
  static let stalled = 0.1
  /// The shortest and the longest time between two looks.
  static let rests: (least: Duration, most: Duration) = (.milliseconds(20), .seconds(1))
  /// The assumed maximum rate of allocation in bytes per second; a faster one may go unnoticed.
  static let speed = Double(1 << 30)

  private let groups: [MemoryGroup]
  private let stallPaths: [String]
  /// The total stall at the start of the current second, and the time of that start.
  private var stall: (total: MemoryStall, time: Duration)?
  /// The time of the last warning, if it still holds.
  private var warned: Duration?

  /// Finds the control groups of the process.
  ///
  /// - Parameter text: Returns the text of the file at a path, or `nil` if it does not exist.
  package init(_ text: (String) -> String?) {
    groups = MemoryGroup.all(text)
    // For a group of version 1 it is not known.
    stallPaths =
      groups.prefix(1).map { $0.directory + "/memory.pressure" }
      + ["/proc/pressure/memory"]
  }

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - text: Returns the text of the file at a path, or `nil` if it does not exist.
  /// - Returns: The level, if it must be reported, and the time until the next look.
  package mutating func look(
    at now: Duration, _ text: (String) -> String?
  ) -> (level: MemoryPressure.Level?, rest: Duration) {
    let uses = groups.compactMap { $0.use(text) }
    let levels = [
      levelToReport(uses.compactMap(\.level).max(), at: now), stallLevel(at: now, text),
    ]
    let rest = uses.map(\.rest).min() ?? Self.rests.most
    return (levels.compactMap(\.self).max(), min(max(rest, Self.rests.least), Self.rests.most))
  }

  private mutating func levelToReport(
    _ level: MemoryPressure.Level?, at now: Duration
  ) -> MemoryPressure.Level? {
    if level == nil { warned = nil }
    if level == .warning, let warned, now - warned < Self.rests.most { return nil }
    if level != nil { warned = now }
    return level
  }

  /// The level of a second that has ended.
  private mutating func stallLevel(
    at now: Duration, _ text: (String) -> String?
  ) -> MemoryPressure.Level? {
    if let stall, now - stall.time < Self.rests.most { return nil }
    guard let total = stallPaths.compactMap({ text($0).flatMap { MemoryStall($0) } }).first else {
      return nil
    }
    defer { stall = (total, now) }
    guard let stall else { return nil }
    let enough = (now - stall.time) * Self.stalled
    if total.full - stall.total.full >= enough { return .critical }
    return total.some - stall.total.some >= enough ? .warning : nil
  }
}

extension MemoryGroup.Use {
  /// The level of this use.
  var level: MemoryPressure.Level? {
    part >= MemoryGauge.marks.critical
      ? .critical : part >= MemoryGauge.marks.warning ? .warning : nil
  }

  /// The minimum time until the next mark can be reached.
  var rest: Duration {
    let marks = [MemoryGauge.marks.warning, MemoryGauge.marks.critical]
    let next = (marks.first { $0 > part } ?? 1) * Double(limit)
    return .seconds((next - Double(used)) / MemoryGauge.speed)
  }
}

/// The total time for which processes have waited for memory.
struct MemoryStall: Sendable {
  /// The time for which at least one process waited.
  let some: Duration
  /// The time for which all processes that had work waited.
  let full: Duration

  /// Parses pressure stall information.
  init?(_ text: String) {
    func total(_ name: String) -> Duration? {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      let field = line?.split(separator: " ").first { $0.hasPrefix("total=") }
      return field.flatMap { Int64($0.dropFirst("total=".count)) }.map { .microseconds($0) }
    }
    guard let some = total("some") else { return nil }
    self.some = some
    full = total("full") ?? .zero
  }
}
