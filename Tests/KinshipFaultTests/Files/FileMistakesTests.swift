import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// The messages that a failing disk leads to.
struct FileMistakesTests {
  struct Dog: GraphRecord, Codable {
    let id: Int
    var name: String
  }

  @Test func `each message names the file and what to do`() async throws {
    var table = MistakeTable()
    let disk = SimulatedDisk()
    _ = try disk.openDirectory("/d", creating: true)
    let cache = try GraphCache(for: Dog.self)
    try await cache.put(contentsOf: (1...20).map { Dog(id: $0, name: "Rex") })
    let full = FaultyFiles(disk)
    full.fault = .always(.error(SystemErrorCode.noSpace), from: 1)
    await table.provoke(
      "save a snapshot on a full disk", naming: ["/d/dogs"], advice: "Free some space"
    ) {
      _ = try await cache.snapshot(to: "/d/dogs", in: full, at: .now)
    }
    _ = try await cache.snapshot(to: "/d/dogs", in: disk, at: .now)
    var bytes = try #require(disk.files(in: "/d")["dogs"])
    bytes[bytes.count / 2] ^= 1
    disk.put(bytes, "dogs", in: "/d")
    await table.provoke(
      "restore a snapshot with a damaged byte", naming: ["/d/dogs", "at byte"],
      advice: "`damage: .salvage`"
    ) {
      _ = try await GraphCache(for: Dog.self).restore(from: "/d/dogs", in: disk, at: .now)
    }
    table.printIfAsked()
    #expect(table.faults == [])
    #expect(table.count == 2)
  }
}
