#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipTestTraits
  import Testing

  @testable import KinshipStoreTestSupport

  @Suite(.dedicatedThreads)
  struct ValueTests {
    enum Standing: String, Codable { case member, guest }

    struct Address: Codable, Equatable {
      var street: String
      var numbers: [Int]
    }

    struct Everything: GraphRecord, Codable, Equatable {
      let id: UUID
      var flag = true
      var integer = 0
      var small: Int8 = 0
      var large: UInt64 = 0
      var real = 0.0
      var single: Float = 0
      var text = ""
      var data = Data()
      var date = Date(timeIntervalSince1970: 0)
      var link: URL?
      var standing = Standing.member
      var address: Address?
      var tags: [String] = []
      var other: Ref<Everything>?
      var optionalReal: Double?
      var optionalFlag: Bool?
      var optionalSmall: UInt16?

      static let relationships: Relationships<Everything> = [.ignored(\.other)]
    }

    static func store(_ formats: SQLFormats = SQLFormats()) throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Everything>(
          "we\"ird; DROP TABLE x --", columns: [.column(\.text, "te\"xt")], formats: formats),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE "we""ird; DROP TABLE x --" (
              id PRIMARY KEY, flag INTEGER, integer INTEGER, small INTEGER, large INTEGER,
              real REAL, single REAL, "te""xt" TEXT, data BLOB, date, link TEXT, standing TEXT,
              address TEXT,
              tags TEXT, other, optionalReal REAL, optionalFlag INTEGER, optionalSmall INTEGER)
            """))
    }

    static let samples: [Everything] = [
      Everything(id: UUID()),
      Everything(
        id: UUID(), flag: false, integer: .min, small: .min, large: UInt64(Int64.max),
        real: -.infinity, single: .greatestFiniteMagnitude,
        text: "a\0b\"'\\; DROP TABLE x; 👩‍👩‍👧 é",
        data: Data([0, 255, 0]), date: Date(timeIntervalSince1970: -1.125),
        link: URL(string: "https://example.org/a?b=c#d"), standing: .guest,
        address: Address(street: "\"Down\" Str.\n", numbers: [1, -2]), tags: ["", "a,b"],
        other: Ref(UUID()), optionalReal: 5, optionalFlag: false, optionalSmall: .max),
      Everything(
        id: UUID(), integer: .max, real: .leastNonzeroMagnitude, single: -0.0,
        text: String(repeating: "x", count: 100_000), data: Data(repeating: 7, count: 100_000)),
    ]

    @Test(arguments: [
      SQLFormats(), SQLFormats(dates: .text, uuids: .blob),
      SQLFormats(dates: .secondsSince2001),
    ])
    func `values are read as they were written`(formats: SQLFormats) async throws {
      let store = try Self.store(formats)
      let cache = try GraphCache(for: Everything.self, store: store)
      try await cache.write { tx in for sample in Self.samples { try tx.insert(sample) } }
      for sample in Self.samples {
        #expect(try await store.fetch(Everything.self, ids: [sample.id]) == [sample])
      }
      // A change writes through the same formats.
      try await cache.write { tx in
        try tx.update(Self.samples[0].ref, \.date, to: Date(timeIntervalSince1970: 86_400.5))
        try tx.update(Self.samples[1].ref, \.address, to: nil)
      }
      let stored = try await store.fetch(Everything.self, ids: Self.samples.map(\.id))
      #expect(stored.first { $0.id == Self.samples[0].id }?.date.timeIntervalSince1970 == 86_400.5)
      let second = try #require(stored.first { $0.id == Self.samples[1].id })
      #expect(second.address == nil)
      #expect(second.text == Self.samples[1].text)
    }

    @Test func `values that SQLite cannot store are refused by name`() async throws {
      let store = try Self.store()
      let cache = try GraphCache(for: Everything.self, store: store)
      let bad = [
        Everything(id: UUID(), real: .nan), Everything(id: UUID(), large: .max),
        Everything(id: UUID(), optionalReal: .signalingNaN),
      ]
      for record in bad {
        await #expect {
          try await cache.write { tx in
            try tx.insert(Everything(id: UUID()))
            try tx.insert(record)
          }
        } throws: { error in
          "\(error)".contains("cannot be translated") || "\(error)".contains("cannot be stored")
        }
      }
      #expect(try await store.fetch(RecordQuery<Everything>()).isEmpty)
    }

    @Test(arguments: [
      ("flag", "2"), ("integer", "'one'"), ("integer", "1.5"), ("small", "128"), ("text", "x'ff'"),
      ("\"te\"\"xt\"", "CAST(x'ff' AS TEXT)"), ("standing", "'stranger'"), ("date", "'noon'"),
      ("address", "'{'"), ("real", "'one'"), ("other", "5"), ("integer", "NULL"),
    ])
    func `a row that is not a record is named`(column: String, value: String) async throws {
      let store = try Self.store()
      let cache = try GraphCache(for: Everything.self, store: store)
      let record = Self.samples[1]
      try await cache.write { tx in try tx.insert(record) }
      // `text` is the name of the property, not of the column.
      let name = column == "text" ? "\"te\"\"xt\"" : column
      try await store.execute("UPDATE \"we\"\"ird; DROP TABLE x --\" SET \(name) = \(value)")
      await #expect {
        try await store.fetch(Everything.self, ids: [record.id])
      } throws: { error in
        guard case KinshipError.untranslatable("Everything", let id, let field, _) = error else {
          return false
        }
        let expected = column.contains("\"") ? "text" : column
        return id as? UUID == record.id && field == expected
      }
    }

    @Test func `ids and names never run as SQL`() async throws {
      let store = try SQLiteStore(
        at: ":memory:", Music.artists, Music.albums, Music.mixes, Music.songs,
        configuration: SQLiteConfiguration(setup: Music.schema))
      let cache = try Music.cache(store)
      let evil = ["'; DROP TABLE song; --", "\" OR 1=1", "') OR ('1'='1", "\0", "", "?1", "🦜"]
      try await cache.write { tx in
        try tx.insert(Song(id: 1, name: "x'); DELETE FROM mix; --"))
        for id in evil { try tx.insert(Mix(id: id, songs: [1])) }
      }
      let fresh = try Music.cache(store)
      for id in evil { #expect(try await fresh.resolve(Ref<Mix>(id)).songs == [1]) }
      #expect(try await fresh.resolve(Ref<Song>(1)).name == "x'); DELETE FROM mix; --")
      #expect(try await store.fetch(Mix.self, ids: ["' OR '1'='1"]).isEmpty)
    }
  }
#endif
