import Foundation
import Kinship
import KinshipFileStore
import KinshipProgram
import KinshipTestTraits
import Testing

@testable import family_tree

/// Tests of all stores that can contain a genealogy.
@Suite(.dedicatedThreads)
struct StoreTests {
  /// Runs a body with the small family's file and a store that does not exist yet.
  private func withFamily(
    _ kind: StoreKind,
    _ body: (_ file: String, _ path: String, _ store: String) async throws -> Void
  ) async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      try await body(file, file + ".store", kind.argument(file + ".store"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a file is imported once`(in kind: StoreKind) async throws {
    try await withFamily(kind) { file, path, store in
      let plain = await run(file, "--summary").console.output
      let first = await run(file, "--store", store, "--summary")
      #expect(first.status == .success)
      #expect(first.console.output == plain)
      #expect(first.console.complaints == ["\(path): 17 records written"])
      #expect(first.console.progress.contains("Writing \(path)"))

      let copy = file + ".copy.ged"
      try FileManager.default.copyItem(atPath: file, toPath: copy)
      for arguments in [[file], [copy], []] {
        let again = await run(arguments + ["--store", store, "--summary"])
        #expect(again.status == .success)
        #expect(again.console.output == plain)
        #expect(again.console.complaints == [])
        #expect(!again.console.progress.contains("Writing \(path)"))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `another genealogy is rejected`(in kind: StoreKind) async throws {
    try await withFamily(kind) { file, path, store in
      _ = await run(file, "--store", store)
      let before = try contents(of: path)

      let other = file + ".other.ged"
      try Data(ownAncestor.utf8).write(to: URL(filePath: other))
      let refused = await run(other, "--store", store)
      #expect(refused.status == .badData)
      #expect(
        refused.console.complaints.first?.hasPrefix(
          "\(path): error: It holds another genealogy, imported from small.ged. ") == true)

      try Data(ownAncestor.utf8).write(to: URL(filePath: file))
      let changed = await run(file, "--store", store)
      #expect(changed.status == .badData)
      #expect(
        changed.console.complaints == [
          """
          \(path): error: small.ged is not as it was when it was imported. Nothing was \
          changed: leave the file out to explore what was imported, or choose another store \
          to import small.ged.
          """
        ])
      #expect(try contents(of: path) == before)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a run without a file needs a stored genealogy`(in kind: StoreKind) async throws {
    try await withFamily(kind) { _, path, store in
      let (status, console) = await run("--store", store)
      #expect(status == .unreadable)
      #expect(
        console.complaints == [
          "\(path): error: There is no genealogy in it yet. Name a GEDCOM file to import."
        ])
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a file that is not GEDCOM leaves no store`(in kind: StoreKind) async throws {
    try await withTemporaryPath("bad.ged", holding: "hello") { file in
      #expect(await run(file, "--store", kind.argument(file + ".store")).status == .badData)
      #expect(!FileManager.default.fileExists(atPath: file + ".store"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `statistics show the cost`(in kind: StoreKind) async throws {
    try await withFamily(kind) { file, _, store in
      let console = await run(
        file, "--store", store, "--summary", "--stats", "--capacity", "3"
      ).console
      #expect(console.output.contains("in memory                  3 of at most 3\n"))
      #expect(!console.output.contains("\n  evictions                  0\n"))
      let whole = await run("--store", store, "--stats").console
      #expect(whole.output.contains(" of at most 500\n"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an import into a store already filled changes nothing`(in kind: StoreKind) async throws {
    try await withFamily(kind) { file, path, _ in
      let genealogy = try GenealogyReader.read(Array(smallFamily.utf8)).0
      let store = try await kind.location(path).make()
      let origin = Origin(path: file, bytes: [])
      #expect(try await genealogy.write(to: store, origin))
      #expect(try await !genealogy.write(to: store, Origin(path: "other", bytes: [1])))
      #expect(try await store.fetch(Origin.self, ids: [1]) == [origin])
    }
  }

  /// When programs import one file at the same time, each answers or says that another one is
  /// importing it.
  @Test(arguments: StoreKind.allCases)
  func `simultaneous imports give one genealogy`(in kind: StoreKind) async throws {
    for _ in 0..<8 {
      try await withFamily(kind) { file, path, store in
        let plain = await run(file, "--summary").console.output
        let programs = (0..<3).map { _ in
          Task { await run(file, "--store", store, "--summary") }
        }
        for program in programs {
          let (status, console) = await program.value
          if status == .success {
            #expect(console.output == plain)
          } else {
            #expect([.cannotWrite, .unreadable].contains(status), "\(console.complaints)")
            let complaint = try #require(console.complaints.first)
            #expect(
              complaint.contains(" is open elsewhere.") || complaint.contains("SQLITE_BUSY"),
              "\(complaint)")
          }
        }
        #expect(await run("--store", store, "--summary").console.output == plain)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a store without an origin has no genealogy yet`(in kind: StoreKind) async throws {
    try await withFamily(kind) { file, path, store in
      _ = await run(file, "--store", store)
      let stored = try #require(try await kind.location(path).open(isEdited: true))
      let origin = try #require(try await stored.fetch(Origin.self, ids: [1]).first)
      try await stored.apply(ChangeSet(inserting: [], updating: [], deleting: [origin]))
      try await (stored as? FileStore)?.close()
      let (status, console) = await run("--store", store, "--summary")
      #expect(status == .unreadable)
      #expect(console.complaints.count == 1)
      #expect(await run(file, "--store", store).status == .unreadable)
    }
  }
}
