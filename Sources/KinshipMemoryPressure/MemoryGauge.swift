internal import Kinship

/// What files of Linux say of memory, and what of it is worth telling.
package struct MemoryGauge: Sendable {
  /// From which parts of a limit on its use is a warning, and critical.
  static let marks = (warning: 0.8, critical: 0.9)
  /// From which part of the time on it is a warning that some wait for memory, and critical that
  /// all do.
  static let stalled = 0.1
  /// For how long it looks away, at least and at most.
  static let rests: (least: Duration, most: Duration) = (.milliseconds(20), .seconds(1))
  /// How much memory somebody may take in a second: more may escape it.
  static let speed = Double(1 << 30)

  private let groups: [MemoryGroup]
  private let stallPaths: [String]
  /// How much was waited before the second that is looked at, and when that was.
  private var stall: (total: MemoryStall, time: Duration)?
  /// When a warning was told that still is one.
  private var warned: Duration?

  /// Finds out to which groups the process belongs.
  ///
  /// - Parameter text: The text of the file with a path, or `nil` where there is none.
  package init(_ text: (String) -> String?) {
    groups = MemoryGroup.all(text)
    // Of one of version 1 it is not known.
    stallPaths =
      groups.prefix(1).map { $0.directory + "/memory.pressure" }
      + ["/proc/pressure/memory"]
  }

  /// Looks at the files.
  ///
  /// - Parameters:
  ///   - now: When.
  ///   - text: The text of the file with a path, or `nil` where there is none.
  /// - Returns: The level, if it is to be told, and when to look again.
  package mutating func look(
    at now: Duration, _ text: (String) -> String?
  ) -> (level: MemoryPressure.Level?, rest: Duration) {
    let uses = groups.compactMap { $0.use(text) }
    let levels = [levelToTell(uses.compactMap(\.level).max(), at: now), stallLevel(at: now, text)]
    let rest = uses.map(\.rest).min() ?? Self.rests.most
    return (levels.compactMap(\.self).max(), min(max(rest, Self.rests.least), Self.rests.most))
  }

  private mutating func levelToTell(
    _ level: MemoryPressure.Level?, at now: Duration
  ) -> MemoryPressure.Level? {
    if level == nil { warned = nil }
    if level == .warning, let warned, now - warned < Self.rests.most { return nil }
    if level != nil { warned = now }
    return level
  }

  /// The level of a second that has passed.
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
  /// How little memory is left.
  var level: MemoryPressure.Level? {
    part >= MemoryGauge.marks.critical
      ? .critical : part >= MemoryGauge.marks.warning ? .warning : nil
  }

  /// How long it takes at least until the next mark is reached.
  var rest: Duration {
    let marks = [MemoryGauge.marks.warning, MemoryGauge.marks.critical]
    let next = (marks.first { $0 > part } ?? 1) * Double(limit)
    return .seconds((next - Double(used)) / MemoryGauge.speed)
  }
}

/// How long processes have waited for memory, ever.
struct MemoryStall: Sendable {
  /// When at least one of them waited.
  let some: Duration
  /// When all of them did that had something to do.
  let full: Duration

  /// Reads pressure stall information.
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
