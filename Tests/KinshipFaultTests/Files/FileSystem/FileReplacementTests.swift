import Foundation
import Kinship
import KinshipTestSupport
import Testing

struct FileReplacementTests {
  static let old = [UInt8](repeating: 1, count: 2_000)
  static let new = [UInt8](repeating: 2, count: 3_000)

  /// Replaces a file in three pieces.
  static func replace(in files: any FileSystem) throws {
    let directory = try files.openDirectory("/d")
    let replacement = try FileReplacement(of: "file", in: directory)
    for start in stride(from: 0, to: new.count, by: 1_000) {
      try replacement.write(Array(new[start..<start + 1_000]))
    }
    #expect(replacement.count == new.count)
    try replacement.publish()
  }

  static func disk() -> SimulatedDisk {
    let disk = SimulatedDisk()
    disk.put(old, "file", in: "/d")
    return disk
  }

  @Test func `a file is replaced as a whole and only its owner can read it`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try SystemFiles().openDirectory(temporary.path)
    for bytes in [[1, 2, 3], [4, 5]] as [[UInt8]] {
      let replacement = try FileReplacement(of: "file", in: directory)
      try replacement.write(bytes)
      try replacement.publish()
      #expect(try directory.open("file", .read).bytes(10) == bytes)
    }
    #expect(try directory.list() == ["file"])
    #expect(try TemporaryDirectory.permissions(temporary.path + "/file") == 0o600)
  }

  @Test func `an abandoned replacement leaves nothing behind`() throws {
    let disk = Self.disk()
    do {
      let replacement = try FileReplacement(of: "file", in: disk.openDirectory("/d"))
      try replacement.write(Self.new)
    }
    #expect(disk.files(in: "/d") == ["file": Self.old])
  }

  @Test func `a link is not replaced`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try SystemFiles().openDirectory(temporary.path)
    try directory.open("file", .create).write([1], at: 0)
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path + "/link", withDestinationPath: "file")
    let error = #expect(throws: SystemError.self) {
      _ = try FileReplacement(of: "link", in: directory)
    }
    #expect(error?.code == SystemErrorCode.link)
    #expect(try directory.open("file", .read).bytes(10) == [1])
  }

  @Test func `unmapped are removed except those still being written`() throws {
    let disk = Self.disk()
    disk.put([9], ".file.kinship-tmp-1", in: "/d")
    disk.put([9], ".other.kinship-tmp-1", in: "/d")
    let directory = try disk.openDirectory("/d")
    let replacement = try FileReplacement(of: "file", in: directory)
    try FileReplacement.removeTemporaryFiles(of: "file", in: directory)
    try replacement.publish()
    #expect(try directory.list() == [".other.kinship-tmp-1", "file"])
  }

  /// Every call fails in every way, once or from then on.
  @Test func `any failure leaves the old file or the new one`() throws {
    let counting = FaultyFiles(Self.disk())
    try Self.replace(in: counting)
    var failures = 0
    for call in 1...counting.count {
      for kind in FileFault.kinds {
        for fault in [FileFault.once(kind, at: call), .always(kind, from: call)] {
          let disk = Self.disk()
          let result = Result { try Self.replace(in: FaultyFiles(disk, fault: fault)) }
          let left = disk.files(in: "/d")
          switch result {
          case .success: #expect(left == ["file": Self.new])
          case .failure(FileReplacementError.unconfirmed): #expect(left == ["file": Self.new])
          case .failure(let error):
            #expect(error is SystemError || error is FileReplacementError)
            #expect(left["file"] == Self.old)
            // If no call succeeds any longer, the temporary file cannot be removed either.
            if fault.calls.count == 1 { #expect(left.count == 1) }
            failures += 1
          }
          try FileReplacement.removeTemporaryFiles(of: "file", in: disk.openDirectory("/d"))
          #expect(disk.files(in: "/d").count == 1)
        }
      }
    }
    #expect(failures > 50)
  }

  @Test func `a power loss leaves the old file or the new one`() throws {
    let disk = Self.disk()
    let images = Lock<[(call: Int, disk: SimulatedDisk)]>([])
    let files = FaultyFiles(disk) { call in
      for seed in 0..<20 {
        let image = disk.afterPowerLoss(seed: UInt64(call.number * 100 + seed))
        images.withLock { $0.append((call.number, image)) }
      }
    }
    try Self.replace(in: files)
    for seed in 0..<20 {
      #expect(disk.afterPowerLoss(seed: UInt64(seed)).files(in: "/d")["file"] == Self.new)
    }
    let found = images.withLock { $0 }.map { $0.disk.files(in: "/d")["file"] }
    #expect(Set(found) == [Self.old, Self.new])
    #expect(found.count >= 120)
  }
}
