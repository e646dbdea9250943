internal import Kinship

/// The files in which Linux reports memory, with contents chosen by a test.
package final class SimulatedMemory: Sendable {
  private let texts: Lock<[String: String]>

  /// Creates files.
  ///
  /// - Parameter texts: The contents by path.
  package init(_ texts: [String: String]) { self.texts = Lock(texts) }

  /// The contents of the file with a path; `nil` if there is none.
  package subscript(path: String) -> String? {
    get { texts.withLock { $0[path] } }
    set { texts.withLock { $0[path] = newValue } }
  }
}

extension SimulatedMemory {
  /// A group of version 2, as a container sees it, and how many bytes it may use.
  package static func container(limit: Int) -> SimulatedMemory {
    SimulatedMemory([
      "/proc/self/cgroup": "0::/\n",
      "/proc/self/mountinfo":
        "30 23 0:26 / /sys/fs/cgroup ro,nosuid shared:9 - cgroup2 cgroup rw,nsdelegate\n",
      "/sys/fs/cgroup/memory.max": "\(limit)\n",
      "/sys/fs/cgroup/memory.high": "max\n",
      "/sys/fs/cgroup/memory.current": "0\n",
    ])
  }

  /// How many bytes the container uses.
  package func use(_ bytes: Int) { self["/sys/fs/cgroup/memory.current"] = "\(bytes)\n" }

  /// The stall times of some tasks, and of all, in the container.
  package func stall(some: Duration, full: Duration) {
    func line(_ name: String, _ total: Duration) -> String {
      "\(name) avg10=0.00 avg60=0.00 avg300=0.00 total=\(Int(total / .microseconds(1)))\n"
    }
    self["/sys/fs/cgroup/memory.pressure"] = line("some", some) + line("full", full)
  }
}
