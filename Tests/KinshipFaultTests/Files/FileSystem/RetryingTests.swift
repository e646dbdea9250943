import Kinship
import KinshipTestSupport
import Testing

/// Tests of calls that do less than they were asked to.
struct RetryingTests {
  /// A file of 100 bytes, and the fault of later calls.
  static func file() throws -> (FaultyFiles, any Directory, any OpenFile) {
    let files = FaultyFiles(SimulatedDisk())
    let directory = try files.openDirectory("/d", creating: true)
    let file = try directory.open("file", .create)
    try file.write(Array(0..<100), at: 0)
    return (files, directory, file)
  }

  @Test(arguments: [FileFault.Kind.error(SystemErrorCode.interrupted), .short])
  func `a call interrupted once is retried`(kind: FileFault.Kind) throws {
    let (files, directory, file) = try Self.file()
    func once<Result>(_ body: () throws -> Result) rethrows -> Result {
      files.fault = .once(kind, at: files.count + 1)
      return try body()
    }
    try once { try file.write([7, 8, 9], at: 50) }
    #expect(try once { try file.bytes(5, at: 49) } == [49, 7, 8, 9, 53])
    try once { try file.sync() }
    #expect(try once { try file.size() } == 100)
    try once { try file.truncate(to: 60) }
    #expect(try once { try file.lock() })
    try once { try directory.rename("file", to: "other") }
    try once { try directory.sync() }
    #expect(try once { try directory.list() } == ["other"])
    #expect(try once { try directory.open("other", .read).size() } == 60)
    #expect(try once { try directory.isLink("other") } == false)
    try once { try directory.remove("other") }
    try once { _ = try files.openDirectory("/e", creating: true) }
    #expect(files.failed == 13)
  }

  @Test func `a call that is always cut short completes in the end`() throws {
    let (files, _, file) = try Self.file()
    files.fault = .always(.short, from: 1)
    try file.write(Array(100..<200), at: 0)
    #expect(try file.bytes(200) == Array(100..<200))
    #expect(files.failed >= 9)
  }

  @Test func `a call interrupted for ever is an error`() throws {
    let (files, _, file) = try Self.file()
    files.fault = .always(.error(SystemErrorCode.interrupted), from: 1)
    let error = #expect(throws: SystemError.self) { try file.sync() }
    #expect(error == SystemError(.sync, file.path, SystemErrorCode.interrupted))
  }

  @Test func `a write without progress is retried and then an error`() throws {
    let (files, _, file) = try Self.file()
    files.fault = .once(.nothing, at: files.count + 1)
    try file.write([1, 2], at: 0)
    #expect(try file.bytes(2) == [1, 2])
    files.fault = .always(.nothing, from: 1)
    let error = #expect(throws: SystemError.self) { try file.write([3], at: 0) }
    #expect(error == SystemError(.write, file.path, SystemErrorCode.deviceFailed))
  }

  @Test(arguments: [
    SystemErrorCode.noSpace, SystemErrorCode.deviceFailed, SystemErrorCode.tooManyFiles,
  ])
  func `other failures are not retried`(code: Int32) throws {
    let (files, _, file) = try Self.file()
    files.fault = .once(.error(code), at: files.count + 1)
    let error = #expect(throws: SystemError.self) { try file.write([3], at: 0) }
    #expect(error?.code == code)
    #expect(files.failed == 1)
  }
}
