internal import Kinship

/// Processes that share a limit of memory: a control group of Linux, of either version.
struct MemoryGroup: Hashable, Sendable {
  /// Where the system tells of it.
  let directory: String

  /// How much of its limit a group uses.
  struct Use: Hashable, Sendable {
    /// How many bytes it uses, but for those that the system can take back by itself.
    let used: Int
    /// How many it may use before it is slowed down, or ended.
    let limit: Int

    /// The part of the limit that is used.
    var part: Double { limit > 0 ? Double(used) / Double(limit) : 1 }
  }

  /// The group of this process, and those around it: of version 2 first.
  ///
  /// - Parameter text: The text of the file with a path, or `nil` where there is none.
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

  /// How much of its limit it uses.
  ///
  /// - Parameter text: The text of the file with a path, or `nil` where there is none.
  /// - Returns: How much; `nil` if it has no limit.
  func use(_ text: (String) -> String?) -> Use? {
    func number(_ name: String) -> Int? {
      text("\(directory)/\(name)").flatMap { Int($0.prefix { $0.isNumber }) }
    }
    // Version 1 says so much for no limit that there is not so much memory.
    let limits = ["memory.max", "memory.high", "memory.limit_in_bytes"].compactMap(number)
    guard let limit = limits.min(), limit < 1 << 60,
      let used = number("memory.current") ?? number("memory.usage_in_bytes")
    else { return nil }
    let lines = (text("\(directory)/memory.stat") ?? "").split(separator: "\n")
    let statistics = lines.reduce(into: [Substring: Int]()) { statistics, line in
      let words = line.split(separator: " ")
      if words.count == 2 { statistics[words[0]] = Int(words[1]) }
    }
    // Those of version 1 are of the group alone but for the ones that begin with "total".
    let names: [Substring] = ["active_file", "inactive_file", "slab_reclaimable"]
    let reclaimable = names.reduce(0) { sum, name in
      sum + (statistics["total_\(name)"] ?? statistics[name] ?? 0)
    }
    return Use(used: max(0, used - reclaimable), limit: limit)
  }
}

/// Where the groups that tell of memory are among the files.
private struct Mount {
  /// Whether they are of version 2.
  let isUnified: Bool
  /// The group that is seen at the path.
  let root: String
  let path: String

  /// Reads a line of `mountinfo`.
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

  /// A group, and those around it as far as they are seen here.
  func groups(around group: String) -> [MemoryGroup] {
    let components = group.split(separator: "/")
    let start = root.split(separator: "/")
    // Of a group elsewhere, the one here is the nearest that is known.
    let isHere = components.starts(with: start) && !components.contains("..")
    let inner = isHere ? components.dropFirst(start.count) : []
    return (0...inner.count).map { count in
      MemoryGroup(directory: ([path[...]] + inner.dropLast(count)).joined(separator: "/"))
    }
  }
}
