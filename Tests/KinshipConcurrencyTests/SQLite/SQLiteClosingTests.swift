#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  struct SQLiteClosingTests {
    static func companions(_ path: String) -> [String] {
      ["-wal", "-shm", "-journal"].filter { FileManager.default.fileExists(atPath: path + $0) }
    }

    static func refuses(_ body: () async throws -> Void) async {
      let error = await #expect(throws: KinshipError.self) { try await body() }
      guard case .misuse(.closed) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a closed store leaves the database alone`() async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(at: database.path)
      // All connections are open.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask { _ = try await store.fetch(RecordQuery<Song>()) }
        }
        try await group.waitForAll()
      }
      #expect(Self.companions(database.path) == ["-wal", "-shm"])
      await store.close()
      #expect(Self.companions(database.path).isEmpty)
      await store.close()
      await Self.refuses { _ = try await store.fetch(RecordQuery<Song>()) }
      await Self.refuses { _ = try await store.fetch(Song.self, ids: [100]) }
      await Self.refuses { try await store.execute("DELETE FROM song") }
      await Self.refuses { _ = try await store.changes(since: nil) }
      await Self.refuses {
        try await store.apply(ChangeSet(inserting: [Song(id: 900, name: "Late")]))
      }
      let again = try Music.store(at: database.path)
      #expect(try await again.fetch(RecordQuery<Song>()).count == 5)
      await again.close()
    }

    @Test func `a closed database in memory is gone`() async throws {
      let store = try await Music.filled()
      await store.close()
      await Self.refuses { _ = try await store.fetch(RecordQuery<Song>()) }
    }

    @Test func `a read-only store can be closed`() async throws {
      let database = TemporaryDatabase()
      await (try Music.filled(at: database.path)).close()
      let store = try Music.store(at: database.path, SQLiteConfiguration(access: .readOnly))
      #expect(try await store.fetch(RecordQuery<Song>()).count == 5)
      await store.close()
      #expect(Self.companions(database.path).isEmpty)
      await Self.refuses { _ = try await store.fetch(RecordQuery<Song>()) }
    }

    /// A call in progress ends as usual, or is refused completely.
    @Test func `a store finishes the calls in progress before it closes`() async throws {
      for round in 0..<20 {
        let database = TemporaryDatabase()
        let store = try await Music.filled(at: database.path)
        let outcomes = try await withThrowingTaskGroup(of: Int?.self) { group in
          for number in 0..<24 {
            group.addTask {
              do {
                if number % 3 == 0 {
                  try await store.apply(
                    ChangeSet(inserting: [Song(id: 1_000 + number, name: "\(number)")]))
                  return number
                }
                let songs = try await store.fetch(RecordQuery<Song>())
                try verify(songs.count >= 5, "an answer lacks records: \(songs.count)")
                return nil
              } catch KinshipError.misuse(.closed) { return nil }
            }
            if number == round {
              for _ in 0..<2 {
                group.addTask {
                  await store.close()
                  try verify(Self.companions(database.path).isEmpty, "something is left")
                  return nil
                }
              }
            }
          }
          return try await group.reduce(into: Set<Int>()) { if let id = $1 { $0.insert(id) } }
        }
        let again = try Music.store(at: database.path)
        let written = try await again.fetch(RecordQuery<Song>()).map(\.id).filter { $0 >= 1_000 }
        #expect(Set(written) == Set(outcomes.map { 1_000 + $0 }))
        await again.close()
      }
    }
  }
#endif
