import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipMemoryPressure

/// How the memory groups of a process are found, and their memory use.
struct MemoryGroupTests {
  private static let unified = "30 23 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n"
  private static let memory = "35 31 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"

  private static func directories(_ groups: String, _ mounts: String) -> [String] {
    let files = SimulatedMemory(["/proc/self/cgroup": groups, "/proc/self/mountinfo": mounts])
    return MemoryGroup.all { files[$0] }.map(\.directory)
  }

  @Test func `memory groups are found from the innermost outwards`() {
    #expect(
      Self.directories("0::/system.slice/app.service\n", Self.unified) == [
        "/sys/fs/cgroup/system.slice/app.service", "/sys/fs/cgroup/system.slice",
        "/sys/fs/cgroup",
      ])
    #expect(
      Self.directories("5:devices:/\n4:cpu,memory:/a/b\n", Self.memory) == [
        "/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory",
      ])
  }

  @Test func `both versions of memory groups may be mounted`() {
    let mounts = "1 2 0:3 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n" + Self.memory + Self.unified
    #expect(
      Self.directories("4:memory:/a\n0::/b\n", mounts) == [
        "/sys/fs/cgroup/b", "/sys/fs/cgroup", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory",
      ])
  }

  @Test func `a container sees its own memory group at the top`() {
    // If a container knows its path outside, the path of the mount says how much of it to remove.
    let mounts = Self.memory.replacing("0:29 / ", with: "0:29 /docker/17 ")
    #expect(Self.directories("4:memory:/docker/17\n", mounts) == ["/sys/fs/cgroup/memory"])
    #expect(
      Self.directories("4:memory:/docker/17/a:b\n", mounts) == [
        "/sys/fs/cgroup/memory/a:b", "/sys/fs/cgroup/memory",
      ])
    #expect(Self.directories("4:memory:/elsewhere\n", mounts) == ["/sys/fs/cgroup/memory"])
    #expect(Self.directories("0::/../elsewhere\n", Self.unified) == ["/sys/fs/cgroup"])
  }

  @Test func `a process without memory groups finds none`() {
    #expect(Self.directories("", Self.unified).isEmpty)
    #expect(Self.directories("0::/a\n5:cpu:/\n", Self.memory).isEmpty)
    #expect(Self.directories("nothing:of\nthe sort", "- - -\na b c - cgroup2\n").isEmpty)
    #expect(MemoryGroup.all { _ in nil }.isEmpty)
  }

  private static func use(_ texts: [String: String]) -> MemoryGroup.Use? {
    let files = SimulatedMemory(
      [String: String](uniqueKeysWithValues: texts.map { ("/group/\($0.key)", $0.value) }))
    return MemoryGroup(directory: "/group").use { files[$0] }
  }

  @Test func `the tighter of two memory limits counts`() {
    let current = ["memory.current": "70\n"]
    func use(_ most: String, _ high: String) -> Int? {
      Self.use(current.merging(["memory.max": most, "memory.high": high]) { $1 })?.limit
    }
    #expect(use("100\n", "max\n") == 100)
    #expect(use("100\n", "80\n") == 80)
    #expect(use("max\n", "80\n") == 80)
    #expect(use("max\n", "max\n") == nil)
    #expect(Self.use(["memory.max": "100\n"]) == nil)
  }

  @Test func `reclaimable memory is not counted as used`() {
    let second = Self.use([
      "memory.max": "100", "memory.current": "70",
      "memory.stat": "anon 40\nfile 20\nactive_file 9\ninactive_file 10\nslab_reclaimable 1\n",
    ])
    #expect(second == MemoryGroup.Use(used: 50, limit: 100))
    let first = Self.use([
      "memory.limit_in_bytes": "100", "memory.usage_in_bytes": "70",
      "memory.stat": "active_file 1\ninactive_file 1\ntotal_active_file 9\ntotal_inactive_file 10",
    ])
    #expect(first == MemoryGroup.Use(used: 51, limit: 100))
    #expect(
      Self.use(["memory.limit_in_bytes": "9223372036854771712", "memory.usage_in_bytes": "70"])
        == nil)
  }

  /// The process is in some group or in none: both are correct.
  @Test func `the memory groups of this machine can be read`() {
    let text = { (path: String) in SystemFiles().text(of: path) }
    for group in MemoryGroup.all(text) {
      if let use = group.use(text) { #expect(use.limit > 0 && use.used >= 0) }
    }
    #expect(text("/proc/self/nothing") == nil)
    #if os(Linux)
      #expect(text("/proc/self/status")?.contains("VmRSS") == true)
    #endif
  }
}
