#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  /// An update of a record without a version writes only the changed columns, however they were
  /// changed.
  struct OtherWritersTests {
    typealias Band = Shop.Band
    typealias Disc = Shop.Disc

    private let ref = Ref<Band>(3)

    /// Writes as another process after the cache has read band 3.
    private func changeOutside(_ shop: Shop) async throws -> Shop.BandRow {
      _ = try await shop.cache.resolve(ref)
      try await shop.others.execute("UPDATE band SET name = 'New' WHERE id = 3")
      var row = Shop.row
      row.name = "New"
      return row
    }

    @Test func `an inverse writes one list and nothing else`() async throws {
      let shop = try await Shop()
      let row = try await changeOutside(shop)
      try await shop.others.execute("INSERT INTO disc VALUES (32, 'Outside', 3)")
      let changes = try await shop.cache.write { tx in
        try tx.insert(Disc(id: 33, title: "Mine", band: ref))
      }
      #expect(changes.updated(Band.self).map(\.changedNames) == [["discs"]])
      #expect(try await shop.row() == row)
      for disc in 30...33 { #expect(try await shop.band(of: disc) == 3) }
    }

    @Test func `a deletion leaves unrelated columns alone`() async throws {
      let shop = try await Shop()
      _ = try await shop.cache.resolve(Ref<Shop.Bill>(1))
      try await shop.others.execute("UPDATE bill SET total = 99.5, note = 'sent' WHERE id = 1")
      let changes = try await shop.cache.write { tx in try tx.delete(Ref<Shop.Line>(10)) }
      #expect(changes.updated(Shop.Bill.self).first?.properties?.map(\.name) == ["lines"])
      let bill = try await shop.others.fetch(Shop.BillRow.self, ids: [1]).first
      #expect(bill == Shop.BillRow(id: 1, total: 99.5, note: "sent"))
      #expect(try await shop.store.fetch(Shop.Bill.self, ids: [1]).first?.lines == [11])
    }

    @Test func `a closure writes only what differs`() async throws {
      let shop = try await Shop()
      var row = try await changeOutside(shop)
      let changes = try await shop.cache.write { tx in
        try tx.update(ref) { $0.place.city = "Köln" }
      }
      #expect(changes.updated(Band.self).map(\.changedNames) == [["place"]])
      row.place = #"{"city":"Köln","street":"Elm"}"#
      #expect(try await shop.row() == row)
    }

    @Test(arguments: 0..<4) func `a whole record writes only what differs`(way: Int) async throws {
      let shop = try await Shop()
      var row = try await changeOutside(shop)
      let founded = Date(timeIntervalSince1970: 0)
      try await shop.cache.write { tx in
        guard var band = tx[ref] else { return }
        band.founded = founded
        switch way {
        case 0: tx[ref] = band
        case 1: tx[ref]?.founded = founded
        case 2: try tx.put(band)
        default: try tx.update(band.ref) { $0 = band }
        }
      }
      row.founded = "1970-01-01 00:00:00.000"
      #expect(try await shop.row() == row)
    }

    /// A record that is deleted and inserted in one transaction is updated only where it differs.
    @Test func `a record deleted and put again writes only what differs`() async throws {
      let shop = try await Shop()
      var row = try await changeOutside(shop)
      try await shop.cache.write { tx in
        guard var band = tx[ref] else { return }
        try tx.delete(ref)
        band.place.street = "Oak"
        try tx.insert(band)
      }
      row.place = #"{"city":"Bonn","street":"Oak"}"#
      #expect(try await shop.row() == row)
    }

    @Test func `undo and redo write only what they change`() async throws {
      let shop = try await Shop()
      let stack = UndoStack(shop.cache)
      try await stack.write { tx in try tx.update(ref) { $0.place.city = "Köln" } }
      var row = try await changeOutside(shop)
      try await stack.undo()
      row.place = #"{"city":"Bonn","street":"Elm"}"#
      #expect(try await shop.row() == row)
      try await shop.others.execute("UPDATE band SET founded = '1998-01-01' WHERE id = 3")
      row.founded = "1998-01-01"
      try await stack.redo()
      row.place = #"{"city":"Köln","street":"Elm"}"#
      #expect(try await shop.row() == row)
    }

    @Test func `a decoded change set writes only what differs`() async throws {
      let shop = try await Shop()
      var row = try await changeOutside(shop)
      let schema = try GraphSchema(Band.self, Disc.self)
      let plain = GraphCache(schema: schema, store: nil)
      try await plain.put(contentsOf: try await shop.store.fetch(Band.self, ids: [3]))
      let changes = try await plain.write { tx in try tx.update(ref, \.place.city, to: "Köln") }
      let decoder = JSONDecoder()
      decoder.userInfo[.kinshipSchema] = schema
      let decoded = try decoder.decode(ChangeSet.self, from: JSONEncoder().encode(changes))
      try await shop.others.execute("UPDATE band SET name = 'Newer' WHERE id = 3")
      row.name = "Newer"
      row.place = #"{"city":"Köln","street":"Elm"}"#
      try await shop.store.apply(decoded)
      #expect(try await shop.row() == row)
    }

    /// The property has no column of its own: it is set in the stored value.
    @Test(arguments: [true, false])
    func `a property within a column is set in the stored value`(isKnown: Bool) async throws {
      let shop = try await Shop()
      var row = Shop.row
      if isKnown { row = try await changeOutside(shop) }
      try await shop.others.execute(
        #"UPDATE band SET place = '{"city":"Bonn","street":"Outside"}' WHERE id = 3"#)
      try await shop.cache.write { tx in try tx.update(ref, \.place.city, to: "Köln") }
      row.place = #"{"city":"Köln","street":"Outside"}"#
      #expect(try await shop.row() == row)
    }

    /// The translator's columns have other names than the properties, and no mapping is declared.
    @Test func `a translator without column names writes only what differs`() async throws {
      struct Person: GraphRecord {
        let id: Int
        var givenName: String
        var surname: String
      }
      struct PersonTranslator: RowTranslator {
        let columns = ["id", "a", "b"]

        func record(from row: borrowing SQLRow) throws -> Person {
          Person(
            id: try row.value(at: 0), givenName: try row.value(at: 1),
            surname: try row.value(at: 2))
        }

        func bind(_ record: Person, to values: inout SQLValues) throws {
          try values.append(record.id)
          try values.append(record.givenName)
          try values.append(record.surname)
        }
      }
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Person>("person", translator: PersonTranslator()),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE person (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);
            INSERT INTO person VALUES (1, 'A', 'B', 'C'), (2, 'D', 'E', 'F')
            """))
      let cache = try GraphCache(for: Person.self, store: store)
      _ = try await cache.resolve(Ref<Person>(1))
      try await store.execute("UPDATE person SET b = 'outside'")
      try await cache.write { tx in
        try tx.update(Ref<Person>(1), \.givenName, to: "X")
        try tx.update(Ref<Person>(2), \.givenName, to: "Y")
      }
      var stored = try await store.fetch(Person.self, ids: [1, 2])
      #expect(stored.map(\.givenName) == ["X", "Y"])
      #expect(stored.map(\.surname) == ["outside", "outside"])
      try await cache.write { tx in try tx.update(Ref<Person>(1)) { $0.givenName = "Z" } }
      stored = try await store.fetch(Person.self, ids: [1])
      #expect(stored.map(\.givenName) == ["Z"] && stored.map(\.surname) == ["outside"])
    }

    @Test func `a list without an order keeps the entries of others`() async throws {
      struct Playlist: GraphRecord, Codable {
        let id: Int
        var tracks: [Ref<Track>] = []
        static let relationships: Relationships<Playlist> = [.toMany(\.tracks)]
      }
      struct Track: GraphRecord, Codable { let id: Int }
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Playlist>(
          "playlist", lists: [.toMany(\.tracks, through: "entry", from: "list", to: "track")]),
        SQLiteTable<Track>("track"),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE playlist (id INTEGER PRIMARY KEY); INSERT INTO playlist VALUES (1);
            CREATE TABLE track (id INTEGER PRIMARY KEY);
            CREATE TABLE entry (list INTEGER, track INTEGER, added TEXT);
            INSERT INTO entry VALUES (1, 10, 'May'), (1, 11, 'June')
            """))
      let cache = try GraphCache(for: Playlist.self, Track.self, store: store)
      _ = try await cache.resolve(Ref<Playlist>(1))
      try await store.execute("INSERT INTO entry VALUES (1, 12, 'July')")
      try await cache.write { tx in try tx.update(Ref<Playlist>(1), \.tracks, to: [11, 13]) }
      #expect(try await store.fetch(Playlist.self, ids: [1]).first?.tracks == [11, 12, 13])
      // An undone deletion restores the other columns of the join rows.
      let changes = try await cache.write { tx in try tx.delete(Ref<Playlist>(1)) }
      #expect(try await store.fetch(Playlist.self, ids: [1]).isEmpty)
      try await store.apply(changes.inverted)
      try await store.execute("DELETE FROM entry WHERE added IS NULL")
      #expect(try await store.fetch(Playlist.self, ids: [1]).first?.tracks == [11, 12])
    }

    // MARK: Undoing a deletion

    @Test func `an undone deletion restores unmapped columns`() async throws {
      let shop = try await Shop()
      let before = try await shop.row(4)
      let stack = UndoStack(shop.cache)
      _ = try await shop.cache.resolve(ref)
      try await shop.others.execute("INSERT INTO disc VALUES (32, 'Outside', 3)")
      try await stack.write { tx in
        try tx.delete(Ref<Band>(3))
        try tx.delete(Ref<Band>(4))
      }
      #expect(try await shop.row() == nil)
      try await stack.undo()
      #expect(try await shop.row() == Shop.row)
      #expect(try await shop.row(4) == before)
      for disc in 30...32 { #expect(try await shop.band(of: disc) == 3) }
      // The second deletion's row counts, not the first one's.
      try await shop.others.execute("UPDATE band SET phone = '777' WHERE id = 3")
      try await stack.redo()
      try await stack.undo()
      var row = Shop.row
      row.phone = "777"
      #expect(try await shop.row() == row)
    }

    /// Without an undo, the columns get their defaults.
    @Test func `a record inserted again gets the column defaults`() async throws {
      let shop = try await Shop()
      let band = try await shop.cache.resolve(ref)
      try await shop.cache.write { tx in try tx.delete(ref) }
      try await shop.cache.write { tx in try tx.insert(band) }
      #expect(try await shop.row()?.phone == "?")
      #expect(try await shop.row()?.fee == nil)
    }

    // MARK: Identity

    @Test func `an insertion does not overwrite another record`() async throws {
      struct Key: GraphRecord, Codable, Equatable {
        var id: Int
        var name: String
      }
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Key>("key"),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE key (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO key VALUES (3, 'three'), (4, 'four')
            """))
      for isKnown in [true, false] {
        let cache = try GraphCache(for: Key.self, store: store)
        if isKnown { _ = try await cache.resolve(Ref<Key>(3)) }
        await #expect {
          try await cache.write { tx in try tx.update(Ref<Key>(3), \.id, to: 4) }
        } throws: { error in
          guard case KinshipError.misuse(.identityChanged(let from, let to)) = error else {
            return false
          }
          return from == AnyRef(Ref<Key>(3)) && to == AnyRef(Ref<Key>(4))
        }
      }
      #expect(
        try await store.fetch(RecordQuery<Key>().sorted(by: \.id)) == [
          Key(id: 3, name: "three"), Key(id: 4, name: "four"),
        ])
    }

    @Test(arguments: [true, false])
    func `a part of the id cannot be set`(isKnown: Bool) async throws {
      struct Entry: GraphRecord, Codable, Equatable {
        struct ID: Hashable, Codable {
          let list: Int
          let track: Int
        }
        var list: Int
        var track: Int
        var note: String
        var id: ID { ID(list: list, track: track) }
      }
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Entry>("entry", id: .columns((\.list, "list"), (\.track, "track"))),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE entry (list INTEGER, track INTEGER, note TEXT);
            INSERT INTO entry VALUES (1, 1, 'a'), (1, 2, 'b')
            """))
      let cache = try GraphCache(for: Entry.self, store: store)
      let ref = Ref<Entry>(Entry.ID(list: 1, track: 1))
      if isKnown { _ = try await cache.resolve(ref) }
      await #expect {
        try await cache.write { tx in try tx.update(ref, \.track, to: 2) }
      } throws: { error in
        guard case KinshipError.misuse(.identityChanged) = error else { return false }
        return true
      }
      #expect(
        Set(try await store.fetch(RecordQuery<Entry>()).map(\.note)) == ["a", "b"])
      #expect(try await store.fetch(RecordQuery<Entry>()).map(\.track).sorted() == [1, 2])
    }
  }
#endif
