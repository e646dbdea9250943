#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import Testing

  /// Every reader sees the rows as the database stored them, including its own changes to a commit.
  struct SQLiteEffectsTests {
    private static func store() throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:", Ledger.accounts, Ledger.tags, Ledger.entries, Ledger.memos,
        configuration: SQLiteConfiguration(setup: Ledger.sqliteSchema))
    }

    @Test(arguments: [false, true])
    func `memory agrees with the database after each commit`(isTracked: Bool) async throws {
      for seed in try Effort().seeds(40) {
        let store = try Self.store()
        if isTracked { try await store.installTracking() }
        var generator = SplitMix64(seed: seed)
        let differences = try await Ledger.differences(store, operations: 60, using: &generator)
        #expect(differences == [], "seed \(seed)")
      }
    }

    @Test func `an insertion that was rounded can be undone and redone`() async throws {
      let cache = try Ledger.cache(Self.store())
      let undo = UndoStack(cache)
      for number in 0..<20 {
        let at = Date(timeIntervalSinceReferenceDate: 817_000_000.1 + Double(number) * 0.0123456)
        let changes = try await undo.write { tx in
          try tx.insert(Ledger.Account(id: number, name: " a "))
          try tx.insert(Ledger.Entry(id: number, account: nil, at: at, amount: 1))
        }
        #expect(changes.inserted(Ledger.Account.self).map(\.label) == ["a:\(number)"])
        await cache.removeAll()
        try await undo.undo()
        #expect(try await cache.find(Ref<Ledger.Entry>(number)) == nil)
        try await undo.redo()
        #expect(try await cache.find(Ref<Ledger.Account>(number))?.name == "a")
      }
    }

    @Test(arguments: [SQLFormats.Dates.secondsSince1970, .secondsSince2001, .text])
    func `a date used as an id is found again or refused`(format: SQLFormats.Dates) async throws {
      struct Event: GraphRecord, Codable, Equatable { let id: Date }
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Event>("event", formats: SQLFormats(dates: format)),
        configuration: SQLiteConfiguration(setup: "CREATE TABLE event (id PRIMARY KEY)"))
      let cache = try GraphCache(for: Event.self, store: store)
      var refused = 0
      for number in 0..<20 {
        let at = Date(timeIntervalSinceReferenceDate: 817_000_000.1 + Double(number) * 0.0123456)
        do {
          try await cache.write { tx in try tx.insert(Event(id: at)) }
          await cache.removeAll()
          #expect(try await cache.find(Ref<Event>(at)) != nil)
        } catch KinshipError.untranslatable(_, _, "id", _) {
          refused += 1
          #expect(try await store.fetch(Event.self, ids: [at]).isEmpty)
        }
      }
      #expect((refused > 0) == (format != .secondsSince2001))
    }

    /// It encodes nothing for a property that is `nil`.
    struct Person: GraphRecord, Codable, Equatable {
      let id: Int
      var nickname: String?
      var since: String?

      enum CodingKeys: CodingKey { case id, nickname, since }

      init(id: Int) { self.id = id }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        nickname = try container.decodeIfPresent(String.self, forKey: .nickname)
        since = try container.decodeIfPresent(String.self, forKey: .since)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        if let nickname { try container.encode(nickname, forKey: .nickname) }
        if let since { try container.encode(since, forKey: .since) }
      }
    }

    @Test func `a database default is visible after an insertion`() async throws {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Person>("person"),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE person (id INTEGER PRIMARY KEY, nickname TEXT DEFAULT 'none', since)"
        ))
      let cache = try GraphCache(for: Person.self, store: store)
      let changes = try await cache.write { tx in try tx.insert(Person(id: 1)) }
      #expect(changes.inserted(Person.self).map(\.nickname) == ["none"])
      #expect(cache.peek(Ref<Person>(1))?.nickname == "none")
    }

    @Test func `setting a computed column is refused`() async throws {
      let store = try Self.store()
      let cache = try Ledger.cache(store)
      try await cache.write { tx in try tx.insert(Ledger.Account(id: 1, name: "a")) }
      await #expect {
        try await cache.write { tx in
          try tx.update(Ref<Ledger.Account>(1), \.label, to: "forced")
        }
      } throws: { error in
        guard case KinshipError.untranslatable("Account", _, "label", _) = error else {
          return false
        }
        return true
      }
      #expect(cache.peek(Ref<Ledger.Account>(1))?.label == "a:1")
    }

    @Test func `unmapped keys in JSON are kept`() async throws {
      let store = try Self.store()
      let cache = try Ledger.cache(store)
      try await store.execute(
        """
        INSERT INTO account (id, name, total, info) VALUES (1, 'a', 0,
          '{"city":"Bonn","zip":"53111","place":{"street":"A","number":7},
            "big":12345678901234567890}')
        """)
      let ref = Ref<Ledger.Account>(1)
      func info(_ expression: String) async throws -> String? {
        try await store.execute(
          "INSERT OR REPLACE INTO account (id, name, total, info) SELECT 9, coalesce("
            + "\(expression), 'nil'), 0, '{\"city\":\"\"}' FROM account WHERE id = 1")
        return try await store.fetch(Ledger.Account.self, ids: [9]).first?.name
      }
      try await cache.write { tx in try tx.update(ref, \.info.city, to: "Köln") }
      #expect(try await info("json_extract(info, '$.city')") == "Köln")
      #expect(try await info("json_extract(info, '$.zip')") == "53111")
      #expect(try await info("json_extract(info, '$.place.number')") == "7")
      try await cache.write { tx in try tx.update(ref, \.info.place, to: nil) }
      #expect(try await info("json_extract(info, '$.place.street')") == "nil")
      try await cache.write { tx in
        try tx.update(ref) { $0.info.place = Ledger.Info.Place(street: "B") }
      }
      #expect(try await info("json_extract(info, '$.place.street')") == "B")
      #expect(try await info("instr(info, '12345678901234567890') > 0") == "1")
    }

    @Test func `a view with triggers can be written`() async throws {
      struct Doc: Versioned, Codable, Equatable {
        let id: Int
        var name: String
        var version = 0
      }
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Doc>("doc"),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE base (pk INTEGER PRIMARY KEY, name TEXT, version INTEGER);
            INSERT INTO base VALUES (1, 'one', 0);
            CREATE VIEW doc AS SELECT pk AS id, name, version FROM base;
            CREATE TRIGGER u INSTEAD OF UPDATE ON doc BEGIN
              UPDATE base SET name = upper(NEW.name), version = NEW.version WHERE pk = OLD.id;
            END;
            CREATE TRIGGER i INSTEAD OF INSERT ON doc BEGIN
              INSERT INTO base VALUES (NEW.id, NEW.name, NEW.version);
            END;
            CREATE TRIGGER d INSTEAD OF DELETE ON doc BEGIN
              DELETE FROM base WHERE pk = OLD.id;
            END;
            """))
      let cache = try GraphCache(for: Doc.self, store: store)
      try await cache.write { tx in
        try tx.insert(Doc(id: 2, name: "two"))
        try tx.update(Ref<Doc>(1), \.name, to: "uno")
      }
      #expect(cache.peek(Ref<Doc>(1)) == Doc(id: 1, name: "UNO", version: 1))
      try await store.execute("UPDATE base SET version = 9 WHERE pk = 1")
      await #expect(throws: KinshipError.self) {
        try await cache.write { tx in try tx.update(Ref<Doc>(1), \.name, to: "x") }
      }
      try await cache.write { tx in try tx.delete(Ref<Doc>(2)) }
      #expect(try await store.fetch(Doc.self, ids: [1, 2]).map(\.version) == [9])
    }
  }
#endif
