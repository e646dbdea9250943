import Foundation
import Kinship
import KinshipTestSupport
import Testing

struct SystemFilesTests {
  @Test func `a file returns the bytes written`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try SystemFiles().openDirectory(temporary.path + "/new", creating: true)
    let file = try directory.open("file", .create)
    try file.write([1, 2, 3], at: 2)
    #expect(try file.bytes(10) == [0, 0, 1, 2, 3])
    #expect(try file.bytes(2, at: 3) == [2, 3])
    #expect(try file.bytes(2, at: 9) == [])
    try file.truncate(to: 3)
    try file.sync()
    try directory.sync()
    #expect(try directory.open("file", .read).size() == 3)
    try directory.rename("file", to: "other")
    #expect(try directory.list() == ["other"])
    try directory.remove("other")
    try directory.remove("other")
    #expect(try directory.list() == [])
    // A program that has the file open can continue to use it.
    #expect(try file.bytes(10) == [0, 0, 1])
  }

  @Test func `only the owner can read new files and directories`() throws {
    let temporary = try TemporaryDirectory()
    let path = temporary.path + "/new"
    let directory = try SystemFiles().openDirectory(path, creating: true)
    _ = try directory.open("file", .create)
    #expect(try TemporaryDirectory.permissions(path) == 0o700)
    #expect(try TemporaryDirectory.permissions(path + "/file") == 0o600)
  }

  @Test func `a directory is created once and only on request`() throws {
    let temporary = try TemporaryDirectory()
    let files = SystemFiles()
    let missing = #expect(throws: SystemError.self) {
      _ = try files.openDirectory(temporary.path + "/new")
    }
    #expect(missing?.code == SystemErrorCode.missing)
    _ = try files.openDirectory(temporary.path + "/new", creating: true)
    _ = try files.openDirectory(temporary.path + "/new", creating: true)
    #expect(throws: SystemError.self) {
      _ = try files.openDirectory(temporary.path + "/a/b", creating: true)
    }
  }

  @Test func `a file is created once and opened only if it is a file`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try SystemFiles().openDirectory(temporary.path)
    func code(_ name: String, _ mode: OpenMode) -> Int32? {
      #expect(throws: SystemError.self) { _ = try directory.open(name, mode) }?.code
    }
    #expect(code("file", .read) == SystemErrorCode.missing)
    #expect(code("file", .update) == SystemErrorCode.missing)
    _ = try directory.openOrCreate("file")
    _ = try directory.openOrCreate("file")
    #expect(code("file", .create) == SystemErrorCode.exists)
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path + "/link", withDestinationPath: "file")
    #expect(code("link", .read) == SystemErrorCode.link)
    #expect(code("link", .create) == SystemErrorCode.exists)
    #expect(try directory.isLink("link"))
    #expect(try !directory.isLink("file"))
    #expect(try !directory.isLink("none"))
    try FileManager.default.createDirectory(
      atPath: temporary.path + "/folder", withIntermediateDirectories: false)
    _ = code("folder", .update)
    #expect(mkfifo(temporary.path + "/pipe", 0o600) == 0)
    _ = code("pipe", .read)
  }

  @Test func `a lock is held once until its file is released`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try SystemFiles().openDirectory(temporary.path)
    let first = try directory.openOrCreate("lock")
    #expect(try first.lock())
    #expect(try first.lock())
    #expect(try !directory.openOrCreate("lock").lock())
    withExtendedLifetime(first) {}
  }

  @Test func `an error names the failed operation`() {
    let error = SystemError(.makeDirectory, "/a", SystemErrorCode.noSpace)
    #expect(
      error.description
        == "Could not make /a: No space left on device (28). Free some space on the device.")
  }

  @Test(arguments: [
    ("/a/b", "/a"), ("/a/b//", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b", "a"),
  ])
  func `the parent of a path is found`(path: String, parent: String) {
    #expect(parentPath(of: path) == parent)
  }
}
