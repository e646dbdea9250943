import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// A snapshot after its program was killed while it replaced an old one.
@Suite(.tags(.lawF2))
struct SnapshotKillTests {
  @Test func `a kill leaves the old or the new snapshot`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/family.kinship"
    let old = try await SnapshotWorkload.cache("old")
    let counting = FaultyFiles(SystemFiles())
    try await SnapshotWorkload.save(old, to: path, in: counting)
    let count = counting.count
    var (killed, oldFound) = (0, 0)
    for call in 1...count + 1 {
      try await SnapshotWorkload.save(old, to: path, in: SystemFiles())
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
      let wasKilled = try await KilledChild(
        "snapshot", path, log: directory.url.appending(path: "log")
      ).run(untilCall: call)
      if wasKilled { killed += 1 }
      let acknowledged = try Data(contentsOf: directory.url.appending(path: "log")).count
      try FileManager.default.removeItem(at: directory.url.appending(path: "log"))
      let name = try await SnapshotWorkload.name(in: path, SystemFiles())
      #expect(name == "new" || (name == "old" && acknowledged == 0), "killed before call \(call)")
      if name == "old" { oldFound += 1 }
    }
    print(
      "Kills: \(killed) children that saved a snapshot; \(oldFound) times the old one was there.")
    #expect(killed >= count && oldFound > 0 && oldFound < count)
  }
}
