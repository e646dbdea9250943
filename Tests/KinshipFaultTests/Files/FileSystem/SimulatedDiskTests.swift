import Kinship
import KinshipTestSupport
import Testing

struct SimulatedDiskTests {
  static func directory(_ disk: SimulatedDisk) throws -> any Directory {
    try disk.openDirectory("/d", creating: true)
  }

  /// The contents after many losses of power.
  static func outcomes(_ disk: SimulatedDisk) -> Set<[String: [UInt8]]> {
    Set((0..<300).map { disk.afterPowerLoss(seed: $0).files(in: "/d") })
  }

  @Test func `synced data stays`() throws {
    let disk = SimulatedDisk()
    let directory = try Self.directory(disk)
    let file = try directory.open("a", .create)
    try file.write([1, 2, 3], at: 0)
    try file.sync()
    try directory.sync()
    #expect(Self.outcomes(disk) == [["a": [1, 2, 3]]])
  }

  @Test func `an unsynced name or its contents may be lost`() throws {
    let disk = SimulatedDisk()
    let directory = try Self.directory(disk)
    let file = try directory.open("a", .create)
    try file.write([1], at: 0)
    #expect(Self.outcomes(disk) == [[:], ["a": []], ["a": [0]], ["a": [1]]])
    try file.sync()
    #expect(Self.outcomes(disk) == [[:], ["a": [1]]])
  }

  @Test func `data whose sync failed is lost despite a later sync`() throws {
    let disk = SimulatedDisk()
    disk.put([1, 1, 1], "a", in: "/d")
    let files = FaultyFiles(disk)
    let file = try files.openDirectory("/d").open("a", .update)
    try file.write([2], at: 0)
    files.fault = .once(.errorAfterPart(SystemErrorCode.deviceFailed), at: files.count + 1)
    #expect(throws: SystemError.self) { try file.sync() }
    try file.write([3], at: 2)
    try file.sync()
    #expect(try file.bytes(3) == [2, 1, 3])
    #expect(Self.outcomes(disk) == [["a": [1, 1, 3]]])
  }

  @Test func `sectors are lost in any order`() throws {
    let disk = SimulatedDisk()
    disk.put([UInt8](repeating: 1, count: 1_024), "a", in: "/d")
    let file = try Self.directory(disk).open("a", .update)
    try file.write([UInt8](repeating: 2, count: 1_024), at: 0)
    let sectors = Self.outcomes(disk).map { [$0["a"]?[0], $0["a"]?[600]] }
    #expect(Set(sectors) == [[1, 1], [1, 2], [2, 1], [2, 2]])
  }

  @Test func `a rename is kept or lost as a whole`() throws {
    let disk = SimulatedDisk()
    disk.put([1], "a", in: "/d")
    disk.put([2], "b", in: "/d")
    try Self.directory(disk).rename("a", to: "b")
    #expect(Self.outcomes(disk) == [["a": [1], "b": [2]], ["b": [1]]])
  }

  @Test func `a directory may be lost until its parent is synced`() throws {
    let disk = SimulatedDisk()
    try disk.tryMakeDirectory("/d")
    let codes = Set(
      (UInt64(0)..<100).map { seed -> Int32 in
        do throws(SystemError) {
          _ = try disk.afterPowerLoss(seed: seed).openDirectory("/d")
          return 0
        } catch { return error.code }
      })
    #expect(codes == [0, SystemErrorCode.missing])
  }

  @Test func `programs see their own changes`() throws {
    let disk = SimulatedDisk()
    let directory = try Self.directory(disk)
    let file = try directory.openOrCreate("a")
    #expect(try file.lock())
    #expect(try !directory.openOrCreate("a").lock())
    try file.write([1, 2, 3, 4], at: 1)
    try file.truncate(to: 3)
    try directory.rename("a", to: "b")
    #expect(disk.files(in: "/d") == ["b": [0, 1, 2]])
    #expect(disk.copy().files(in: "/d") == ["b": [0, 1, 2]])
    try directory.remove("b")
    #expect(throws: SystemError.self) { try directory.rename("b", to: "c") }
    #expect(try file.bytes(9) == [0, 1, 2])
  }
}
