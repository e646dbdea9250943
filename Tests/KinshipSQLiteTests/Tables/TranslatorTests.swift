#if SQLite
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  struct TranslatorTests {
    struct HandAlbum: GraphRecord, Equatable {
      static let recordName = "Hand"
      let id: Int
      var title: String
      var artist: Ref<Artist>?
      var songs: [Ref<Song>] = []

      static let relationships: Relationships<HandAlbum> = [.toOne(\.artist), .toMany(\.songs)]
    }

    struct AlbumTranslator: RowTranslator {
      var columns = ["title", "number", "artist"]

      func record(from row: borrowing SQLRow) throws -> HandAlbum {
        HandAlbum(
          id: try row.value(at: 1), title: try row.value(at: 0), artist: try row.value(at: 2),
          songs: try row.list(0))
      }

      func bind(_ record: HandAlbum, to values: inout SQLValues) throws {
        try values.append(record.title)
        try values.append(record.id)
        if record.title != "too few" { try values.append(record.artist) }
      }
    }

    private func store(_ translator: AlbumTranslator = AlbumTranslator()) async throws
      -> SQLiteStore
    {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<HandAlbum>(
          "album", id: "number", translator: translator,
          lists: [.toMany(\.songs, table: "song", foreignKey: "album", key: "id")]),
        Music.artists, Music.songs,
        configuration: SQLiteConfiguration(setup: Music.schema))
      try await store.execute(
        """
        INSERT INTO artist VALUES (1, 'Clara');
        INSERT INTO album VALUES (10, 'Soirées', 1), (11, 'Romances', NULL);
        INSERT INTO song VALUES (100, 'One', 10), (101, 'Two', 10)
        """)
      return store
    }

    @Test func `a translator reads rows with their lists`() async throws {
      let store = try await store()
      #expect(
        try await store.fetch(RecordQuery<HandAlbum>().sorted(by: \.id)) == [
          HandAlbum(id: 10, title: "Soirées", artist: 1, songs: [100, 101]),
          HandAlbum(id: 11, title: "Romances", artist: nil),
        ])
      let ofArtist = try await store.referrers(
        to: [Ref<Artist>(1)], by: RecordRelationship<HandAlbum>(\.artist))
      #expect(ofArtist.map(\.id) == [10])
    }

    @Test func `the id must be among the columns`() async {
      await #expect(throws: SQLMappingError.self) {
        _ = try await store(AlbumTranslator(columns: ["title", "artist"]))
      }
      await #expect(throws: SQLMappingError.noColumn("nothing", table: "album")) {
        _ = try await store(AlbumTranslator(columns: ["nothing", "number", "artist"]))
      }
    }

    @Test func `a column of the wrong type is named`() async throws {
      let store = try await store()
      try await store.execute("UPDATE album SET title = x'00' WHERE number = 11")
      await #expect {
        try await store.fetch(RecordQuery<HandAlbum>())
      } throws: { error in
        guard let partial = error as? PartialAnswer<HandAlbum>, partial.records.count == 1,
          case KinshipError.untranslatable("Hand", let id, "title", let cause)? =
            partial.failures.first?.cause
        else { return false }
        return partial.failures.map(\.ref) == [11] && id as? Int == 11
          && cause as? SQLMappingError
            == .wrongType(table: "album", column: "title", expected: "TEXT", found: "BLOB")
      }
    }

    @Test func `a translator writes changes`() async throws {
      let store = try await store()
      let plain = try GraphCache(
        for: HandAlbum.self, Song.self, Album.self, Artist.self)
      let old = try await store.fetch(HandAlbum.self, ids: [10])
      try await plain.put(contentsOf: old)
      let changes = try await plain.write { tx in
        try tx.update(Ref<HandAlbum>(10), .set(\.title, to: "Evenings"), .set(\.artist, to: nil))
        try tx.insert(HandAlbum(id: 12, title: "New", artist: 1))
      }
      try await store.apply(changes)
      #expect(
        try await store.fetch(RecordQuery<HandAlbum>().sorted(by: \.id)) == [
          HandAlbum(id: 10, title: "Evenings", artist: nil, songs: [100, 101]),
          HandAlbum(id: 11, title: "Romances", artist: nil),
          HandAlbum(id: 12, title: "New", artist: 1),
        ])
      let wrong = try await plain.write { tx in try tx.insert(HandAlbum(id: 13, title: "too few")) }
      await #expect {
        try await store.apply(wrong)
      } throws: { error in
        guard case KinshipError.untranslatable("Hand", _, _, let cause) = error else {
          return false
        }
        return cause as? SQLMappingError == .wrongValueCount(table: "album", expected: 3, given: 2)
      }
    }
  }
#endif
