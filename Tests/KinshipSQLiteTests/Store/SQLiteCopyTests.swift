#if SQLite
  import Kinship
  import KinshipFileStore
  import KinshipSQLite
  import KinshipTestSupport
  import KinshipTiers
  import Testing

  @testable import KinshipStoreTestSupport

  struct SQLiteCopyTests {
    static let types: [any GraphRecord.Type] = [Artist.self, Album.self, Song.self, Mix.self]

    /// From a database to files, and to another database.
    @Test func `a database is copied to files and to another database`() async throws {
      let database = try await Music.filled()
      let files = try await FileStore(
        in: SimulatedDisk(), at: "/store", schema: GraphSchema(types: Self.types))
      let exported = try await database.copy(Self.types, to: files, batchSize: 2)
      #expect(exported.copied == exported.written && exported.copied > 10)
      let other = try Music.store()
      // Albums and songs refer to each other.
      let imported = try await files.copy(Self.types, to: other, batchSize: nil)
      #expect(imported.digests == exported.digests)
      let memory = MemoryStore()
      #expect(try await other.copy(Self.types, to: memory).digests == exported.digests)
      let again = try await memory.copy(Self.types, to: other, batchSize: 3)
      #expect(again.written == 0)
    }

    @Test func `a copy needs the targets of foreign keys first`() async throws {
      let songs = MemoryStore()
      try await songs.apply(
        ChangeSet(inserting: [Song(id: 1, name: "One", album: Ref(10))]).merging(
          ChangeSet(inserting: [Album(id: 10, title: "Ten")])))
      let refused = try Music.store()
      let error = await #expect(throws: SQLiteError.self) {
        try await songs.copy([Song.self], to: refused)
      }
      #expect("\(try #require(error))".contains("FOREIGN KEY"))
      #expect(try await refused.fetch(RecordQuery<Song>()).isEmpty)
    }
  }
#endif
