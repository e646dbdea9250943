internal import Kinship

/// A group of processes with a common memory limit: a Linux control group of either version.
struct MemoryGroup: Hashable, Sendable {
  /// The directory of its files.
  let directory: String

  /// The memory use of a group and its limit.
  struct Use: Hashable, Sendable {
    /// The bytes in use, except those that the system can reclaim by itself.
    let used: Int
    /// The bytes that it may use before it is slowed down or killed.
    let limit: Int

    /// The part of the limit that is used.
    var part: Double { limit > 0 ? Double(used) / Double(limit) : 1 }
  }

  /// The group of this process and the groups around it, those of version 2 first.
  ///
  /// - Parameter text: Returns the text of the file at a path, or `nil` if it does not exist.
  /// - Returns: The groups, each before those around it.
  static func all(_ text: (String) -> String?) -> [MemoryGroup] {
    let mounts = (text("/proc/self/mountinfo") ?? "").split(separator: "\n")
      .compactMap { Mount($0) }
    var groups: [(isUnified: Bool, groups: [MemoryGroup])] = []
    for line in (text("/proc/self/cgroup") ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isUnified = parts[1].isEmpty
      guard isUnified || parts[1].split(separator: ",").contains("memory"),
        let mount = mounts.first(where: { $0.isUnified == isUnified })
      else { continue }
      groups.append((isUnified, mount.groups(around: String(parts[2]))))
    }
    return groups.filter(\.isUnified).flatMap(\.groups)
      + groups.filter { !$0.isUnified }
      .flatMap(\.groups)
  }

  /// Reads the memory use and the limit.
  ///
  /// - Parameter text: Returns the text of the file at a path, or `nil` if it does not exist.
  /// - Returns: The use; `nil` if the group has no limit.
  func use(_ text: (String) -> String?) -> Use? {
    func number(_ name: String) -> Int? {
      text("\(directory)/\(name)").flatMap { Int($0.prefix { $0.isNumber }) }
    }
    // Version 1 expresses "no limit" by a number larger than any memory.
    let limits = ["memory.max", "memory.high", "memory.limit_in_bytes"].compactMap(number)
    guard let limit = limits.min(), limit < 1 << 60,
      let used = number("memory.current") ?? number("memory.usage_in_bytes")
    else { return nil }
    let lines = (text("\(directory)/memory.stat") ?? "").split(separator: "\n")
    let statistics = lines.reduce(into: [Substring: Int]()) { statistics, line in
      let words = line.split(separator: " ")
      if words.count == 2 { statistics[words[0]] = Int(words[1]) }
    }
    // In version 1, only the values that begin with "total" include child groups.
    let names: [Substring] = ["active_file", "inactive_file", "slab_reclaimable"]
    let reclaimable = names.reduce(0) { sum, name in
      sum + (statistics["total_\(name)"] ?? statistics[name] ?? 0)
    }
    return Use(used: max(0, used - reclaimable), limit: limit)
  }
}

/// A mount point of control groups that account for memory.
private struct Mount {
  /// Whether they are of version 2.
  let isUnified: Bool
  /// The group that is mounted there.
  let root: String
  let path: String

  /// Parses a line of `mountinfo`.
  init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard let dash = fields.firstIndex(of: "-"), dash > 5, fields.count > dash + 3 else {
      return nil
    }
    isUnified = fields[dash + 1] == "cgroup2"
    let isOfMemory =
      fields[dash + 1] == "cgroup" && fields[dash + 3].split(separator: ",").contains("memory")
    guard isUnified || isOfMemory else { return nil }
    root = String(fields[3])
    path = String(fields[4])
  }

  /// The group at a path and those around it that are visible at this mount point.
  func groups(around group: String) -> [MemoryGroup] {
    let components = group.split(separator: "/")
    let start = root.split(separator: "/")
    // If the group is mounted elsewhere, the mounted one is the nearest that is known.
    let isHere = components.starts(with: start) && !components.contains("..")
    let inner = isHere ? components.dropFirst(start.count) : []
    return (0...inner.count).map { count in
      MemoryGroup(directory: ([path[...]] + inner.dropLast(count)).joined(separator: "/"))
    }
  }
}
