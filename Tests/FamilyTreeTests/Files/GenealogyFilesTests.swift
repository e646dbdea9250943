import Foundation
import Kinship
import KinshipFileStore
import KinshipProgram
import Testing

@testable import family_tree

/// Tests of stores in directories only.
struct GenealogyFilesTests {
  /// Runs a body with the small family's file and a directory that does not exist yet.
  private func withFamily(_ body: (_ file: String, _ directory: String) async throws -> Void)
    async throws
  {
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      try await body(file, file + ".store")
    }
  }

  private func store(at directory: String, _ schema: GraphSchema) async throws -> FileStore {
    try await FileStore(at: URL(filePath: directory), schema: schema)
  }

  /// The last segment of the log that is not empty.
  private func log(in directory: String) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    let name = try #require(names.filter { $0.hasSuffix(".kinlog") }.max())
    return URL(filePath: directory).appending(path: name)
  }

  @Test func `reading changes no file`() async throws {
    try await withFamily { file, directory in
      _ = await run(file, "--store", directory)
      let before = try contents(of: directory)
      #expect(!before.isEmpty)
      _ = await run("--store", directory, "--summary")
      #expect(try contents(of: directory) == before)
    }
  }

  @Test func `an interrupted import is completed`() async throws {
    try await withFamily { file, directory in
      let schema = try GraphSchema(
        Person.self, Family.self, Event.self, Place.self, Origin.self)
      try await store(at: directory, schema).close()
      #expect(await run("--store", directory).status == .unreadable)
      let (status, console) = await run(file, "--store", directory)
      #expect(status == .success)
      #expect(console.complaints == ["\(directory): 17 records written"])
    }
  }

  @Test func `a store is open in one program at a time`() async throws {
    try await withFamily { file, directory in
      _ = await run(file, "--store", directory)
      let open = try #require(
        try await StoreLocation.directory(directory).open(isEdited: false) as? FileStore)
      let (status, console) = await run("--store", directory)
      #expect(status == .unreadable)
      #expect(
        console.complaints == [
          "\(directory): error: It cannot be read: The store at \(directory) is open elsewhere. "
            + "Close it there first, or open it here for reading."
        ])
      try await open.close()
      #expect(await run("--store", directory).status == .success)
    }
  }

  @Test func `a run that fails releases the store`() async throws {
    try await withFamily { file, directory in
      #expect(await run(file, "--store", directory, "--find", "zack").status == .notFound)
      try Data(ownAncestor.utf8).write(to: URL(filePath: file))
      #expect(await run(file, "--store", directory).status == .badData)
      #expect(await run("--store", directory).status == .success)
    }
  }

  @Test func `an incomplete edit is reported`() async throws {
    try await withFamily { file, directory in
      _ = await run(file, "--store", directory)
      let plain = await run("--store", directory).console.output
      let log = try log(in: directory)
      try (Data(contentsOf: log) + Data([1, 2, 3])).write(to: log)
      let cut = await run("--store", directory)
      #expect(cut.status == .success)
      #expect(cut.console.output == plain)
      #expect(
        cut.console.complaints.first?.hasSuffix(" An edit was not written to its end.") == true)
      #expect(await run("--store", directory).console.complaints == [])
    }
  }

  @Test func `damage is reported`() async throws {
    try await withFamily { file, directory in
      _ = await run(file, "--store", directory)
      let log = try log(in: directory)
      let whole = try Data(contentsOf: log)

      try whole.dropLast(20).write(to: log)
      let short = await run("--store", directory)
      #expect(short.status == .unreadable)
      #expect(
        short.console.complaints.first?.contains("\(log.path) is damaged at byte ") == true)

      var changed = whole
      for index in 200..<changed.count - 50 { changed[index] ^= 1 }
      try changed.write(to: log)
      for question in ["--summary", "--stats"] {
        let (status, console) = await run("--store", directory, question)
        #expect(status == .unreadable)
        #expect(console.complaints.count == 1)
        #expect(console.complaints.first?.contains(" is damaged at byte ") == true)
      }

      try whole.write(to: log)
      #expect(await run("--store", directory).status == .success)
    }
  }

  @Test func `a damaged origin is bad data`() async throws {
    try await withFamily { file, directory in
      _ = await run(file, "--store", directory)
      let stored = try #require(
        try await StoreLocation.directory(directory).open(isEdited: false) as? FileStore)
      let origin = try #require(try await stored.fetch(Origin.self, ids: [1]).first)
      try await stored.close()
      let log = try log(in: directory)
      var bytes = try Data(contentsOf: log)
      let mark = try #require(bytes.firstRange(of: Data(origin.checksum.utf8)))
      bytes[mark.lowerBound] ^= 1
      try bytes.write(to: log)
      let (status, console) = await run("--store", directory, "--find", "lee")
      #expect(status == .unreadable)
      #expect(
        console.complaints.first?.contains("\(log.path) is damaged at byte ") == true)
    }
  }

  @Test func `another program's store is left alone`() async throws {
    struct Thing: GraphRecord, Codable { let id: Int }
    try await withFamily { file, directory in
      let store = try await store(at: directory, GraphSchema(Thing.self))
      try await GraphCache(for: Thing.self, store: store).write { tx in
        try tx.insert(Thing(id: 1))
      }
      try await store.close()
      let before = try contents(of: directory)
      for arguments in [[file], []] {
        let (status, console) = await run(arguments + ["--store", directory])
        #expect(status == .unreadable)
        #expect(console.complaints.first?.hasPrefix("\(directory): error: ") == true)
      }
      #expect(try contents(of: directory) == before)
    }
  }

  /// A store whose persons have no years yet would answer that no one was ever born.
  @Test func `a store of an earlier version is left alone`() async throws {
    struct FormerPerson: GraphRecord, Codable {
      static let recordName = "Person"
      let id: String
    }
    try await withFamily { file, directory in
      let store = try await store(at: directory, GraphSchema(FormerPerson.self))
      try await GraphCache(for: FormerPerson.self, store: store).write { tx in
        try tx.insert(FormerPerson(id: "@I1@"))
      }
      try await store.close()
      let before = try contents(of: directory)
      let (status, console) = await run(file, "--store", directory, "--where", "born=1900")
      #expect(status == .unreadable)
      #expect(
        console.complaints == [
          "\(directory): error: It cannot be read: The file has records of version 1 of "
            + "Person, and no migration leads from it to version 2. Add that step to `Migrations`."
        ])
      #expect(try contents(of: directory) == before)
    }
  }

  @Test func `a place that is not a store is an error`() async throws {
    try await withFamily { file, _ in
      let folder = URL(filePath: file).deletingLastPathComponent().path
      for arguments in [[file], []] {
        let others = await run(arguments + ["--store", folder])
        #expect(others.status == .badData)
        #expect(
          others.console.complaints == [
            "\(folder): error: There are other files in the directory, and nothing was changed. "
              + "Choose an empty or a new one."
          ])
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == ["small.ged"])

      let text = await run(file, "--store", file + "/")
      #expect(text.status == .cannotWrite)
      #expect(text.console.complaints.first?.hasPrefix("\(file)/: error: ") == true)

      let nowhere = await run(file, "--store", "\(folder)/nowhere/store")
      #expect(nowhere.status == .cannotWrite)
      #expect(nowhere.console.complaints.first?.contains("It cannot be written: ") == true)
    }
  }
}
